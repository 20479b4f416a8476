//! The page cache over a real Redis and real change logs (contract §6).
#![allow(clippy::unwrap_used)]

mod away;
mod bounds;
mod kit;
mod levels;
mod lives;
mod makings;
mod purges;
