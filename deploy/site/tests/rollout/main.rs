// Only a part of the kit is used here.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, dead_code, unused_imports)]
//! The site as in a cluster: rollouts, scaling and traces. These tests run apart from others and one at a time, because
//! each starts many processes with real deadlines.
//!
//! - `fleet`: the processes; `endpoints` tracks which are ready, `balancer` and the DNS server of `names` route to
//!   those. `builds`: two releases of the frontend.
//! - `load`, `navigation`, `streams`: clients that run meanwhile.
//! - `restarts`, `scaling`, `traces`: the tests. `collector`: receives traces.

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

static SERIAL: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Held while a test runs.
pub(crate) async fn alone() -> tokio::sync::MutexGuard<'static, ()> {
    SERIAL.lock().await
}
