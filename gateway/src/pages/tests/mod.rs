//! Tests of all loaders.

pub(crate) mod kit;
mod rounds;
