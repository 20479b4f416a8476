//! Removes events older than the retention.

use std::time::Duration;

use sahm_chassis::{clock::Clock, error::Result, telemetry};

use crate::store::EventStore;

/// Interval at which old events are removed.
const PRUNE_INTERVAL: Duration = Duration::from_secs(600);

/// Removes old events periodically until the task is dropped.
pub async fn run(store: EventStore, clock: Clock, retention: Duration, sinks: Vec<String>) {
    let removed = telemetry::counter("attribution.events.removed", "Events beyond the retention");
    loop {
        match remove_old(&store, clock.now_millis(), retention, &sinks).await {
            Ok(0) => {}
            Ok(events) => {
                removed.add(events, &[]);
                tracing::info!(events, "old events removed");
            }
            Err(error) => tracing::warn!(error = ?error, "old events stay for now"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

/// Removes, in small transactions, the events received more than `retention` before `now` (epoch
/// milliseconds) that all `sinks` have accepted and that are no dead letters of them, and returns
/// their number.
///
/// # Errors
/// `Unavailable` if the store is unavailable; earlier transactions stay committed.
pub async fn remove_old(
    store: &EventStore,
    now: u64,
    retention: Duration,
    sinks: &[String],
) -> Result<u64> {
    let retention = u64::try_from(retention.as_millis()).unwrap_or(u64::MAX);
    let cutoff = now.saturating_sub(retention);
    let (mut removed, mut next) = (0, Some(0));
    while let Some(after) = next {
        let pruned = store.prune(sinks, cutoff, after).await?;
        removed += pruned.removed;
        next = pruned.next;
    }
    Ok(removed)
}
