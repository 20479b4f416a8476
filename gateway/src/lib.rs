//! The gateway: routing, locale rules, page documents, page cache, REST (contract §3 to §8).

mod addresses;
pub mod api;
mod client_address;
mod config_copy;
mod cookies;
mod document;
mod dynamic;
pub mod files;
mod gateway;
mod headers;
mod http_server;
mod limits;
mod lingering;
mod maker;
mod operator;
mod operator_command;
pub mod page_cache;
mod page_request;
mod pages;
mod path;
mod payload;
mod proxy;
mod quick;
mod redirects;
mod refusal;
mod renderer;
pub mod routes;
pub mod services;
mod session;
pub mod site;
pub mod visitor;

pub use client_address::ClientAddress;
pub use gateway::serve;
pub use operator_command::cache_command;
pub use services::Services;
