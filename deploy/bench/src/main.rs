//! `sahm-bench`: how fast the site answers, as ratios against a peer measured in the same run.
//!
//! The server under test is pinned to one core, the load to another. Run it from the repository's
//! root after `cargo build --release`, or by `make bench`. Results are printed and written to
//! `target/bench/`. `BIN_DIR` names the folder of the site's program (`target/release`).

mod bare;
mod bare_events;
mod capacity;
mod client;
mod cores;
mod costs;
mod docs;
mod events;
mod frameworks;
mod hits;
mod lists;
mod load;
mod load_page;
mod markup;
mod members;
mod peers;
mod plot;
mod process;
mod provider;
mod renders;
mod report;
mod sitemap;
mod statistics;
mod streams;
mod traffic;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, bail};

use crate::{cores::Cores, hits::Plan, load_page::Results, process::Site};

const RESULTS: &str = "target/bench";

const USAGE: &str =
    "sahm-bench [--rounds N] [pages] [peers] [frameworks] [renders] [streams] [events] [lists] [load]
sahm-bench soak [--minutes N]
sahm-bench docs
  --rounds N   odd, 1 to 99; 9 unless given
  --minutes N  1 to 1440; 20 unless given
  without a name: all of the first line
  docs: takes the results of load and soak over into docs/operations";

const PARTS: [&str; 8] =
    ["pages", "peers", "frameworks", "renders", "streams", "events", "lists", "load"];
/// Those that ask the whole site in one process.
const OF_ONE_PROCESS: [&str; 4] = ["pages", "peers", "frameworks", "renders"];

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        // How this program starts itself as the peers.
        ["bare", answers] => return bare::run(Path::new(answers)),
        ["bare-events", folder] => return bare_events::run(Path::new(folder)),
        ["docs"] => return docs::write(Path::new(RESULTS), Path::new("docs/operations")),
        ["soak"] => return soak(20),
        ["soak", "--minutes", number] => match number.parse() {
            Ok(minutes @ 1..=1_440) => return soak(minutes),
            _ => bail!("{USAGE}"),
        },
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
    if arguments.iter().any(|name| !PARTS.contains(name)) {
        bail!("{USAGE}");
    }
    bench(rounds, |name| arguments.is_empty() || arguments.contains(&name))
}

fn bench(rounds: usize, is_asked: impl Fn(&str) -> bool) -> anyhow::Result<()> {
    on_own_core(async |cores, programs, results| {
        if OF_ONE_PROCESS.iter().any(|part| is_asked(part)) {
            let site = Site::start(&programs.join("sahm"), &cores)?;
            one_process(&site, &cores, &results, rounds, &is_asked).await?;
        }
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
        if is_asked("load") {
            let load = traffic::load(&programs, &cores).await?;
            let verdict = load.verdict();
            load_page::keep(&results, Results { load: Some(load), soak: None })?;
            verdict?;
        }
        Ok(())
    })
}

async fn one_process(
    site: &Site,
    cores: &Cores,
    results: &Path,
    rounds: usize,
    is_asked: &impl Fn(&str) -> bool,
) -> anyhow::Result<()> {
    if is_asked("pages") {
        let costs = costs::measure(site).await?;
        let hits = hits::measure(site, cores, &Plan::with_rounds(rounds)).await?;
        report::pages(results, &hits, &costs)?;
    }
    if is_asked("peers") {
        report::peers(results, &peers::measure(site, cores, rounds).await?)?;
    }
    if is_asked("frameworks") {
        report::frameworks(results, &frameworks::measure(site, cores, rounds).await?)?;
    }
    if is_asked("renders") {
        report::renders(results, &renders::measure(site, cores, rounds).await?)?;
    }
    Ok(())
}

fn soak(minutes: u64) -> anyhow::Result<()> {
    on_own_core(async |cores, programs, results| {
        let time = Duration::from_secs(minutes * 60);
        let soak = traffic::soak(&programs, &cores, time, &results.join("load/logs")).await?;
        let verdict = soak.verdict();
        load_page::keep(&results, Results { load: None, soak: Some(soak) })?;
        verdict
    })
}

/// Runs the measurements on the load's core; they find the programs in the first folder and leave
/// their results in the second.
fn on_own_core(
    measure: impl AsyncFnOnce(Cores, PathBuf, PathBuf) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let cores = Cores::pick()?;
    cores.pin_this_process()?;
    let programs = PathBuf::from(std::env::var_os("BIN_DIR").unwrap_or("target/release".into()));
    let results = PathBuf::from(RESULTS);
    std::fs::create_dir_all(&results).context("cannot make target/bench")?;
    // One thread: it is the only one on its core.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(cores, programs, results))
}
