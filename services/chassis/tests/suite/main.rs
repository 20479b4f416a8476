//! Tests of the chassis over its public interface. `process`, `telemetry` and `error` are separate
//! test binaries, because they set global state of the process.
#![allow(clippy::unwrap_used)]

mod admin;
mod caller;
mod log;
mod rpc;
mod store;
mod tls;
