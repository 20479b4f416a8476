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

/// Shows how full the spool is, for as long as it lives.
pub fn show_spool(spool: &Arc<Spool>) {
    Observed::of("attribution.spool.size", "Events that wait on the disk for the store")
        .in_unit("By")
        .gauge(Arc::downgrade(spool), |spool| spool.bytes());
    Observed::of("attribution.spool.limit", "The most that may wait on the disk")
        .in_unit("By")
        .gauge(Arc::downgrade(spool), |_| MAX_BYTES);
}

/// How far one sink is, as the store said last.
#[derive(Debug, Default)]
struct SinkFigures {
    waiting: AtomicU64,
    dead: AtomicU64,
    failed_attempts: AtomicU64,
    delivered: AtomicU64,
}

impl SinkFigures {
    fn shown(name: &str) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        let labels = [("sink", name)];
        let show = |name, description, read: fn(&Self) -> &AtomicU64| {
            Observed::of(name, description)
                .labelled(&labels)
                .gauge(Arc::downgrade(&metrics), move |metrics| {
                    read(metrics).load(Ordering::Relaxed)
                });
        };
        show("attribution.sink.waiting", "Events on their way to a sink", |f| &f.waiting);
        show("attribution.sink.dead", "Events that a sink refused", |f| &f.dead);
        show("attribution.sink.failed_attempts", "In a row", |f| &f.failed_attempts);
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
pub struct Sinks(Vec<(String, Arc<SinkFigures>)>);

impl Sinks {
    /// Shows sinks by these names, for as long as this lives.
    pub fn shown<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let shown = names.into_iter().map(|name| (name.to_owned(), SinkFigures::shown(name)));
        Self(shown.collect())
    }

    /// Asks the store once.
    ///
    /// Errors: it is away; what was shown stays.
    pub async fn look(&self, store: &EventStore) -> Result<()> {
        for state in store.sinks().await? {
            if let Some((_, metrics)) = self.0.iter().find(|(name, _)| *name == state.name) {
                metrics.set(&state);
            }
        }
        Ok(())
    }

    /// Asks the store every few seconds, until it is dropped.
    pub async fn refresh_periodically(self, store: EventStore) {
        let mut beat = tokio::time::interval(REFRESH_INTERVAL);
        loop {
            beat.tick().await;
            if let Err(error) = self.look(&store).await {
                tracing::debug!(error = ?error, "sinks are not counted");
            }
        }
    }
}
