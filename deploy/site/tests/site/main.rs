#![allow(clippy::unwrap_used, missing_docs)]
//! The real site, booted in process and as processes: pages, redirects, cache, failures, wrong
//! input, start and stop.

mod answers;
mod attacks;
mod cache;
mod cdn;
mod databases;
mod degrading;
mod failures;
mod forms;
mod freshness;
mod kit;
mod member_rights;
mod members;
mod one_key;
mod pages;
mod preview;
mod process;
mod purging;
mod redirects;
mod renderers;
mod slow;
mod spooled;
mod switches;
mod wrong_input;
