//! `sahm-bench`: how fast the site answers, as ratios against a peer measured in the same run.
//!
//! The server under test is pinned to one core, the load to another. Run it from the repository's
//! root after `cargo build --release`, or by `make bench`. Results are printed and written to
//! `target/bench/`. `BIN_DIR` names the folder of the site's program (`target/release`).

mod bare;
mod client;
mod cores;
mod costs;
mod hits;
mod load;
mod plot;
mod process;
mod report;
mod statistics;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::{cores::Cores, hits::Plan, process::Site};

const USAGE: &str = "sahm-bench [--rounds N]  (odd, 1 to 99; 9 unless given)";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => bench(9),
        ["--rounds", rounds] => match rounds.parse() {
            Ok(rounds @ 1..=99) if rounds % 2 == 1 => bench(rounds),
            _ => bail!("{USAGE}"),
        },
        // How this program starts itself as the peer.
        ["bare", answers] => bare::run(Path::new(answers)),
        _ => bail!("{USAGE}"),
    }
}

fn bench(rounds: usize) -> anyhow::Result<()> {
    let cores = Cores::pick()?;
    cores.pin_this_process()?;
    let programs = PathBuf::from(std::env::var_os("BIN_DIR").unwrap_or("target/release".into()));
    let results = PathBuf::from("target/bench");
    std::fs::create_dir_all(&results).context("cannot make target/bench")?;
    // One thread: it is the only one on its core.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let site = Site::start(&programs.join("sahm"), &cores)?;
        let costs = costs::measure(&site).await?;
        let hits = hits::measure(&site, &cores, &Plan::with_rounds(rounds)).await?;
        report::write(&results, &hits, &costs)
    })
}
