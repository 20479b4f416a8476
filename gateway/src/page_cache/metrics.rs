//! The metrics of the cache. A hit costs two atomic additions; values are read when they are collected.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use opentelemetry::metrics::Histogram;
use sahm_chassis::telemetry::{self, Observed};

/// A counter.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    /// Returns the new value.
    pub(super) fn add(&self, by: u64) -> u64 {
        self.0.fetch_add(by, Ordering::Relaxed).wrapping_add(by)
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The metrics of the cache.
#[derive(Debug)]
pub(super) struct Metrics {
    pub(super) hits: Count,
    /// Sum of the ages of hits, seconds.
    pub(super) hit_age: Count,
    pub(super) stale: Count,
    pub(super) misses: Count,
    pub(super) bypasses: Count,
    pub(super) failures: Count,
    pub(super) makes: Count,
    pub(super) compressions: Count,
    pub(super) lease_waits: Count,
    pub(super) purged_in_flight: Count,
    /// From a change's commit to its purge here, seconds.
    pub(super) purge_delay: Histogram<f64>,
    /// Ages of stale entries that were served, seconds.
    pub(super) stale_age: Histogram<f64>,
    /// Duration of fills, seconds.
    pub(super) make_time: Histogram<f64>,
}

/// Bounds in seconds for ages of entries: fresh, a while past that, and up to a day.
const AGES: &[f64] = &[
    10.0, 60.0, 300.0, 330.0, 360.0, 600.0, 1_800.0, 3_600.0, 10_800.0, 21_600.0, 43_200.0,
    86_400.0,
];

impl Metrics {
    pub(super) fn new() -> Arc<Self> {
        let metrics = Arc::new(Self {
            hits: Count::default(),
            hit_age: Count::default(),
            stale: Count::default(),
            misses: Count::default(),
            bypasses: Count::default(),
            failures: Count::default(),
            makes: Count::default(),
            compressions: Count::default(),
            lease_waits: Count::default(),
            purged_in_flight: Count::default(),
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
        metrics.show();
        metrics
    }

    fn show(self: &Arc<Self>) {
        type Read = fn(&Metrics) -> u64;
        let counts: [(Observed<'_>, Read); 10] = [
            (Observed::of("page_cache.hits", "Fresh stored pages served"), |m| m.hits.get()),
            (Observed::of("page_cache.hit_age", "Sum of the ages of hits").in_unit("s"), |m| {
                m.hit_age.get()
            }),
            (Observed::of("page_cache.stale", "Stale pages served"), |m| m.stale.get()),
            (Observed::of("page_cache.misses", "Pages produced for a request"), |m| m.misses.get()),
            (Observed::of("page_cache.bypasses", "Pages not stored"), |m| m.bypasses.get()),
            (Observed::of("page_cache.failures", "SingleFlight that brought nothing"), |m| {
                m.failures.get()
            }),
            (Observed::of("page_cache.makes", "Calls of the origin"), |m| m.makes.get()),
            (Observed::of("page_cache.compressions", "Bodies compressed"), |m| {
                m.compressions.get()
            }),
            (
                Observed::of(
                    "page_cache.lease_waits",
                    "SingleFlight that waited for another gateway's",
                ),
                |m| m.lease_waits.get(),
            ),
            (
                Observed::of(
                    "page_cache.purged_in_flight",
                    "Responses of the origin that were purged meanwhile",
                ),
                |m| m.purged_in_flight.get(),
            ),
        ];
        for (count, read) in counts {
            count.counter(Arc::downgrade(self), read);
        }
    }
}
