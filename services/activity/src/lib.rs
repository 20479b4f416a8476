//! The activity service: campaigns, invitations, participants and draws.

#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod bundle;
mod cli;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod domain;
mod history;
mod rpc;
pub mod seed;
mod service;
#[allow(missing_docs, reason = "public for this package's program and tests only")]
pub mod store;

pub use cli::Command;
pub use service::Activity;
