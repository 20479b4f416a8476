//! Tests of the config service over its public interface.
#![allow(clippy::unwrap_used)]

mod rpc;
mod store;
