//! Brotli at its highest quality for pages that are requested often, in the background.

pub(super) mod queue;

use std::sync::Arc;

use tokio::{sync::mpsc, time::Instant};

use super::{cache::Inner, entry::Bodies};
use queue::Job;

/// Seconds of pause for each second of compressing.
const PAUSE_FACTOR: u32 = 9;

/// Compresses the queued pages one after the other. Bodies are replaced, freshness stays.
pub(super) async fn run(inner: Arc<Inner>, mut jobs: mpsc::Receiver<Job>) {
    while let Some((text, entry)) = jobs.recv().await {
        let current = inner.local.peek(&text).is_some_and(|now| now.fill_id == entry.fill_id);
        let Some(gzip) = entry.bodies.gzip.clone().filter(|_| current) else { continue };
        let began = Instant::now();
        inner.metrics.compressions.add(1);
        let Some(brotli) = inner.encoder.best(gzip).await else { continue };
        let took = began.elapsed();
        let identity = inner.local.peek(&text).and_then(|now| now.bodies.identity.clone());
        let bodies = Bodies {
            brotli: Some(brotli),
            brotli_best: true,
            gzip: entry.bodies.gzip.clone(),
            identity,
        };
        let better = Arc::new(entry.with_bodies(bodies));
        inner.local.replace(&text, &entry.fill_id, better.clone());
        if let Some(remote) = &inner.remote {
            remote.replace_bodies(&text, &better).await;
        }
        tokio::time::sleep(took * PAUSE_FACTOR).await;
    }
}
