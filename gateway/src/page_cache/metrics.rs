//! What the cache counts. Counting on a hit is one atomic addition; everything is read when asked.

use std::sync::{
    Arc, Weak,
    atomic::{AtomicU64, Ordering},
};

use opentelemetry::metrics::Histogram;

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
    pub(super) stale: Count,
    pub(super) misses: Count,
    pub(super) bypasses: Count,
    pub(super) failures: Count,
    pub(super) makes: Count,
    pub(super) compressions: Count,
    pub(super) lease_waits: Count,
    pub(super) purged_in_flight: Count,
    pub(super) redis_errors: Count,
    /// Seconds a purge took to get here.
    pub(super) purge_delay: Histogram<f64>,
    /// Seconds since stale entries were made, as they are used.
    pub(super) stale_age: Histogram<f64>,
    /// Seconds that making a page took.
    pub(super) make_time: Histogram<f64>,
}

impl Metrics {
    pub(super) fn new() -> Arc<Self> {
        let meter = sahm_chassis::telemetry::meter("sahm_gateway");
        let seconds = |name: &'static str, what: &'static str| {
            meter
                .f64_histogram(name)
                .with_unit("s")
                .with_description(what)
                .with_boundaries(sahm_chassis::telemetry::SECONDS.to_vec())
                .build()
        };
        let metrics = Arc::new(Self {
            hits: Count::default(),
            stale: Count::default(),
            misses: Count::default(),
            bypasses: Count::default(),
            failures: Count::default(),
            makes: Count::default(),
            compressions: Count::default(),
            lease_waits: Count::default(),
            purged_in_flight: Count::default(),
            redis_errors: Count::default(),
            purge_delay: seconds(
                "page_cache.purge_delay",
                "from a change's commit to its purge here",
            ),
            stale_age: seconds("page_cache.stale_age", "age of stale entries as they are used"),
            make_time: seconds("page_cache.make_time", "making one page"),
        });
        type Read = fn(&Metrics) -> u64;
        let counts: [(&'static str, Read); 10] = [
            ("page_cache.hits", |m| m.hits.get()),
            ("page_cache.stale", |m| m.stale.get()),
            ("page_cache.misses", |m| m.misses.get()),
            ("page_cache.bypasses", |m| m.bypasses.get()),
            ("page_cache.failures", |m| m.failures.get()),
            ("page_cache.makes", |m| m.makes.get()),
            ("page_cache.compressions", |m| m.compressions.get()),
            ("page_cache.lease_waits", |m| m.lease_waits.get()),
            ("page_cache.purged_in_flight", |m| m.purged_in_flight.get()),
            ("page_cache.redis_errors", |m| m.redis_errors.get()),
        ];
        for (name, read) in counts {
            let metrics = Arc::downgrade(&metrics);
            meter
                .u64_observable_counter(name)
                .with_callback(move |observer| {
                    if let Some(metrics) = metrics.upgrade() {
                        observer.observe(read(&metrics), &[]);
                    }
                })
                .build();
        }
        metrics
    }

    /// Adds a figure that goes up and down, read from `source` as long as it lives.
    pub(super) fn gauge<T: Send + Sync + 'static>(
        &self,
        name: &'static str,
        source: Weak<T>,
        read: impl Fn(&T) -> u64 + Send + Sync + 'static,
    ) {
        sahm_chassis::telemetry::meter("sahm_gateway")
            .u64_observable_gauge(name)
            .with_callback(move |observer| {
                if let Some(source) = source.upgrade() {
                    observer.observe(read(&source), &[]);
                }
            })
            .build();
    }
}
