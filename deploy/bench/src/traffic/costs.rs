//! The CPU time that a request of each kind, and a stream, costs each process.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use crate::traffic::{
    Bench, drive::Selection, mix::Kind, pages::Pages, streams::Streams, usage::Usage,
};

/// Few clients, so that waiting does not count as a cost.
const CLIENTS: usize = 8;
/// Rounds in which each kind has one turn; the turn of median cost is reported.
pub(crate) const ROUNDS: usize = 9;
const TURN: Duration = Duration::from_secs(2);
/// Duration of requests for members' pages and searches before their measurement. Visitors' pages
/// are in the cache by then, while these renders are memoised on request only.
const WARM_UP: Duration = Duration::from_secs(20);
/// Duration of the measurement without requests.
const IDLE: Duration = Duration::from_secs(5);
/// Number of streams, the time to open them, and the duration of their measurement.
const STREAMS: usize = 1_000;
const SETTLED: Duration = Duration::from_secs(5);
const LISTENED: Duration = Duration::from_secs(10);

/// CPU time by process.
type ByProcess = BTreeMap<String, f64>;

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Costs {
    /// CPU utilisation of each process without requests.
    pub(crate) idle: ByProcess,
    pub(crate) alone: Vec<Alone>,
    /// Microseconds of a core for one fill of the page cache.
    pub(crate) fill: ByProcess,
    pub(crate) stream: Listening,
}

/// One kind of requests alone, in a closed loop of few clients: the turn of median cost.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Alone {
    pub(crate) kind: Kind,
    pub(crate) per_second: f64,
    /// Median size of a response, head and body.
    pub(crate) bytes: f64,
    /// CPU time per response in microseconds, without the idle utilisation.
    pub(crate) cpu_us: ByProcess,
}

impl Alone {
    /// CPU time per response over all processes, in microseconds.
    fn total_us(&self) -> f64 {
        self.cpu_us.values().sum()
    }
}

/// Open streams alone.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Listening {
    pub(crate) streams: usize,
    pub(crate) events_per_second: f64,
    /// CPU time per stream and second in microseconds, without the idle utilisation.
    pub(crate) cpu_us: ByProcess,
}

/// Measures all kinds in rounds, so that a slow moment of the machine affects one turn of each.
///
/// # Errors
/// A request fails.
pub(super) async fn measure(bench: &Bench) -> anyhow::Result<Costs> {
    let idle = watched(bench, IDLE).await?;
    for kind in [Kind::MemberPage, Kind::Search] {
        bench.closed(Selection::Only(kind), CLIENTS, WARM_UP).await?;
    }
    let mut turns: Vec<Vec<Alone>> = Kind::SHARES.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for ((kind, _), turns) in Kind::SHARES.into_iter().zip(&mut turns) {
            turns.push(turn(bench, kind, &idle).await?);
        }
    }
    Ok(Costs {
        fill: fill(bench, &idle).await?,
        stream: listening(bench, &idle).await?,
        alone: turns.into_iter().map(median_turn).collect(),
        idle,
    })
}

/// Sends requests of one kind for [`TURN`].
async fn turn(bench: &Bench, kind: Kind, idle: &ByProcess) -> anyhow::Result<Alone> {
    let before = bench.site.usage()?;
    let driven = bench.closed(Selection::Only(kind), CLIENTS, TURN).await?;
    let after = bench.site.usage()?;
    ensure!(driven.wrong == 0, "{}: {}", kind.name(), driven.failures.join("\n"));
    let (answers, seconds) = (driven.samples.len() as f64, driven.elapsed.as_secs_f64());
    let bytes = driven.samples.iter().map(|sample| f64::from(sample.bytes)).sum::<f64>();
    Ok(Alone {
        kind,
        per_second: answers / seconds,
        bytes: bytes / answers,
        cpu_us: used(&before, &after, idle, seconds, answers),
    })
}

/// The turn of median cost over all processes.
fn median_turn(mut turns: Vec<Alone>) -> Alone {
    turns.sort_by(|one, other| one.total_us().total_cmp(&other.total_us()));
    turns.swap_remove(turns.len() / 2)
}

/// Purges all pages, requests each with every client profile, and returns the cost of one fill.
async fn fill(bench: &Bench, idle: &ByProcess) -> anyhow::Result<ByProcess> {
    bench.site.purge_all().await?;
    let (before, fills, began) =
        (bench.site.usage()?, bench.site.metrics().await?.fills()?, Instant::now());
    Pages::visit(bench.site.address).await?;
    let (after, seconds) = (bench.site.usage()?, began.elapsed().as_secs_f64());
    let fills = bench.site.metrics().await?.fills()? - fills;
    ensure!(fills > 0.0, "no page was purged");
    Ok(used(&before, &after, idle, seconds, fills))
}

async fn listening(bench: &Bench, idle: &ByProcess) -> anyhow::Result<Listening> {
    let streams = Streams::listen(bench.site.address, &bench.mix, STREAMS);
    tokio::time::sleep(SETTLED).await;
    streams.take();
    let (before, began) = (bench.site.usage()?, Instant::now());
    tokio::time::sleep(LISTENED).await;
    let (after, seconds) = (bench.site.usage()?, began.elapsed().as_secs_f64());
    let (driven, events) = streams.take();
    ensure!(driven.wrong == 0, "streams: {}", driven.failures.join("\n"));
    Ok(Listening {
        streams: STREAMS,
        events_per_second: events as f64 / seconds,
        cpu_us: used(&before, &after, idle, seconds, STREAMS as f64 * seconds),
    })
}

/// CPU utilisation without requests.
async fn watched(bench: &Bench, time: Duration) -> anyhow::Result<ByProcess> {
    let (before, began) = (bench.site.usage()?, Instant::now());
    tokio::time::sleep(time).await;
    let (after, seconds) = (bench.site.usage()?, began.elapsed().as_secs_f64());
    Ok(used(&before, &after, &ByProcess::new(), seconds, seconds * 1e6))
}

/// CPU time for one of `count` in microseconds, beyond the idle utilisation over `seconds`.
fn used(
    before: &BTreeMap<String, Usage>,
    after: &BTreeMap<String, Usage>,
    idle: &ByProcess,
    seconds: f64,
    count: f64,
) -> ByProcess {
    let costs = after.iter().map(|(name, usage)| {
        let earlier = before.get(name).copied().unwrap_or_default();
        let cpu = usage.cpu.saturating_sub(earlier.cpu).as_secs_f64();
        let busy = cpu - idle.get(name).copied().unwrap_or_default() * seconds;
        (name.clone(), busy.max(0.0) * 1e6 / count)
    });
    costs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_of_median_cost_is_reported() {
        let turn = |gateway, renderer| Alone {
            kind: Kind::MemberPage,
            per_second: 1_000.0,
            bytes: 20_000.0,
            cpu_us: ByProcess::from([("gateway".into(), gateway), ("renderer".into(), renderer)]),
        };
        let turns = vec![turn(300.0, 10.0), turn(100.0, 500.0), turn(200.0, 50.0)];
        assert_eq!(median_turn(turns).total_us(), 310.0);
    }

    #[test]
    fn idle_usage_is_not_a_cost_of_requests() {
        let usage = |milliseconds| Usage { cpu: Duration::from_millis(milliseconds), memory: 0 };
        let at = |one, other| {
            BTreeMap::from([("a".to_owned(), usage(one)), ("b".to_owned(), usage(other))])
        };
        let idle = ByProcess::from([("a".to_owned(), 0.1), ("b".to_owned(), 0.5)]);
        let costs = used(&at(1_000, 1_000), &at(3_000, 1_500), &idle, 10.0, 1_000.0);
        assert!((costs["a"] - 1_000.0).abs() < 1e-6, "{costs:?}");
        assert_eq!(costs["b"], 0.0);
    }
}
