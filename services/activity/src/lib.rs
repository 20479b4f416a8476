//! The activity service: campaigns, invitations, participants and draws.

mod cli;
pub mod domain;
mod history;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use cli::Command;
pub use service::Activity;
