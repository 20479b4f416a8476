//! Tests of the quotes service over its public interface.
#![allow(clippy::unwrap_used)]

mod markets;
mod migrate;
mod provider;
mod rpc;
mod store;
mod stream;
mod support;
