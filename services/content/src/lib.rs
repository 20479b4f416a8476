//! The content service: news, education and help centre.
//!
//! `domain` contains the rules, `store` the database, `import` reads files, `providers` are the
//! clients of external services, and `rpc` serves calls. [`Content`] combines them into a service.

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
