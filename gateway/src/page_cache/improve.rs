//! Better compression for pages that are asked for often, behind their visitors.

use std::sync::{Arc, atomic::Ordering};

use tokio::{sync::mpsc, time::Instant};

use super::{
    Inner,
    entry::{Bodies, Entry},
};

/// Hits after which a page counts as asked for often.
const OFTEN: u32 = 16;
/// Pages that wait; more are passed over.
const WAITING: usize = 64;
/// Of the time, one part is spent compressing and this many are left to others.
const REST: u32 = 9;

type Job = (Arc<str>, Arc<Entry>);

/// Finds the pages worth it.
#[derive(Debug)]
pub(super) struct Improver {
    jobs: mpsc::Sender<Job>,
}

impl Improver {
    pub(super) fn new() -> (Self, mpsc::Receiver<Job>) {
        let (jobs, receiver) = mpsc::channel(WAITING);
        (Self { jobs }, receiver)
    }

    /// Counts a hit.
    pub(super) fn count(&self, key: &str, entry: &Arc<Entry>) {
        let hits = entry.uses.hits.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if hits == OFTEN && !entry.bodies.brotli_best && entry.is_whole() {
            // Full: others are asked for more often.
            let _ = self.jobs.try_send((key.into(), entry.clone()));
        }
    }
}

/// Compresses one after the other. A body changes, its freshness does not.
pub(super) async fn run(inner: Arc<Inner>, mut jobs: mpsc::Receiver<Job>) {
    while let Some((text, entry)) = jobs.recv().await {
        let current = inner.memory.peek(&text).is_some_and(|now| now.stamp == entry.stamp);
        let Some(gzip) = entry.bodies.gzip.clone().filter(|_| current) else { continue };
        let began = Instant::now();
        inner.metrics.compressions.add(1);
        let Some(brotli) = inner.encoder.best(gzip).await else { continue };
        let took = began.elapsed();
        let identity = inner.memory.peek(&text).and_then(|now| now.bodies.identity.clone());
        let bodies = Bodies {
            brotli: Some(brotli),
            brotli_best: true,
            gzip: entry.bodies.gzip.clone(),
            identity,
        };
        let better = Arc::new(entry.with_bodies(bodies));
        inner.memory.replace(&text, &entry.stamp, better.clone());
        if let Some(shared) = &inner.shared {
            shared.improve(&text, &better).await;
        }
        tokio::time::sleep(took * REST).await;
    }
}
