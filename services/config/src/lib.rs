//! The config service: items, menus, store links, countries and fees that operators set without a
//! release.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

mod cli;
pub mod domain;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use cli::Command;
pub use rpc::ConfigRpc;
pub use service::Config;
