//! Whether an SQLite store takes writes. A full or read-only disk still answers reads.
use std::time::Duration;

use sea_orm::ConnectionTrait;
use tokio::{sync::Mutex, time::Instant};

use super::{Store, open::WRITER_QUEUE_LIMIT};
use crate::error::{Error, Result};

/// The shortest time between two probes; in between the last outcome holds.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// A probe that takes longer waits for its turn behind other transactions.
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
    /// Since when probes wait for other transactions.
    waiting_since: Option<Instant>,
    failure: Option<String>,
}

impl WriteProbe {
    /// Writes, unless that was tried less than a second ago. Concurrent callers share one outcome.
    ///
    /// # Errors
    /// `Unavailable` when the store cannot write, or when no probe gets its turn for as long as a
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
                    let is_stuck = now >= since + WRITER_QUEUE_LIMIT;
                    let stuck = || "other transactions hold the write lock".to_owned();
                    state.failure.take().or_else(|| is_stuck.then(stuck))
                }
            };
            state.failure = failure;
        }
        state.failure.clone().map_or(Ok(()), |failure| Err(Error::unavailable(failure)))
    }
}
