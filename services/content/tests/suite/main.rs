//! The content service against real databases, as a library, over its calls and as a program.
#![allow(clippy::unwrap_used)]

mod commands;
mod import;
mod rpc;
mod seed;
mod store;
mod support;
