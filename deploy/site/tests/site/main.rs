#![allow(clippy::unwrap_used, missing_docs)]
//! The real site, in process and as separate processes: pages, redirects, cache, failures, invalid input, start and
//! stop.

mod attacks;
mod cache;
mod cache_key;
mod cdn;
mod databases;
mod degradation;
mod event_spool;
mod failures;
mod forms;
mod freshness;
mod http_semantics;
mod key_rotation;
mod kit;
mod member_rights;
mod members;
mod pages;
mod preview;
mod process;
mod purges;
mod redirects;
mod renderers;
mod slow;
mod switches;
mod wrong_input;
