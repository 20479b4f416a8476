//! The page of results of load and soak: tables in Markdown, plots as SVG.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Context;

use crate::{
    plot::{self, Axes, Line},
    traffic::{Load, Memory, Run, Soak},
};

const MIB: f64 = 1024.0 * 1024.0;
/// Beside the page: results as JSON, and plots.
const FOLDER: &str = "load";
/// Files of the results in that folder.
const LOAD: &str = "load.json";
const SOAK: &str = "soak.json";

/// What has been measured, as far as it has.
pub(crate) struct Results {
    pub(crate) load: Option<Load>,
    pub(crate) soak: Option<Soak>,
}

impl Results {
    /// Reads what [`keep`] wrote into that folder.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Results> {
        Ok(Results { load: read(folder, LOAD)?, soak: read(folder, SOAK)? })
    }

    /// Writes page, plots and results into a folder.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let beside = folder.join(FOLDER);
        fs::create_dir_all(&beside)?;
        fs::write(folder.join("load.md"), self.page()?)?;
        if let Some(load) = &self.load {
            fs::write(beside.join(LOAD), pretty(load)?)?;
            fs::write(beside.join("load-latency.svg"), latency("Open loop: latency", &load.open)?)?;
            fs::write(beside.join("load-rate.svg"), rate(load)?)?;
        }
        if let Some(soak) = &self.soak {
            fs::write(beside.join(SOAK), pretty(soak)?)?;
            fs::write(beside.join("soak-latency.svg"), latency("Soak: latency", &soak.run)?)?;
            fs::write(beside.join("soak-memory.svg"), memory(&soak.memory)?)?;
        }
        Ok(())
    }

    /// The page.
    pub(crate) fn page(&self) -> Result<String, std::fmt::Error> {
        let mut page = "# Load and soak\n\n\
            `deploy/bench.sh load` and `deploy/bench.sh soak` write this page; the plots and the results as JSON are in [`load/`](load).\n\
            The site runs as separate processes (`deploy/separate.sh`: gateway, six services, renderer, Redis, PostgreSQL; release build, with logs and limits) on one core, the load generator on another.\n\
            The mix of requests: visitors' pages (56 %; all pages in both locales, by Zipf's law, on desktops, phones and in the app), crawlers' pages (12 %), page data (10 %), event reports (8 %),\n\
            reading calls (5 %), members' calls (4 %), members' pages (3 %), search pages and likes (1 % each). Browsers stream prices at the same time.\n"
            .to_owned();
        if let Some(load) = &self.load {
            load_section(&mut page, load)?;
        }
        if let Some(soak) = &self.soak {
            soak_section(&mut page, soak)?;
        }
        Ok(page)
    }
}

/// Writes what was measured, beside what was measured earlier, and prints the page.
pub(crate) fn keep(folder: &Path, measured: Results) -> anyhow::Result<()> {
    // Earlier results of another form are read only where they are kept.
    let load = measured.load.map_or_else(|| read(folder, LOAD), |load| Ok(Some(load)))?;
    let soak = measured.soak.map_or_else(|| read(folder, SOAK), |soak| Ok(Some(soak)))?;
    let results = Results { load, soak };
    results.write(folder)?;
    crate::report::print(&results.page()?)
}

fn read<T: for<'a> serde::Deserialize<'a>>(folder: &Path, name: &str) -> anyhow::Result<Option<T>> {
    let path = folder.join(FOLDER).join(name);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read(&path)?;
    serde_json::from_slice(&text).with_context(|| format!("cannot read {}", path.display()))
}

fn pretty(results: &impl serde::Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(results)?;
    text.push(b'\n');
    Ok(text)
}

fn load_section(page: &mut String, load: &Load) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Load\n\n{}, {} pages, {} streams.\n",
        load.processor, load.pages, load.open.streams
    )?;
    writeln!(
        page,
        "**Closed loop**: {} clients without pauses between requests; {:.0} requests per second, {}.",
        load.clients,
        load.closed.per_second,
        outcome(&load.closed)
    )?;
    writeln!(
        page,
        "**Open loop**: {:.0} requests per second (half of that) by a schedule that does not wait for responses; latency counts from the scheduled time; {}.\n",
        load.open_rate,
        outcome(&load.open)
    )?;
    kinds(page, &[("closed", &load.closed), ("open", &load.open)])?;
    writeln!(
        page,
        "\n![Latency over time](load/load-latency.svg)\n\n![Rates over time](load/load-rate.svg)\n"
    )?;
    writeln!(page, "Processor time in seconds per second, and resident memory at the end:\n")?;
    writeln!(page, "| process | closed | open | MiB |\n| --- | ---: | ---: | ---: |")?;
    for (closed, open) in load.closed.processes.iter().zip(&load.open.processes) {
        writeln!(
            page,
            "| {} | {:.3} | {:.3} | {:.0} |",
            open.name,
            closed.cpu_seconds / load.closed.seconds,
            open.cpu_seconds / load.open.seconds,
            open.memory_bytes as f64 / MIB
        )?;
    }
    Ok(())
}

fn soak_section(page: &mut String, soak: &Soak) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Soak\n\n{}; {:.0} requests per second for {:.0} minutes, a third of the rate of a preceding closed loop ({:.0}); {}, {} streams.\n",
        soak.processor,
        soak.rate,
        soak.minutes,
        soak.closed_rate,
        outcome(&soak.run),
        soak.run.streams
    )?;
    writeln!(
        page,
        "Resident memory is read every 10 s; memory that processes share counts once, and PostgreSQL's shared buffers do not count. It is flat if the regression line after the first fifth \
         of the time rises by less than 5 % of the mean, or by less than 4 MiB.\n"
    )?;
    writeln!(page, "| process | mean, MiB | growth, MiB | flat |\n| --- | ---: | ---: | --- |")?;
    for memory in &soak.memory {
        writeln!(
            page,
            "| {} | {:.1} | {:.2} | {} |",
            memory.process,
            memory.mean / MIB,
            memory.growth / MIB,
            if memory.is_flat { "yes" } else { "**no**" }
        )?;
    }
    writeln!(
        page,
        "\n![Memory over time](load/soak-memory.svg)\n\n![Latency over time](load/soak-latency.svg)\n"
    )?;
    kinds(page, &[("soak", &soak.run)])
}

fn outcome(run: &Run) -> String {
    let Run { wrong, cache, .. } = run;
    let (renders, hits) = (cache.failed_renders, cache.hit_ratio() * 100.0);
    format!(
        "{wrong} wrong responses, {renders:.0} failed renders, {hits:.1} % of visitors' pages from the cache"
    )
}

fn kinds(page: &mut String, runs: &[(&str, &Run)]) -> std::fmt::Result {
    writeln!(page, "| loop | kind | per second | p50, ms | p99, ms | p99.9, ms | longest, ms |")?;
    writeln!(page, "| --- | --- | ---: | ---: | ---: | ---: | ---: |")?;
    for (name, run) in runs {
        for kind in &run.kinds {
            writeln!(
                page,
                "| {name} | {} | {:.1} | {:.2} | {:.1} | {:.1} | {:.0} |",
                kind.kind.name(),
                kind.per_second,
                kind.p50_ms,
                kind.p99_ms,
                kind.p999_ms,
                kind.max_ms
            )?;
        }
    }
    Ok(())
}

fn latency(title: &str, run: &Run) -> anyhow::Result<String> {
    let (unit, divisor) = unit(run.seconds);
    let line = |label: &str, value: fn(&crate::traffic::Moment) -> f64| Line {
        label: label.into(),
        points: run.over_time.iter().map(|one| (one.seconds / divisor, value(one))).collect(),
    };
    let axes = Axes { title, x: unit, y: "milliseconds", is_logarithmic: true };
    plot::lines(&axes, &[line("p50", |one| one.p50_ms), line("p99", |one| one.p99_ms)])
}

fn rate(load: &Load) -> anyhow::Result<String> {
    let line = |label: &str, run: &Run| Line {
        label: label.into(),
        points: run.over_time.iter().map(|one| (one.seconds, one.per_second)).collect(),
    };
    let axes = Axes {
        title: "Responses per second",
        x: "seconds",
        y: "requests per second",
        is_logarithmic: false,
    };
    plot::lines(&axes, &[line("closed loop", &load.closed), line("open loop", &load.open)])
}

fn memory(memory: &[Memory]) -> anyhow::Result<String> {
    let seconds =
        memory.iter().flat_map(|one| &one.points).map(|point| point.0).fold(0.0, f64::max);
    let (unit, divisor) = unit(seconds);
    let lines: Vec<Line> = memory
        .iter()
        .map(|one| Line {
            label: one.process.clone(),
            points: one.points.iter().map(|(at, bytes)| (at / divisor, bytes / MIB)).collect(),
        })
        .collect();
    let axes = Axes { title: "Soak: memory", x: unit, y: "MiB", is_logarithmic: true };
    plot::lines(&axes, &lines)
}

/// What a plot counts time in, and how many seconds that is.
fn unit(seconds: f64) -> (&'static str, f64) {
    if seconds > 180.0 { ("minutes", 60.0) } else { ("seconds", 1.0) }
}
