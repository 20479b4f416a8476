//! Change-log subscribers that keep data derived from the store in memory.
use std::{collections::BTreeSet, pin::pin, time::Duration};

use sahm_chassis::{Error, Result, changes::ChangeLog};
use sahm_proto::changes::v1::{WatchChangesRequest, change_log_service_server::ChangeLogService};
use tokio_stream::StreamExt;
use tonic::Request;

/// Window in which changes are batched, and the maximum batch size.
const BATCH_WINDOW: Duration = Duration::from_millis(20);
const MAX_BATCH: usize = 500;
/// Delay before the log is read again after a failure.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// In-memory data derived from the store.
pub(crate) trait ChangeSubscriber: Send + Sync + 'static {
    fn rebuild(&self) -> impl Future<Output = Result<()>> + Send;

    /// Applies the changes whose tags are in `named`.
    fn refresh(&self, named: &BTreeSet<String>) -> impl Future<Output = Result<()>> + Send;
}

/// Builds the subscriber, then passes it the changes of the log until the process ends.
pub(crate) async fn subscribe(
    what: &'static str,
    log: ChangeLog,
    subscriber: impl ChangeSubscriber,
) {
    let mut known = None;
    loop {
        if let Err(error) = step(&log, &subscriber, &mut known).await {
            tracing::warn!(what, error = ?error, "change log subscription failed");
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Passes on changes after the last known position; returns when reading the log fails.
async fn step(
    log: &ChangeLog,
    subscriber: &impl ChangeSubscriber,
    known: &mut Option<(String, u64)>,
) -> Result<()> {
    let (log_id, after) = match known.take() {
        Some(position) => position,
        None => {
            let position = log.newest().await?;
            subscriber.rebuild().await?;
            position
        }
    };
    *known = Some((log_id.clone(), after));
    let request = WatchChangesRequest { log_id: log_id.clone(), after };
    let changes = log.watch_changes(Request::new(request)).await;
    let changes = changes.map_err(|status| Error::from(&status))?.into_inner();
    let mut batches = pin!(changes.chunks_timeout(MAX_BATCH, BATCH_WINDOW));
    while let Some(batch) = batches.next().await {
        let (mut seen, mut named) = (after, BTreeSet::new());
        for message in batch {
            let message = message.map_err(|status| Error::from(&status))?;
            if message.reset {
                *known = None;
                return Ok(());
            }
            if let Some(change) = message.change {
                seen = message.sequence;
                named.extend(change.tags);
            }
        }
        if !named.is_empty() {
            // On failure the position does not advance, so the batch is retried.
            subscriber.refresh(&named).await?;
            *known = Some((log_id.clone(), seen));
        }
    }
    Ok(())
}
