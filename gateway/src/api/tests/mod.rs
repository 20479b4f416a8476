//! The API over services that are faked by descriptor: who asks, uploads, streams.
#![allow(clippy::unwrap_used)]

mod fakes;
mod openapi_generator;
mod sessions;
mod sockets;
mod streams;
mod uploads;

use super::*;
