//! Probes whether an SQLite store accepts writes. A full or read-only disk still serves reads.
use std::time::Duration;

use sea_orm::ConnectionTrait;
use tokio::{sync::Mutex, time::Instant};

use super::{Store, open::WRITER_QUEUE_TIMEOUT};
use crate::error::{Error, Result};

/// Shortest interval between two probes; in between the last outcome applies.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// A probe that takes longer is waiting behind other transactions.
const PROBE_TIMEOUT: Duration = Duration::from_millis(500);
/// Marks the first page of the file as changed, so that the commit writes it. Nothing reads the
/// value.
const TOUCH: &str = "PRAGMA user_version = 0";

/// The outcome of the last probe.
#[derive(Default)]
pub(super) struct WriteProbe(Mutex<State>);

#[derive(Default)]
struct State {
    probed_at: Option<Instant>,
    /// When probes began to wait behind other transactions.
    waiting_since: Option<Instant>,
    failure: Option<String>,
}

impl WriteProbe {
    /// Writes, unless the last probe was less than a second ago. Concurrent callers share one
    /// outcome.
    ///
    /// # Errors
    /// `Unavailable` if the store cannot write, or if probes have waited for longer than a
    /// transaction may queue.
    pub(super) async fn check(&self, store: &Store) -> Result<()> {
        let mut state = self.0.lock().await;
        let now = Instant::now();
        if state.probed_at.is_none_or(|at| now >= at + PROBE_INTERVAL) {
            state.probed_at = Some(now);
            let touch = store.write(async |tx| Ok(tx.execute_unprepared(TOUCH).await.map(drop)?));
            let failure = match tokio::time::timeout(PROBE_TIMEOUT, touch).await {
                Ok(written) => {
                    state.waiting_since = None;
                    written.err().map(|error| format!("{error:?}"))
                }
                Err(_) => {
                    let since = *state.waiting_since.get_or_insert(now);
                    let is_stuck = now >= since + WRITER_QUEUE_TIMEOUT;
                    let stuck = || "other transactions hold the write lock".to_owned();
                    state.failure.take().or_else(|| is_stuck.then(stuck))
                }
            };
            state.failure = failure;
        }
        state.failure.clone().map_or(Ok(()), |failure| Err(Error::unavailable(failure)))
    }
}
