//! The config service from outside.
#![allow(clippy::unwrap_used)]

mod rpc;
mod store;
