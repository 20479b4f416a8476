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
mod event_stream;
mod events;
mod frameworks;
mod hits;
mod lists;
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
mod turns;
mod wrk;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum, value_parser};

use crate::{cores::Cores, load_page::Results, process::Site};

const RESULTS: &str = "target/bench";

/// Compares the site's performance with peers that are measured in the same run.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Rounds of each comparison: an odd number up to 99
    #[arg(long, default_value_t = 9, value_parser = odd)]
    rounds: usize,
    /// Measurements; all if none is named
    parts: Vec<Part>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    Pages,
    Peers,
    Frameworks,
    Renders,
    Streams,
    Events,
    Lists,
    Load,
}

impl Part {
    /// Measurements of the whole site in one process.
    const ALL_IN_ONE: [Part; 4] = [Part::Pages, Part::Peers, Part::Frameworks, Part::Renders];
}

#[derive(Subcommand)]
enum Command {
    /// Runs the load for a long time and checks that memory does not grow
    Soak {
        #[arg(long, default_value_t = 20, value_parser = value_parser!(u64).range(1..=1_440))]
        minutes: u64,
    },
    /// Writes the results of load and soak to docs/operations
    Docs,
    /// Serves prepared responses, as a peer of this program
    #[command(hide = true)]
    Bare { responses: PathBuf },
    /// Acknowledges event reports, as a peer of this program
    #[command(hide = true)]
    BareEvents { folder: PathBuf },
}

fn odd(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=99) if number % 2 == 1 => Ok(number),
        _ => Err("not an odd number from 1 to 99".to_owned()),
    }
}

fn main() -> anyhow::Result<()> {
    let Arguments { rounds, parts, command } = Arguments::parse();
    match command {
        None => bench(rounds, |part| parts.is_empty() || parts.contains(&part)),
        Some(Command::Soak { minutes }) => soak(minutes),
        Some(Command::Docs) => docs::write(Path::new(RESULTS), Path::new("docs/operations")),
        Some(Command::Bare { responses }) => bare::run(&responses),
        Some(Command::BareEvents { folder }) => bare_events::run(&folder),
    }
}

fn bench(rounds: usize, is_selected: impl Fn(Part) -> bool) -> anyhow::Result<()> {
    on_own_core(async |cores, programs, results| {
        if Part::ALL_IN_ONE.into_iter().any(&is_selected) {
            let site = Site::start(&programs.join("sahm"), &cores)?;
            one_process(&site, &cores, &results, rounds, &is_selected).await?;
        }
        if is_selected(Part::Events) {
            let events = events::measure(&programs, &cores, rounds.div_ceil(2)).await?;
            report::events(&results, &events)?;
        }
        if is_selected(Part::Streams) {
            report::streams(&results, &streams::measure(&programs, &cores).await?)?;
        }
        if is_selected(Part::Lists) {
            report::lists(&results, &lists::measure(&programs, &cores).await?)?;
        }
        if is_selected(Part::Load) {
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
    is_selected: &impl Fn(Part) -> bool,
) -> anyhow::Result<()> {
    if is_selected(Part::Pages) {
        let costs = costs::measure(site).await?;
        let hits = hits::measure(site, cores, rounds).await?;
        report::pages(results, &hits, &costs)?;
    }
    if is_selected(Part::Peers) {
        report::peers(results, &peers::measure(site, cores, rounds).await?)?;
    }
    if is_selected(Part::Frameworks) {
        report::frameworks(results, &frameworks::measure(site, cores, rounds).await?)?;
    }
    if is_selected(Part::Renders) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed_as_documented() {
        let parse = |line: &str| Arguments::try_parse_from(line.split_whitespace());
        let parts = |line| parse(line).map(|arguments| (arguments.rounds, arguments.parts)).ok();
        assert!(parts("bench") == Some((9, vec![])));
        assert!(parts("bench --rounds 3 pages load") == Some((3, vec![Part::Pages, Part::Load])));
        let soak = |line| match parse(line).ok()?.command? {
            Command::Soak { minutes } => Some(minutes),
            _ => None,
        };
        assert_eq!((soak("bench soak"), soak("bench soak --minutes 5")), (Some(20), Some(5)));
        for wrong in ["--rounds 2 pages", "--rounds 101", "soak --minutes 0", "soak pages", "other"]
        {
            assert!(parse(&format!("bench {wrong}")).is_err(), "{wrong}");
        }
    }
}
