//! The chassis from outside. `process`, `telemetry` and `error` are test binaries of their own: they set what
//! a process has once.
#![allow(clippy::unwrap_used)]

mod admin;
mod caller;
mod rpc;
mod store;
mod tls;
