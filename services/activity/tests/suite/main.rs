//! Tests of the activity service over its public interface.
#![allow(clippy::unwrap_used)]

mod calls;
mod command;
mod draws;
mod environments;
mod kill;
mod member_data;
mod replicas;
mod store;
mod support;
