// Of the kit only what boots processes is used here.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, dead_code, unused_imports)]
//! The site as a cluster runs it: replaced process by process, scaled, and traced. Apart from the
//! other tests, and one at a time: each boots many processes, whose deadlines are the real ones.
//!
//! - `fleet`: the processes, as many of each as asked for; `endpoints` knows which are ready, a plain
//!   `balancer` and a server of `names` lead to those. `builds`: two releases of the frontend.
//! - `load`, `navigation`, `streams`: visitors, teams and browsers that go on meanwhile.
//! - `restarts`, `scaling`, `traces`: what is tried. `collector`: takes traces.

mod balancer;
mod builds;
mod collector;
mod endpoints;
mod fleet;
#[path = "../site/kit/mod.rs"]
mod kit;
mod load;
mod names;
mod navigation;
mod restarts;
mod scaling;
mod streams;
mod traces;

static ONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Held while a test runs.
pub(crate) async fn alone() -> tokio::sync::MutexGuard<'static, ()> {
    ONE.lock().await
}
