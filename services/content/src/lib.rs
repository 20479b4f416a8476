//! News, college and help centre: what the site publishes.
//!
//! `domain` holds the rules, `store` keeps the texts, `import` takes them in from files,
//! `providers` asks others, `rpc` answers callers. [`Content`] makes a service of them.

mod change_subscriber;
mod cli;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod import;
mod providers;
mod rpc;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod search;
mod seed;
mod service;
mod stocks;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use cli::Command;
pub use service::Content;
