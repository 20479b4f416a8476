//! The JSON API over the real services, transported in process.
mod activity;
mod attribution;
mod config;
mod content;
mod envelope;
mod errors;
mod identity;
mod quotes;
mod rows;
