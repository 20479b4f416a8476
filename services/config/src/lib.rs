//! The config service: items, menus, store links, countries and fees that operators set without a
//! release.

#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod bundle;
mod cli;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use cli::Command;
pub use rpc::ConfigRpc;
pub use service::Config;
