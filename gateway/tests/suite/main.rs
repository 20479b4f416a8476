//! The gateway from outside. `page_cache` is a test binary of its own: it measures its own memory.
#![allow(clippy::unwrap_used)]

mod api;
mod files;
mod rules;
