//! Progress of HTTP/2 streams. A client that leaves its flow-control window closed reads nothing of a response, which
//! the socket does not show: the connection itself is written as usual.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hyper::rt::Executor;
use tokio::time::{Instant, sleep, sleep_until};

tokio::task_local! {
    static PROGRESS: Arc<Progress>;
}

/// Runs each stream in its own task, and resets a stream whose client read nothing of its response for `timeout`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamExecutor {
    /// The longest time without progress.
    pub(super) timeout: Duration,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let timeout = self.timeout;
        tokio::spawn(async move {
            let progress = Arc::<Progress>::default();
            tokio::select! {
                () = PROGRESS.scope(Arc::clone(&progress), stream) => {}
                // Dropping the stream resets it and frees what it holds.
                () = progress.stalled(timeout) => {
                    tracing::debug!("stream reset: its client reads nothing of the response");
                }
            }
        });
    }
}

/// The progress of the current task's stream; `None` outside of such a task.
pub(super) fn current() -> Option<Arc<Progress>> {
    PROGRESS.try_with(Arc::clone).ok().inspect(|progress| progress.note(true))
}

/// Measures how long one stream's client has not read pending data.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// `None`: the server has no data for the client at the moment.
    waits_since: Mutex<Option<Instant>>,
}

impl Progress {
    /// Records progress; `is_clients_turn`: data is pending for the client.
    pub(super) fn note(&self, is_clients_turn: bool) {
        let now = is_clients_turn.then(Instant::now);
        *self.waits_since.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Returns once the client has read nothing for `timeout`.
    async fn stalled(&self, timeout: Duration) {
        loop {
            let since = *self.waits_since.lock().unwrap_or_else(PoisonError::into_inner);
            match since.map(|since| since + timeout) {
                Some(end) if end <= Instant::now() => return,
                Some(end) => sleep_until(end).await,
                None => sleep(timeout).await,
            }
        }
    }
}
