//! The page cache over a real Redis and real change logs (docs/page-cache.md).
#![allow(clippy::unwrap_used)]

mod away;
mod bounds;
mod kit;
mod levels;
mod lives;
mod makings;
mod purges;
