//! The results of a run, as they are stored.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::{
    statistics::percentile,
    traffic::{
        drive::{Driven, Sample},
        mix::Kind,
        separate::Metrics,
        usage::Usage,
    },
};

/// Maximum number of points of a plot.
const MOMENTS: f64 = 60.0;

/// A run of the traffic mix.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// Responses per second, of all kinds.
    pub(crate) per_second: f64,
    /// Sorted by kind; the opening of streams comes last.
    pub(crate) kinds: Vec<KindResults>,
    pub(crate) processes: Vec<ProcessResults>,
    pub(crate) cache: CacheResults,
    /// Streams open during the run.
    pub(crate) streams: usize,
    pub(crate) stream_events: u64,
    /// Responses that were refused, aborted, late or unexpected.
    pub(crate) wrong: u64,
    pub(crate) failures: Vec<String>,
    /// Utilisation of the core of the load.
    pub(crate) load_share: f64,
    pub(crate) over_time: Vec<Moment>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct KindResults {
    pub(crate) kind: Kind,
    pub(crate) answers: usize,
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) p999_ms: f64,
    pub(crate) max_ms: f64,
    /// Median size of head and body.
    pub(crate) bytes: f64,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ProcessResults {
    pub(crate) name: String,
    pub(crate) cpu_seconds: f64,
    /// Resident at the end of the run (see [`Usage::memory`]).
    pub(crate) memory_bytes: u64,
}

/// Cache statistics of visitors' pages.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct CacheResults {
    pub(crate) hits: f64,
    pub(crate) stale: f64,
    pub(crate) misses: f64,
    /// Rendered pages: for visitors, and in the background.
    pub(crate) makings: f64,
    /// Fills that failed.
    pub(crate) failures: f64,
    /// Renders that were refused, late or failed.
    pub(crate) failed_renders: f64,
}

impl CacheResults {
    /// Share of cacheable requests that the cache answered, including stale responses.
    pub(crate) fn hit_ratio(&self) -> f64 {
        let from_cache = self.hits + self.stale;
        from_cache / (from_cache + self.misses)
    }
}

/// An interval of a run, over all requests.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Moment {
    /// Start of the interval.
    pub(crate) seconds: f64,
    pub(crate) per_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

/// The state of the site before or after a run.
pub(crate) struct Snapshot {
    pub(crate) usage: BTreeMap<String, Usage>,
    pub(crate) metrics: Metrics,
    pub(crate) load_cpu: Duration,
}

impl Run {
    /// Computes the results of a run from its responses, and the site's states before and after it.
    pub(crate) fn of(
        driven: Driven,
        (streams, stream_events): (usize, u64),
        before: &Snapshot,
        after: &Snapshot,
    ) -> anyhow::Result<Run> {
        let seconds = driven.elapsed.as_secs_f64();
        let requests: Vec<&Sample> =
            driven.samples.iter().filter(|sample| sample.kind != Kind::Stream).collect();
        Ok(Run {
            seconds,
            per_second: requests.len() as f64 / seconds,
            over_time: over_time(&requests, seconds),
            kinds: kinds(&driven.samples, seconds),
            processes: processes(before, after)?,
            cache: cache(before, after)?,
            streams,
            stream_events,
            wrong: driven.wrong,
            failures: driven.failures,
            load_share: (after.load_cpu.saturating_sub(before.load_cpu)).as_secs_f64() / seconds,
        })
    }
}

fn kinds(samples: &[Sample], seconds: f64) -> Vec<KindResults> {
    let mut by_kind = BTreeMap::<Kind, (Vec<u64>, f64)>::new();
    for sample in samples {
        let (times, bytes) = by_kind.entry(sample.kind).or_default();
        times.push(nanoseconds(sample.took));
        *bytes += f64::from(sample.bytes);
    }
    let results = by_kind.into_iter().map(|(kind, (mut times, bytes))| {
        times.sort_unstable();
        let at = |share| percentile(&times, share) / 1e6;
        KindResults {
            kind,
            answers: times.len(),
            per_second: times.len() as f64 / seconds,
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            p999_ms: at(0.999),
            max_ms: at(1.0),
            bytes: bytes / times.len() as f64,
        }
    });
    results.collect()
}

fn over_time(requests: &[&Sample], seconds: f64) -> Vec<Moment> {
    let width = (seconds / MOMENTS).max(1.0);
    let mut moments = BTreeMap::<usize, Vec<u64>>::new();
    for sample in requests {
        let at = (sample.due.as_secs_f64() / width) as usize;
        moments.entry(at).or_default().push(nanoseconds(sample.took));
    }
    // An incomplete last interval would look like a fall.
    moments.retain(|at, _| (*at + 1) as f64 * width <= seconds + 0.05);
    let results = moments.into_iter().map(|(at, mut times)| {
        times.sort_unstable();
        Moment {
            seconds: at as f64 * width,
            per_second: times.len() as f64 / width,
            p50_ms: percentile(&times, 0.5) / 1e6,
            p99_ms: percentile(&times, 0.99) / 1e6,
        }
    });
    results.collect()
}

fn processes(before: &Snapshot, after: &Snapshot) -> anyhow::Result<Vec<ProcessResults>> {
    let results = after.usage.iter().map(|(name, usage)| {
        let earlier = before.usage.get(name).with_context(|| format!("{name} is new"))?;
        Ok(ProcessResults {
            name: name.clone(),
            cpu_seconds: usage.cpu.saturating_sub(earlier.cpu).as_secs_f64(),
            memory_bytes: usage.memory,
        })
    });
    results.collect()
}

fn cache(before: &Snapshot, after: &Snapshot) -> anyhow::Result<CacheResults> {
    let grown = |name, labels| {
        anyhow::Ok(after.metrics.sum(name, labels)? - before.metrics.sum(name, labels)?)
    };
    const RENDERS: &str = "render_queue_duration_seconds_count";
    Ok(CacheResults {
        hits: grown("page_cache_hits_total", "")?,
        stale: grown("page_cache_stale_total", "")?,
        misses: grown("page_cache_misses_total", "")?,
        makings: grown("page_cache_makes_total", "")?,
        failures: grown("page_cache_failures_total", "")?,
        failed_renders: grown(RENDERS, "")? - grown(RENDERS, "outcome=\"ok\"")?,
    })
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(kind: Kind, due_ms: u64, took_ms: u64) -> Sample {
        let (due, took) = (Duration::from_millis(due_ms), Duration::from_millis(took_ms));
        Sample { kind, due, took, bytes: 100 }
    }

    #[test]
    fn each_kind_has_its_own_results() {
        let samples: Vec<Sample> = (1..=100)
            .map(|at| sample(Kind::Page, at * 10, at))
            .chain([sample(Kind::Event, 0, 7)])
            .collect();
        let kinds = kinds(&samples, 2.0);
        let [page, event] = kinds.as_slice() else { panic!("{kinds:?}") };
        assert_eq!((page.kind, page.answers, page.per_second), (Kind::Page, 100, 50.0));
        assert_eq!((page.p50_ms, page.p99_ms, page.max_ms, page.bytes), (50.0, 99.0, 100.0, 100.0));
        assert_eq!((event.kind, event.p999_ms), (Kind::Event, 7.0));
    }

    #[test]
    fn a_moment_that_is_cut_off_is_left_out() {
        let samples = [(100, 1), (900, 3), (1_500, 5), (2_100, 9)];
        let samples = samples.map(|(due, took)| sample(Kind::Page, due, took));
        let moments = over_time(&samples.iter().collect::<Vec<_>>(), 2.5);
        let results: Vec<_> =
            moments.iter().map(|one| (one.seconds, one.per_second, one.p99_ms)).collect();
        assert_eq!(results, [(0.0, 2.0, 3.0), (1.0, 1.0, 5.0)]);
    }
}
