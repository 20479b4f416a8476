//! Starts the real site on free ports, with clients for it.
//!
//! - `site`: services (in process, over TCP, or as separate programs) and gateways.
//! - `gateway`: one gateway. `renderer`: the real renderer, one for all sites of the test process.
//! - `counts`: counts rpcs and renders. `faults`: injects faults into connections. `load`: constant load.
//! - `test_logs`: logs, and secrets that must not appear in them. `program`: the built programs. `client`, `html`:
//!   requests and responses.

mod client;
mod counts;
mod faults;
mod folder;
mod gateway;
mod html;
mod load;
mod program;
mod raw;
mod renderer;
mod site;
mod test_logs;
mod wait;

use std::path::{Path, PathBuf};

pub(crate) use self::{
    client::{Client, MAX_STREAMS, Response},
    counts::Counts,
    faults::{Fault, FaultProxy},
    folder::Folder,
    gateway::Gateway,
    html::Html,
    load::Load,
    program::{Pairs, Program, free_address, run, signal},
    raw::raw,
    renderer::{node, site_dir},
    site::{Form, Plan, Replicas, Site, pairs},
    wait::{panics, until, within},
};

/// The origin in canonical links. It differs from the requested host, so that pages must not use `Host`.
pub(crate) const ORIGIN: &str = "https://www.sahm.test";

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// User agents of the three platforms of docs/sessions.md.
pub(crate) mod agent {
    pub(crate) const PC: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150";
    pub(crate) const MOBILE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
    pub(crate) const APP: &str = "Mozilla/5.0 (iPhone) SahmApp/4.2";
    pub(crate) const DARK_APP: &str = "Mozilla/5.0 (iPhone) SahmApp/4.2 Theme/dark";
}
