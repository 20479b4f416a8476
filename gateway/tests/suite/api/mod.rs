//! The JSON API with the real services in process.
mod activity;
mod attribution;
mod config;
mod content;
mod envelope;
mod errors;
mod identity;
mod kit;
mod quotes;
mod rows;
