//! The activity service: campaigns, invitations, participants and draws.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

mod cli;
pub mod domain;
mod history;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use cli::Command;
pub use service::Activity;
