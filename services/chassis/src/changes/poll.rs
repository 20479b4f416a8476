//! Polls the log once for all subscribers of a process.
use std::{sync::Arc, time::Duration};

use sea_orm::EntityTrait;
use tokio::sync::{Notify, watch};

use super::{
    RETENTION,
    append::{ensure_meta, prune, to_u64},
    entities::{META_ID, change_log, change_log_meta},
};
use crate::{
    clock,
    error::{Error, Result},
    lifecycle::Lifecycle,
    store::{Store, rows_after},
};

/// Subscribers see a change of another process within 250 ms (docs/page-cache.md).
const POLL_INTERVAL: Duration = Duration::from_millis(200);
const PRUNE_INTERVAL: Duration = Duration::from_secs(600);
/// Number of entries per query.
const PAGE: u64 = 500;

/// The log's id and range of sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) log_id: String,
    pub(super) last: u64,
    pub(super) pruned_through: u64,
}

/// A service's change log: polls it, and serves it as `sahm.changes.v1.ChangeLogService`. Clones
/// share it.
#[derive(Clone)]
pub struct ChangeLog {
    pub(super) store: Store,
    pub(super) lifecycle: Lifecycle,
    /// `None` while the store does not respond.
    pub(super) position: watch::Receiver<Option<Position>>,
    wake: Arc<Notify>,
}

impl ChangeLog {
    /// Creates the log's id if missing, and polls the log until the drain.
    ///
    /// # Errors
    /// The store fails.
    pub async fn start(store: Store, lifecycle: &Lifecycle) -> Result<ChangeLog> {
        store.write(async |tx| ensure_meta(tx).await).await?;
        let (sender, position) = watch::channel(Some(read_position(&store).await?));
        let wake = Arc::new(Notify::new());
        lifecycle.spawn_until_drain("change log", poll(store.clone(), wake.clone(), sender));
        lifecycle.spawn_until_drain("change log prune", prune_repeatedly(store.clone()));
        Ok(ChangeLog { store, lifecycle: lifecycle.clone(), position, wake })
    }

    /// Polls the log immediately; call it after a commit.
    pub fn notify(&self) {
        self.wake.notify_one();
    }

    /// The log's id and newest sequence, read from the store.
    ///
    /// # Errors
    /// The store fails.
    pub async fn newest(&self) -> Result<(String, u64)> {
        let position = read_position(&self.store).await?;
        Ok((position.log_id, position.last))
    }
}

async fn poll(store: Store, wake: Arc<Notify>, sender: watch::Sender<Option<Position>>) {
    loop {
        tokio::select! {
            () = wake.notified() => {}
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
        let found = match read_position(&store).await {
            Ok(position) => Some(position),
            Err(error) => {
                if sender.borrow().is_some() {
                    tracing::warn!(error = ?error, "change log cannot be read");
                }
                None
            }
        };
        sender.send_if_modified(|known| {
            let differs = *known != found;
            *known = found;
            differs
        });
    }
}

async fn prune_repeatedly(store: Store) {
    let retention = u32::try_from(RETENTION.as_secs()).unwrap_or(u32::MAX);
    loop {
        let before = clock::now().saturating_sub(retention);
        match store.write(async |tx| prune(tx, before).await).await {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "change log pruned"),
            Err(error) => tracing::warn!(error = ?error, "change log not pruned"),
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

pub(super) async fn read_position(store: &Store) -> Result<Position> {
    let meta = change_log_meta::Entity::find_by_id(META_ID).one(store.reader()).await?;
    let meta =
        meta.ok_or_else(|| Error::unavailable("the change log has no id; restart the service"))?;
    Ok(Position {
        log_id: meta.log_id,
        last: to_u64(meta.last_sequence),
        pruned_through: to_u64(meta.pruned_through),
    })
}

/// The next entries after a sequence, in order.
pub(super) async fn read_after(store: &Store, after: u64) -> Result<Vec<change_log::Model>> {
    let (query, sequence) = (change_log::Entity::find(), change_log::Column::Sequence);
    rows_after(store.reader(), query, sequence, after, PAGE).await
}
