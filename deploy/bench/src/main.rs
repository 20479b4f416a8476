//! `sahm-bench`: how fast the site answers, as ratios against a peer measured in the same run.
//!
//! The server under test is pinned to one core, the load to another. Run it from the repository's
//! root after `cargo build --release`, or by `make bench`. Results are printed and written to
//! `target/bench/`. `BIN_DIR` names the folder of the site's program (`target/release`).

mod bare;
mod bare_events;
mod client;
mod cores;
mod costs;
mod events;
mod frameworks;
mod hits;
mod lists;
mod load;
mod markup;
mod peers;
mod plot;
mod process;
mod provider;
mod renders;
mod report;
mod statistics;
mod streams;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::{cores::Cores, hits::Plan, process::Site};

const USAGE: &str =
    "sahm-bench [--rounds N] [pages] [peers] [frameworks] [renders] [streams] [events] [lists]
  --rounds N  odd, 1 to 99; 9 unless given
  without a name: all of them";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        // How this program starts itself as the peers.
        ["bare", answers] => return bare::run(Path::new(answers)),
        ["bare-events", folder] => return bare_events::run(Path::new(folder)),
        _ => {}
    }
    let mut rounds = 9;
    if let ["--rounds", number, ..] = arguments.as_slice() {
        rounds = match number.parse() {
            Ok(rounds @ 1..=99) if rounds % 2 == 1 => rounds,
            _ => bail!("{USAGE}"),
        };
        arguments.drain(..2);
    }
    let parts = ["pages", "peers", "frameworks", "renders", "streams", "events", "lists"];
    if arguments.iter().any(|name| !parts.contains(name)) {
        bail!("{USAGE}");
    }
    bench(rounds, |name| arguments.is_empty() || arguments.contains(&name))
}

fn bench(rounds: usize, is_asked: impl Fn(&str) -> bool) -> anyhow::Result<()> {
    let cores = Cores::pick()?;
    cores.pin_this_process()?;
    let programs = PathBuf::from(std::env::var_os("BIN_DIR").unwrap_or("target/release".into()));
    let results = PathBuf::from("target/bench");
    std::fs::create_dir_all(&results).context("cannot make target/bench")?;
    // One thread: it is the only one on its core.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let site = Site::start(&programs.join("sahm"), &cores)?;
        if is_asked("pages") {
            let costs = costs::measure(&site).await?;
            let hits = hits::measure(&site, &cores, &Plan::with_rounds(rounds)).await?;
            report::pages(&results, &hits, &costs)?;
        }
        if is_asked("peers") {
            report::peers(&results, &peers::measure(&site, &cores, rounds).await?)?;
        }
        if is_asked("frameworks") {
            report::frameworks(&results, &frameworks::measure(&site, &cores, rounds).await?)?;
        }
        if is_asked("renders") {
            report::renders(&results, &renders::measure(&site, &cores, rounds).await?)?;
        }
        drop(site);
        if is_asked("events") {
            let events = events::measure(&programs, &cores, rounds.div_ceil(2)).await?;
            report::events(&results, &events)?;
        }
        if is_asked("streams") {
            report::streams(&results, &streams::measure(&programs, &cores).await?)?;
        }
        if is_asked("lists") {
            report::lists(&results, &lists::measure(&programs, &cores).await?)?;
        }
        Ok(())
    })
}
