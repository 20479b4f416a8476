//! Brotli at its highest quality for pages that are requested often, in the background.

use std::sync::Arc;

use tokio::{sync::mpsc, time::Instant};

use super::{
    cache::{Inner, Recompression},
    compress,
    entry::Bodies,
    metrics::Counter,
    store::local,
};

/// Maximum number of queued pages; more are skipped.
pub(super) const CAPACITY: usize = 64;
/// Seconds of pause for each second of compressing.
const PAUSE_FACTOR: u32 = 9;

/// Compresses the queued pages one after the other. Bodies are replaced, freshness is unchanged.
pub(super) async fn run(inner: Arc<Inner>, mut queue: mpsc::Receiver<Recompression>) {
    while let Some((key, entry)) = queue.recv().await {
        let stored = || inner.local.peek(&key).filter(|stored| stored.fill_id == entry.fill_id);
        let Some(gzip) = entry.bodies.gzip.clone().filter(|_| stored().is_some()) else { continue };
        let began = Instant::now();
        inner.metrics.add(Counter::Compressions, 1);
        let Some(brotli) = compress::best(gzip).await else { continue };
        let took = began.elapsed();
        let better = Arc::new(entry.with_bodies(Bodies {
            brotli: Some(brotli),
            brotli_best: true,
            gzip: entry.bodies.gzip.clone(),
            // It may have been requested uncompressed meanwhile.
            identity: stored().and_then(|stored| stored.bodies.identity.clone()),
        }));
        local::replace(&inner.local, &key, &entry.fill_id, better.clone());
        if let Some(remote) = &inner.remote {
            remote.replace_bodies(&key, &better).await;
        }
        tokio::time::sleep(took * PAUSE_FACTOR).await;
    }
}
