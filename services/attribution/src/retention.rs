//! Retention: removes old events, and anonymises those that a sink has yet to accept.

use std::time::Duration;

use sahm_chassis::{clock::Clock, error::Result, telemetry};

use crate::store::{EventStore, PrunedBatch};

/// Interval at which the retention is applied.
const PRUNE_INTERVAL: Duration = Duration::from_secs(600);

/// Applies the retention periodically until the task is dropped.
pub async fn run(store: EventStore, clock: Clock, retention: Duration, sinks: Vec<String>) {
    let removed = telemetry::counter("attribution.events.removed", "Events beyond the retention");
    let anonymised = telemetry::counter(
        "attribution.events.anonymised",
        "Events beyond the retention that a sink has yet to accept",
    );
    let mut anonymised_through = 0;
    loop {
        let now = clock.now_millis();
        match remove_old(&store, now, retention, &sinks).await {
            Ok(0) => {}
            Ok(events) => {
                removed.add(events, &[]);
                tracing::info!(events, "old events removed");
            }
            Err(error) => tracing::warn!(error = ?error, "old events stay for now"),
        }
        match anonymise_old(&store, now, retention, &mut anonymised_through).await {
            Ok(0) => {}
            Ok(events) => {
                anonymised.add(events, &[]);
                tracing::warn!(events, "old events that a sink has yet to accept are anonymised");
            }
            Err(error) => tracing::warn!(error = ?error, "old events are not anonymised yet"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// Removes, in small transactions, the events received more than `retention` before `now` (epoch
/// milliseconds) that all `sinks` have accepted and that are not dead letters of any of them, and
/// returns their number.
///
/// # Errors
/// `Unavailable` if the store is unavailable; earlier transactions stay committed.
pub async fn remove_old(
    store: &EventStore,
    now: u64,
    retention: Duration,
    sinks: &[String],
) -> Result<u64> {
    let cutoff = cutoff(now, retention);
    let (mut removed, mut next) = (0, Some(0));
    while let Some(after) = next {
        let batch = store.prune(sinks, cutoff, after).await?;
        removed += batch.events;
        next = batch.next;
    }
    Ok(removed)
}

/// Anonymises, in small transactions, the events received more than `retention` before `now` (epoch
/// milliseconds), and returns the number of those that were not yet anonymous. Begins after the
/// sequence `through` and advances it.
///
/// # Errors
/// `Unavailable` if the store is unavailable; earlier transactions stay committed.
pub async fn anonymise_old(
    store: &EventStore,
    now: u64,
    retention: Duration,
    through: &mut u64,
) -> Result<u64> {
    let cutoff = cutoff(now, retention);
    let mut anonymised = 0;
    while let PrunedBatch { events, next: Some(next) } = store.anonymise(cutoff, *through).await? {
        anonymised += events;
        *through = next;
    }
    Ok(anonymised)
}

/// The time before which events are old.
fn cutoff(now: u64, retention: Duration) -> u64 {
    now.saturating_sub(u64::try_from(retention.as_millis()).unwrap_or(u64::MAX))
}
