//! A security: its latest quote as an event, and the clients that watch it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use tokio::{sync::Notify, time::Instant};

const QUOTE: &str = "event: quote\n";
const SNAPSHOT: &str = "event: snapshot\n";

/// The sequence number in an event id, if an event of this epoch has it.
pub(super) fn sequence_of(event_id: &str, epoch: u32) -> Option<u64> {
    event_id.strip_prefix(&format!("{epoch:08x}-"))?.parse().ok()
}

/// An encoded quote, shared by all clients.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) sequence: u64,
    /// The complete event `quote`.
    pub(super) text: Bytes,
    json: Bytes,
}

impl Update {
    /// The event id consists of the epoch of the process and the sequence number in that epoch.
    pub(super) fn new(epoch: u32, sequence: u64, json: &[u8]) -> Self {
        let head = format!("{QUOTE}id: {epoch:08x}-{sequence}\ndata: ");
        let text = Bytes::from([head.as_bytes(), json, b"\n\n"].concat());
        let json = text.slice(head.len()..text.len() - 2);
        Self { sequence, text, json }
    }

    /// The same quote as the event `snapshot`.
    pub(super) fn snapshot(&self) -> Vec<u8> {
        [SNAPSHOT.as_bytes(), &self.text[QUOTE.len()..]].concat()
    }
}

#[derive(Debug, Default)]
pub(super) struct Security {
    latest: ArcSwapOption<Update>,
    watchers: Mutex<Watchers>,
}

#[derive(Debug)]
struct Watchers {
    /// By their addresses.
    clients: HashMap<usize, Arc<Notify>>,
    /// When the last client disconnected, or when the security was added.
    left_at: Instant,
}

impl Default for Watchers {
    fn default() -> Self {
        Self { clients: HashMap::new(), left_at: Instant::now() }
    }
}

impl Security {
    /// The latest quote; `None` before the first.
    pub(super) fn latest(&self) -> Option<Arc<Update>> {
        self.latest.load_full()
    }

    /// Whether this is its latest quote.
    pub(super) fn has(&self, json: &[u8]) -> bool {
        self.latest.load().as_ref().is_some_and(|latest| latest.json == json)
    }

    pub(super) fn publish(&self, update: Update) {
        self.latest.store(Some(Arc::new(update)));
    }

    pub(super) fn wake_clients(&self) {
        self.lock().clients.values().for_each(|client| client.notify_one());
    }

    /// Notifies the client of each future quote.
    pub(super) fn watch(&self, client: &Arc<Notify>) {
        self.lock().clients.insert(Arc::as_ptr(client).addr(), client.clone());
    }

    pub(super) fn forget(&self, client: &Arc<Notify>) {
        let mut watchers = self.lock();
        watchers.clients.remove(&Arc::as_ptr(client).addr());
        watchers.left_at = Instant::now();
    }

    /// Whether a client watches it, or did so within `grace`.
    pub(super) fn is_watched_within(&self, grace: Duration) -> bool {
        let watchers = self.lock();
        !watchers.clients.is_empty() || watchers.left_at.elapsed() < grace
    }

    fn lock(&self) -> MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn event_ids_round_trip() {
        let update = Update::new(0xab, 7, b"{}");
        assert_eq!(update.text, "event: quote\nid: 000000ab-7\ndata: {}\n\n");
        assert_eq!(update.snapshot(), b"event: snapshot\nid: 000000ab-7\ndata: {}\n\n");
        assert_eq!(sequence_of("000000ab-7", 0xab), Some(7));
        for other in ["000000ac-7", "ab-7", "", "7", "xyz-7", "000000ab-", "000000ab-x"] {
            assert_eq!(sequence_of(other, 0xab), None, "{other}");
        }
    }

    #[test]
    fn clients_are_woken_until_they_are_forgotten() {
        let security = Security::default();
        let client = Arc::<Notify>::default();
        let is_woken = || futures_util::FutureExt::now_or_never(client.notified()).is_some();
        security.watch(&client);
        security.publish(Update::new(1, 1, b"{}"));
        security.wake_clients();
        assert!(is_woken() && security.has(b"{}") && !security.has(b"[]"));
        security.forget(&client);
        security.wake_clients();
        assert!(!is_woken() && security.is_watched_within(Duration::from_secs(60)));
    }
}
