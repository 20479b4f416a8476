//! Metrics of the spool and the sinks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sahm_chassis::{error::Result, telemetry::Observed};

use crate::{
    spool::{MAX_BYTES, Spool},
    store::{EventStore, SinkState},
};

/// Interval at which the state of the sinks is read.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// Exports the size of the spool while it exists.
pub fn export_spool(spool: &Arc<Spool>) {
    Observed::of("attribution.spool.size", "Events that wait on the disk for the store")
        .in_unit("By")
        .gauge(Arc::downgrade(spool), |spool| spool.bytes());
    Observed::of("attribution.spool.limit", "The most that may wait on the disk")
        .in_unit("By")
        .gauge(Arc::downgrade(spool), |_| MAX_BYTES);
}

/// The last known state of one sink.
#[derive(Debug, Default)]
struct SinkMetrics {
    waiting: AtomicU64,
    dead: AtomicU64,
    failed_attempts: AtomicU64,
    delivered: AtomicU64,
}

impl SinkMetrics {
    fn exported_as(name: &str) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        let labels = [("sink", name)];
        let export = |name, description, read: fn(&Self) -> &AtomicU64| {
            Observed::of(name, description)
                .labelled(&labels)
                .gauge(Arc::downgrade(&metrics), move |metrics| {
                    read(metrics).load(Ordering::Relaxed)
                });
        };
        export("attribution.sink.waiting", "Events on their way to a sink", |f| &f.waiting);
        export("attribution.sink.dead", "Events that a sink refused", |f| &f.dead);
        export("attribution.sink.failed_attempts", "In a row", |f| &f.failed_attempts);
        Observed::of("attribution.sink.delivered", "Events that a sink took")
            .labelled(&labels)
            .counter(Arc::downgrade(&metrics), |f| f.delivered.load(Ordering::Relaxed));
        metrics
    }

    fn set(&self, state: &SinkState) {
        self.waiting.store(state.waiting, Ordering::Relaxed);
        self.dead.store(state.dead, Ordering::Relaxed);
        self.failed_attempts.store(state.failed_attempts.into(), Ordering::Relaxed);
        self.delivered.store(state.delivered, Ordering::Relaxed);
    }
}

/// Metrics of all sinks. Every replica reports the same ones; queries take the maximum.
#[derive(Debug)]
pub struct Sinks(Vec<(String, Arc<SinkMetrics>)>);

impl Sinks {
    /// Exports metrics of the sinks with these names while the value exists.
    pub fn exported_as<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let exported =
            names.into_iter().map(|name| (name.to_owned(), SinkMetrics::exported_as(name)));
        Self(exported.collect())
    }

    /// Reads the state from the store once.
    ///
    /// # Errors
    /// The store is unavailable; the metrics keep their values.
    pub async fn refresh(&self, store: &EventStore) -> Result<()> {
        for state in store.sinks().await? {
            if let Some((_, metrics)) = self.0.iter().find(|(name, _)| *name == state.name) {
                metrics.set(&state);
            }
        }
        Ok(())
    }

    /// Reads the state periodically until the task is dropped.
    pub async fn refresh_periodically(self, store: EventStore) {
        let mut beat = tokio::time::interval(REFRESH_INTERVAL);
        loop {
            beat.tick().await;
            if let Err(error) = self.refresh(&store).await {
                tracing::debug!(error = ?error, "sinks are not counted");
            }
        }
    }
}
