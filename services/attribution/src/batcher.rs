//! Group commit: reports that arrive during a transaction share the next one, and each is
//! acknowledged once its transaction is on disk.

use std::{sync::Arc, time::Duration};

use sahm_chassis::{
    error::{Error, ErrorCode, Result},
    telemetry::Observed,
};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::{
    domain::NewEvent,
    spool::Spool,
    store::{EventStore, Outcome},
};

/// Capacity of the queue in reports; beyond it the caller receives `RetryInfo`.
const QUEUE_CAPACITY: usize = 4096;
/// Maximum number of events in one transaction.
const MAX_BATCH: usize = 1024;
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How long a batch waits to become as large as the previous one. Without the delay, reports that
/// follow an acknowledgement and those that arrived meanwhile would alternate in two transactions
/// instead of sharing one.
const MAX_BATCH_DELAY: Duration = Duration::from_millis(1);

struct Job {
    events: Vec<NewEvent>,
    sender: oneshot::Sender<Result<Vec<Outcome>>>,
}

/// Batches reports into transactions; clones share one queue.
#[derive(Clone)]
pub struct Batcher {
    jobs: Arc<mpsc::Sender<Job>>,
}

impl Batcher {
    /// Spawns the writer. It notifies `committed` after each transaction, and ends when the last
    /// clone is dropped. With a spool, events are spooled while the store is unavailable.
    pub fn start(store: EventStore, spool: Option<Arc<Spool>>, committed: Arc<Notify>) -> Batcher {
        let (jobs, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let jobs = Arc::new(jobs);
        show(&jobs);
        // Not a task of the lifecycle, because the calls that the drain waits for need it.
        tokio::spawn(Writer { store, spool, committed }.run(waiting));
        Batcher { jobs }
    }

    /// Accepts events, all or none; returns when they are on disk.
    ///
    /// # Errors
    /// `Unavailable` if the queue is full or the store is unavailable.
    pub async fn accept(&self, events: Vec<NewEvent>) -> Result<Vec<Outcome>> {
        let (sender, receiver) = oneshot::channel();
        self.jobs
            .try_send(Job { events, sender })
            .map_err(|full| Error::unavailable(full.to_string()).with_retry_after(RETRY_AFTER))?;
        receiver.await.map_err(Error::unavailable)?
    }
}

/// Exports the length of the queue while it exists.
fn show(jobs: &Arc<mpsc::Sender<Job>>) {
    Observed::of("attribution.batcher.waiting", "Reports that wait for the next transaction")
        .gauge(Arc::downgrade(jobs), |jobs| (jobs.max_capacity() - jobs.capacity()) as u64);
    Observed::of("attribution.batcher.limit", "The most reports that may wait")
        .gauge(Arc::downgrade(jobs), |jobs| jobs.max_capacity() as u64);
}

struct Writer {
    store: EventStore,
    spool: Option<Arc<Spool>>,
    committed: Arc<Notify>,
}

impl Writer {
    async fn run(self, mut waiting: mpsc::Receiver<Job>) {
        let mut before = 1;
        while let Some(job) = waiting.recv().await {
            let mut count = job.events.len();
            let mut jobs = vec![job];
            let gathered = tokio::time::sleep(MAX_BATCH_DELAY);
            tokio::pin!(gathered);
            while count < MAX_BATCH {
                let job = match waiting.try_recv() {
                    Ok(job) => job,
                    Err(_) if jobs.len() >= before => break,
                    Err(_) => tokio::select! {
                        biased;
                        Some(job) = waiting.recv() => job,
                        () = &mut gathered => break,
                    },
                };
                count += job.events.len();
                jobs.push(job);
            }
            before = jobs.len();
            self.write(jobs).await;
        }
    }

    async fn write(&self, jobs: Vec<Job>) {
        match self.commit(&jobs).await {
            Ok(outcomes) => send_outcomes(jobs, outcomes),
            // An event that the database cannot store must not fail the others.
            Err(error) if error.code() == ErrorCode::Internal && jobs.len() > 1 => {
                tracing::error!(error = ?error, jobs = jobs.len(), "a group of reports failed");
                for job in jobs {
                    let alone = [job];
                    let outcome = self.commit(&alone).await;
                    let [job] = alone;
                    // The caller has disconnected and may retry.
                    let _ = job.sender.send(outcome);
                }
            }
            Err(error) => self.fail(jobs, error).await,
        }
    }

    async fn commit(&self, jobs: &[Job]) -> Result<Vec<Outcome>> {
        let events = jobs.iter().flat_map(|job| &job.events).collect::<Vec<_>>();
        let outcomes = self.store.accept(&events).await?;
        self.committed.notify_waiters();
        Ok(outcomes)
    }

    async fn fail(&self, jobs: Vec<Job>, error: Error) {
        let code = error.code();
        if code == ErrorCode::Unavailable
            && let Some(spool) = &self.spool
        {
            let events = jobs.iter().flat_map(|job| job.events.iter().cloned()).collect::<Vec<_>>();
            match spool.append(&events).await {
                Ok(()) => {
                    tracing::warn!(error = ?error, events = events.len(), "store unavailable, events spooled");
                    return send_outcomes(jobs, vec![Outcome::Spooled; events.len()]);
                }
                Err(full) => tracing::error!(error = format!("{full:#}"), "spool failed"),
            }
        }
        error.log();
        for job in jobs {
            let _ = job.sender.send(Err(Error::of(code)));
        }
    }
}

/// Sends each job its part of the outcomes.
fn send_outcomes(jobs: Vec<Job>, outcomes: Vec<Outcome>) {
    let mut outcomes = outcomes.into_iter();
    for job in jobs {
        let own = outcomes.by_ref().take(job.events.len()).collect();
        let _ = job.sender.send(Ok(own));
    }
}
