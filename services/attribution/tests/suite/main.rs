//! Tests of the attribution service over its public interface.
#![allow(clippy::unwrap_used)]

mod kill;
mod service;
mod store;
