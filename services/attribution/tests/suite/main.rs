//! The attribution service from outside.
#![allow(clippy::unwrap_used)]

mod kill;
mod service;
mod store;
