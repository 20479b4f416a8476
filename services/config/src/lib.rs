//! The config service: items, menus, store links, countries and fees that operators set without a
//! release.

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
