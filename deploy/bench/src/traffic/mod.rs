//! A small model of a day's traffic on the site as separate processes (`deploy/separate.sh`): pages
//! of all routes in both locales by Zipf's law, crawlers, members, event reports, calls, streams.
//!
//! All processes of the site run on the core for servers, the load on another. A closed loop finds
//! the maximum rate of that core. An open loop at half of it measures latencies and the usage of
//! each process; then each kind alone gives its cost. The soak is an open loop at a third of the
//! rate for minutes, and checks that the memory of no process grows.

mod costs;
mod drive;
mod flat;
mod mix;
mod pages;
mod results;
mod separate;
mod streams;
mod usage;
mod visitors;

use std::{
    collections::BTreeMap,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use procfs::{CpuInfo, Current};
use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use self::costs::{Alone, Listening};
pub(crate) use self::{
    costs::{Costs, ROUNDS},
    flat::Memory,
    mix::Kind,
    results::{Moment, Run},
};
use self::{
    drive::{Driven, Selection},
    mix::Mix,
    results::Snapshot,
    separate::Separate,
    streams::Streams,
    usage::Usage,
};
use crate::{
    cores::Cores,
    process::{allow_files, own_cpu},
};

/// Clients of the closed loop.
const CLIENTS: usize = 16;
/// Streams open in addition to the requests.
const STREAMS: usize = 200;
/// Sockets and files of the load, and of each process.
const FILES: usize = 8_192;
/// Duration of the closed loop that finds the rate.
const CLOSED: Duration = Duration::from_secs(20);
const OPEN: Duration = Duration::from_secs(60);
/// Interval between two samples of a process's memory.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(10);

/// Results of `load`.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Load {
    pub(crate) processor: String,
    /// Requested pages, counted per locale.
    pub(crate) pages: usize,
    pub(crate) clients: usize,
    pub(crate) closed: Run,
    /// Scheduled requests per second: half of the closed loop's rate.
    pub(crate) open_rate: f64,
    pub(crate) open: Run,
    pub(crate) costs: Costs,
}

/// Results of `soak`.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Soak {
    pub(crate) processor: String,
    pub(crate) minutes: f64,
    /// Rate of the preceding closed loop.
    pub(crate) closed_rate: f64,
    /// Scheduled requests per second: a third of it.
    pub(crate) rate: f64,
    pub(crate) run: Run,
    pub(crate) memory: Vec<Memory>,
}

impl Load {
    /// # Errors
    /// A response was wrong.
    pub(crate) fn verdict(&self) -> anyhow::Result<()> {
        ensure_no_failures(&self.closed)?;
        ensure_no_failures(&self.open)
    }
}

impl Soak {
    /// # Errors
    /// A response was wrong, or the memory of a process grew.
    pub(crate) fn verdict(&self) -> anyhow::Result<()> {
        ensure_no_failures(&self.run)?;
        let growing: Vec<&str> = self
            .memory
            .iter()
            .filter(|memory| !memory.is_flat)
            .map(|memory| memory.process.as_str())
            .collect();
        anyhow::ensure!(growing.is_empty(), "memory grows: {}", growing.join(", "));
        Ok(())
    }
}

fn ensure_no_failures(run: &Run) -> anyhow::Result<()> {
    let (wrong, failures) = (run.wrong, run.failures.join("\n"));
    anyhow::ensure!(wrong == 0, "{wrong} requests went wrong:\n{failures}");
    Ok(())
}

/// Finds the maximum rate, and measures at half of it.
pub(crate) async fn load(programs: &Path, cores: &Cores) -> anyhow::Result<Load> {
    let bench = Bench::start(programs, cores).await?;
    let streams = Streams::listen(bench.site.address, &bench.mix, STREAMS);
    let closed = bench.run(&streams, bench.closed(Selection::Mix, CLIENTS, CLOSED)).await?;
    let open_rate = closed.per_second / 2.0;
    let open = bench.run(&streams, bench.open(open_rate, OPEN)).await?;
    drop(streams);
    Ok(Load {
        processor: processor()?,
        pages: bench.mix.pages.count(),
        clients: CLIENTS,
        closed,
        open_rate,
        open,
        costs: costs::measure(&bench).await?,
    })
}

/// Samples every process's memory at a third of the rate. The logs are kept in the folder `logs`,
/// because a failure after many minutes cannot be reproduced quickly.
pub(crate) async fn soak(
    programs: &Path,
    cores: &Cores,
    time: Duration,
    logs: &Path,
) -> anyhow::Result<Soak> {
    let bench = Bench::start(programs, cores).await?;
    let streams = Streams::listen(bench.site.address, &bench.mix, STREAMS);
    let closed = bench.run(&streams, bench.closed(Selection::Mix, CLIENTS, CLOSED)).await?;
    ensure_no_failures(&closed)?;
    let rate = closed.per_second / 3.0;
    let samples = tokio::spawn(sample_usage(bench.site.processes(), time));
    let run = bench.run(&streams, bench.open(rate, time)).await;
    bench.site.keep_logs(logs)?;
    let run = run?;
    let mut points = BTreeMap::<String, Vec<(f64, f64)>>::new();
    for (at, usage) in samples.await?? {
        for (name, usage) in usage {
            points.entry(name).or_default().push((at, usage.memory as f64));
        }
    }
    let seconds = time.as_secs_f64();
    Ok(Soak {
        processor: processor()?,
        minutes: seconds / 60.0,
        closed_rate: closed.per_second,
        rate,
        run,
        memory: points
            .into_iter()
            .map(|(name, points)| Memory::of_points(name, points, seconds))
            .collect(),
    })
}

type Samples = Vec<(f64, BTreeMap<String, Usage>)>;

/// Samples the usage of processes, in a thread that does not delay the runtime's timers.
async fn sample_usage(processes: Vec<(String, u32)>, time: Duration) -> anyhow::Result<Samples> {
    let began = Instant::now();
    let mut samples = Samples::new();
    let mut ticks = tokio::time::interval(SAMPLE_INTERVAL);
    while began.elapsed() < time {
        ticks.tick().await;
        let processes = processes.clone();
        let at = began.elapsed().as_secs_f64();
        let usage = tokio::task::spawn_blocking(move || usage::of(&processes)).await??;
        samples.push((at, usage));
    }
    Ok(samples)
}

/// The site, and the traffic for it.
struct Bench {
    site: Separate,
    mix: Arc<Mix>,
}

impl Bench {
    /// Starts the site and requests every page once.
    async fn start(programs: &Path, cores: &Cores) -> anyhow::Result<Bench> {
        allow_files(FILES)?;
        let site = Separate::start(programs, cores).await?;
        let mix = Arc::new(Mix::prepare(site.address).await?);
        Ok(Bench { site, mix })
    }

    fn closed(
        &self,
        selection: Selection,
        clients: usize,
        time: Duration,
    ) -> impl Future<Output = anyhow::Result<Driven>> {
        drive::closed(self.site.address, &self.mix, selection, clients, time)
    }

    fn open(
        &self,
        per_second: f64,
        time: Duration,
    ) -> impl Future<Output = anyhow::Result<Driven>> {
        drive::open(self.site.address, &self.mix, per_second, time)
    }

    /// The results of a run with these streams.
    async fn run(
        &self,
        streams: &Streams,
        driven: impl Future<Output = anyhow::Result<Driven>>,
    ) -> anyhow::Result<Run> {
        streams.take();
        let before = self.snapshot().await?;
        let mut driven = driven.await?;
        let after = self.snapshot().await?;
        let (openings, events) = streams.take();
        driven.append(openings);
        Run::of(driven, (streams.count(), events), &before, &after)
    }

    async fn snapshot(&self) -> anyhow::Result<Snapshot> {
        let metrics = self.site.metrics().await?;
        Ok(Snapshot { usage: self.site.usage()?, metrics, load_cpu: own_cpu()? })
    }
}

/// The machine's CPU model.
fn processor() -> anyhow::Result<String> {
    let name = CpuInfo::current()?.model_name(0).map(str::to_owned);
    Ok(name.unwrap_or_else(|| "unnamed".to_owned()))
}
