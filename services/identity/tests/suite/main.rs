//! The identity service against real databases, over its calls, beside another of itself.
#![allow(clippy::unwrap_used)]
mod accounts;
mod feedback;
mod logins;
mod providers;
mod replicas;
mod store;
mod support;
