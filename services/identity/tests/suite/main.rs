//! The identity service with real databases, over its rpcs, and with a second replica.
#![allow(clippy::unwrap_used)]
mod accounts;
mod feedback;
mod logins;
mod member_data;
mod providers;
mod replicas;
mod store;
mod support;
