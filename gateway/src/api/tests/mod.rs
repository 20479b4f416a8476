//! The API with fake services: sessions, uploads, streams, and the generator of the OpenAPI description.
#![allow(clippy::unwrap_used)]

mod fakes;
mod openapi_generator;
mod sessions;
mod sockets;
mod streams;
mod uploads;

use super::*;
