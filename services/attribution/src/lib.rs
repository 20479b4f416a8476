//! The attribution service: accepts event reports once and durably, counts them, and delivers them
//! to external sinks.

pub mod batcher;
mod cli;
pub mod delivery;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
mod member_data;
pub mod metrics;
pub mod retention;
mod rpc;
mod service;
pub mod spool;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use cli::Command;
pub use service::Attribution;
