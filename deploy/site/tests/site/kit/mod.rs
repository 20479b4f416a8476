//! Boots the real site on free ports and asks it.
//!
//! - `site`: services (in process, over TCP, or as programs of their own) and gateways before them.
//! - `gateway`: one gateway. `renderer`: the real renderer, one for all sites of the test process.
//! - `counts`: what a site's gateways cost: rpcs and renders, counted on the way.
//! - `faults`: ways that can be spoilt. `load`: visitors who go on asking.
//! - `kept`: logs, and what must not stand in them. `program`: the built programs. `client`, `html`: asking, and reading what came.

mod client;
mod counts;
mod faults;
mod folder;
mod gateway;
mod html;
mod kept;
mod load;
mod program;
mod raw;
mod renderer;
mod site;
mod wait;

use std::path::{Path, PathBuf};

pub(crate) use self::{
    client::{Answer, Client, MANY},
    counts::Counts,
    faults::{Fault, FaultProxy},
    folder::Folder,
    gateway::Gateway,
    html::Html,
    load::Load,
    program::{Pairs, Program, free_address, run, signal},
    raw::raw,
    renderer::{node, site_dir},
    site::{Form, Plan, Site, pairs},
    wait::{panics, until, within},
};

/// The origin in canonical links; requests go elsewhere, so a page that names its `Host` is found.
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
