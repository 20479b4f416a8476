//! The quotes service from outside.
#![allow(clippy::unwrap_used)]

mod markets;
mod migrate;
mod provider;
mod rpc;
mod store;
mod stream;
mod support;
