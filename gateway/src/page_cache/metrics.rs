//! What the cache counts. Counting on a hit is two atomic additions; everything is read when asked.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use opentelemetry::metrics::Histogram;
use sahm_chassis::telemetry::{self, Observed};

/// A number that only grows.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    /// Gives the new number.
    pub(super) fn add(&self, by: u64) -> u64 {
        self.0.fetch_add(by, Ordering::Relaxed).wrapping_add(by)
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The cache's figures.
#[derive(Debug)]
pub(super) struct Metrics {
    pub(super) hits: Count,
    /// Seconds since hits were made, added up.
    pub(super) hit_age: Count,
    pub(super) stale: Count,
    pub(super) misses: Count,
    pub(super) bypasses: Count,
    pub(super) failures: Count,
    pub(super) makes: Count,
    pub(super) compressions: Count,
    pub(super) lease_waits: Count,
    pub(super) purged_in_flight: Count,
    /// Seconds a purge took to get here.
    pub(super) purge_delay: Histogram<f64>,
    /// Seconds since stale entries were made, as they are used.
    pub(super) stale_age: Histogram<f64>,
    /// Seconds that making a page took.
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
                "Age of entries past their time, as they are used",
            ),
            make_time: telemetry::seconds("page_cache.make_time", "Making one page"),
        });
        metrics.show();
        metrics
    }

    fn show(self: &Arc<Self>) {
        type Read = fn(&Metrics) -> u64;
        let counts: [(Observed<'_>, Read); 10] = [
            (Observed::of("page_cache.hits", "Fresh pages from a level"), |m| m.hits.get()),
            (Observed::of("page_cache.hit_age", "Ages of the hits, added up").in_unit("s"), |m| {
                m.hit_age.get()
            }),
            (Observed::of("page_cache.stale", "Pages past their time"), |m| m.stale.get()),
            (Observed::of("page_cache.misses", "Pages made for a visitor"), |m| m.misses.get()),
            (Observed::of("page_cache.bypasses", "Pages not kept"), |m| m.bypasses.get()),
            (Observed::of("page_cache.failures", "Flights that brought nothing"), |m| {
                m.failures.get()
            }),
            (Observed::of("page_cache.makes", "Calls of makers"), |m| m.makes.get()),
            (Observed::of("page_cache.compressions", "Bodies compressed"), |m| {
                m.compressions.get()
            }),
            (
                Observed::of("page_cache.lease_waits", "Flights that waited for another gateway's"),
                |m| m.lease_waits.get(),
            ),
            (Observed::of("page_cache.purged_in_flight", "Makings that a purge outran"), |m| {
                m.purged_in_flight.get()
            }),
        ];
        for (count, read) in counts {
            count.counter(Arc::downgrade(self), read);
        }
    }
}
