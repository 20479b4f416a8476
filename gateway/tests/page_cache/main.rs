//! The page cache with real Redis and real change logs (docs/page-cache.md).
#![allow(clippy::unwrap_used)]

mod bounds;
mod cdn;
mod fills;
mod freshness;
mod hits;
mod kit;
mod purges;
mod stores;
mod unavailable;
