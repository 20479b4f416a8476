//! The quotes service: last prices of US and Saudi securities, once and as they change, from a
//! provider or a simulated market, and announcements.
#![allow(missing_docs, reason = "the library is public for its program and its tests")]

mod cli;
pub mod domain;
pub mod feed;
pub mod providers;
mod rpc;
pub mod seed;
mod service;
pub mod store;

pub use cli::Command;
pub use rpc::{AnnouncementRpc, QuoteRpc, QuoteServer};
pub use service::Quotes;
