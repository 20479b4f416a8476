//! News, college and help centre: what the site publishes.
//!
//! `domain` holds the rules, `store` keeps the texts, `import` takes them in from files,
//! `providers` asks others, `rpc` answers callers. [`Content`] makes a service of them.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

mod change_subscriber;
mod cli;
pub mod domain;
pub mod import;
mod providers;
mod rpc;
pub mod search;
mod seed;
mod service;
mod stocks;
pub mod store;

pub use cli::Command;
pub use service::Content;
