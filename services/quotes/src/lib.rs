//! The quotes service: last prices of US and Saudi securities, once and as they change, from a
//! provider or a simulated market, and announcements.

mod cli;
mod convert;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
pub mod feed;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use cli::Command;
pub use service::Quotes;
