//! The identity service: members, sessions, codes, passwords and feedback.

#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
pub mod passwords;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use service::Identity;
