//! Metrics of the spool and the sinks.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwap;
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
type SinkMetrics = ArcSwap<SinkState>;

fn exported_as(name: &str) -> Arc<SinkMetrics> {
    let state = SinkState { name: name.to_owned(), ..SinkState::default() };
    let metrics = Arc::new(ArcSwap::from_pointee(state));
    let labels = [("sink", name)];
    let export = |name, description| Observed::of(name, description).labelled(&labels);
    let source = || Arc::downgrade(&metrics);
    export("attribution.sink.waiting", "Events on their way to a sink")
        .gauge(source(), |metrics| metrics.load().waiting);
    export("attribution.sink.dead", "Events that a sink refused")
        .gauge(source(), |metrics| metrics.load().dead);
    export("attribution.sink.failed_attempts", "In a row")
        .gauge(source(), |metrics| u64::from(metrics.load().failed_attempts));
    Observed::of("attribution.sink.delivered", "Events that a sink took")
        .labelled(&labels)
        .counter(source(), |metrics| metrics.load().delivered);
    metrics
}

/// Metrics of all sinks. Every replica reports the same ones; queries take the maximum.
#[derive(Debug)]
pub struct Sinks(Vec<Arc<SinkMetrics>>);

impl Sinks {
    /// Exports metrics of the sinks with these names while the value exists.
    pub fn exported_as<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().map(exported_as).collect())
    }

    /// Reads the state from the store once.
    ///
    /// # Errors
    /// The store is unavailable; the metrics keep their values.
    pub async fn refresh(&self, store: &EventStore) -> Result<()> {
        for state in store.sinks().await? {
            if let Some(metrics) = self.0.iter().find(|known| known.load().name == state.name) {
                metrics.store(Arc::new(state));
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
