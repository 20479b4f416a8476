//! The gateway: routing, locale rules, page documents, page cache, REST (docs/sessions.md).

mod addresses;
pub mod api;
mod cache_admin;
mod client_address;
mod config_snapshot;
pub mod content_encoding;
mod cookies;
mod dynamic;
mod error_response;
mod fast_path;
pub mod files;
mod gateway;
mod headers;
mod http_metrics;
mod http_server;
mod limits;
mod loader_cache;
pub mod page_cache;
mod pages;
mod path;
mod proxy;
mod recaptcha;
mod redirects;
mod redis_connection;
mod render;
mod resolve;
pub mod routes;
pub mod services;
mod session;
mod single_flight;
pub mod site;
pub mod visitor;

pub use cache_admin::CacheCommand;
pub use client_address::ClientAddress;
pub use gateway::serve;
pub use services::Services;
