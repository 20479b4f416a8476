//! The attribution service: event reports, accepted once and only when they are durable, counted,
//! and handed on to sinks outside.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

pub mod batcher;
mod cli;
pub mod delivery;
pub mod domain;
mod member_data;
pub mod metrics;
pub mod retention;
mod rpc;
mod service;
pub mod spool;
pub mod store;

pub use cli::Command;
pub use service::Attribution;
