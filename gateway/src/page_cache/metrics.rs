//! The metrics of the cache. A hit costs two atomic additions; values are read when they are collected.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use opentelemetry::metrics::Histogram;
use sahm_chassis::telemetry::{self, Observed};

/// The counters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {
    Hits,
    HitAge,
    Stale,
    Misses,
    Bypasses,
    Failures,
    Makes,
    Compressions,
    LeaseWaits,
    PurgedInFlight,
}

use Counter::*;

/// Every counter: its name among the metrics, its name in the cache admin API, its unit, its description.
const COUNTERS: [(Counter, &str, &str, &str, &str); 10] = [
    (Hits, "page_cache.hits", "hits", "", "Fresh stored pages served"),
    (HitAge, "page_cache.hit_age", "hitAge", "s", "Sum of the ages of hits"),
    (Stale, "page_cache.stale", "stale", "", "Stale pages served"),
    (Misses, "page_cache.misses", "misses", "", "Pages produced for a request"),
    (Bypasses, "page_cache.bypasses", "bypasses", "", "Pages not stored"),
    (Failures, "page_cache.failures", "failures", "", "Fills without a page to serve"),
    (Makes, "page_cache.makes", "makes", "", "Calls of the origin"),
    (Compressions, "page_cache.compressions", "compressions", "", "Bodies compressed"),
    (
        LeaseWaits,
        "page_cache.lease_waits",
        "leaseWaits",
        "",
        "Fills that waited for another gateway",
    ),
    (
        PurgedInFlight,
        "page_cache.purged_in_flight",
        "purgedInFlight",
        "",
        "Responses purged during their fill",
    ),
];

/// The metrics of the cache.
#[derive(Debug)]
pub(crate) struct Metrics {
    counts: [AtomicU64; COUNTERS.len()],
    /// From a change's commit to its purge here, seconds.
    pub(crate) purge_delay: Histogram<f64>,
    /// Ages of stale entries that were served, seconds.
    pub(crate) stale_age: Histogram<f64>,
    /// Duration of fills, seconds.
    pub(crate) make_time: Histogram<f64>,
}

/// Histogram bounds of the ages of entries, seconds: fresh, somewhat stale, and up to a day.
const AGES: &[f64] = &[
    10.0, 60.0, 300.0, 330.0, 360.0, 600.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0,
    86_400.0,
];

impl Metrics {
    /// Registers the metrics.
    pub(crate) fn new() -> Arc<Self> {
        let metrics = Arc::new(Self {
            counts: Default::default(),
            purge_delay: telemetry::seconds(
                "page_cache.purge_delay",
                "From a change's commit to its purge here, in whole seconds of two clocks",
            ),
            stale_age: telemetry::seconds_by(
                AGES,
                "page_cache.stale_age",
                "Age of stale entries as they are served",
            ),
            make_time: telemetry::seconds("page_cache.make_time", "Duration of fills"),
        });
        for (counter, name, _, unit, description) in COUNTERS {
            Observed::of(name, description)
                .in_unit(unit)
                .counter(Arc::downgrade(&metrics), move |metrics| metrics.get(counter));
        }
        metrics
    }

    pub(crate) fn add(&self, counter: Counter, by: u64) {
        self.counts[counter as usize].fetch_add(by, Ordering::Relaxed);
    }

    pub(crate) fn get(&self, counter: Counter) -> u64 {
        self.counts[counter as usize].load(Ordering::Relaxed)
    }

    /// The counters since the start of the process, by their names in the cache admin API.
    pub(crate) fn by_name(&self) -> BTreeMap<&'static str, u64> {
        COUNTERS.iter().map(|(counter, _, name, _, _)| (*name, self.get(*counter))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_is_documented_and_counted_apart() {
        let documented = include_str!("../../../docs/page-cache.md");
        let metrics = Metrics::new();
        for (index, (counter, metric, name, ..)) in COUNTERS.into_iter().enumerate() {
            assert!(documented.contains(&format!("| `{metric}` | `{name}` | ")), "{metric}");
            metrics.add(counter, index as u64 + 1);
        }
        assert_eq!(metrics.by_name().len(), COUNTERS.len());
        for (index, (_, _, name, ..)) in COUNTERS.into_iter().enumerate() {
            assert_eq!(metrics.by_name()[name], index as u64 + 1, "{name}");
        }
    }
}
