//! The queue of pages that are worth better compression.

use std::sync::{Arc, atomic::Ordering};

use tokio::sync::mpsc;

use crate::page_cache::entry::Entry;

/// Hits after which a page is worth better compression.
const MIN_HITS: u32 = 16;
/// Length of the queue; when it is full, pages are skipped.
const CAPACITY: usize = 64;

pub(in crate::page_cache) type Job = (Arc<str>, Arc<Entry>);

/// Selects pages by their hits.
#[derive(Debug)]
pub(in crate::page_cache) struct RecompressionQueue {
    jobs: mpsc::Sender<Job>,
}

impl RecompressionQueue {
    pub(in crate::page_cache) fn new() -> (Self, mpsc::Receiver<Job>) {
        let (jobs, receiver) = mpsc::channel(CAPACITY);
        (Self { jobs }, receiver)
    }

    /// Counts a hit.
    pub(in crate::page_cache) fn count(&self, key: &str, entry: &Arc<Entry>) {
        let hits = entry.stats.hits.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if hits == MIN_HITS && !entry.bodies.brotli_best && entry.is_complete() {
            // A full queue holds pages that became popular earlier.
            let _ = self.jobs.try_send((key.into(), entry.clone()));
        }
    }
}
