//! The identity service: members, sessions, codes, passwords and feedback.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

pub mod domain;
pub mod passwords;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use service::Identity;
