//! The identity service: members, sessions, codes, passwords and feedback.

pub mod domain;
pub mod passwords;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use service::Identity;
