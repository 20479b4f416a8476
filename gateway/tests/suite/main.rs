//! The gateway from outside. `page_cache` is a separate test binary, because it measures its own memory.
#![allow(clippy::unwrap_used)]

mod api;
mod rules;
mod wait;
