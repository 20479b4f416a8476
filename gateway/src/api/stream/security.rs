//! A security: its latest quote as an event, and the clients that watch it.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use futures_util::task::AtomicWaker;
use tokio::time::Instant;

const QUOTE: &str = "event: quote\n";
const SNAPSHOT: &str = "event: snapshot\n";

/// The id of an event: the epoch of the process that sent it, and its sequence number in that epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) epoch: u32,
    pub(super) sequence: u64,
}

impl EventId {
    /// Parses the output of [`fmt::Display`].
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (epoch, sequence) = text.split_once('-')?;
        let epoch = u32::from_str_radix(epoch, 16).ok()?;
        Some(Self { epoch, sequence: sequence.parse().ok()? })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{}", self.epoch, self.sequence)
    }
}

/// An encoded quote, shared by all clients.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) sequence: u64,
    /// The complete event `quote`.
    pub(super) text: Bytes,
    /// Offset of the part that the events `quote` and `snapshot` share.
    rest: usize,
    json: Bytes,
}

impl Update {
    fn new(id: EventId, json: &[u8]) -> Self {
        let head = format!("{QUOTE}id: {id}\ndata: ");
        let mut text = Vec::with_capacity(head.len() + json.len() + 2);
        text.extend_from_slice(head.as_bytes());
        text.extend_from_slice(json);
        text.extend_from_slice(b"\n\n");
        let text = Bytes::from(text);
        let json = text.slice(head.len()..text.len() - 2);
        Self { sequence: id.sequence, text, rest: QUOTE.len(), json }
    }

    /// The same quote as the event `snapshot`, in two parts.
    pub(super) fn snapshot(&self) -> [&[u8]; 2] {
        [SNAPSHOT.as_bytes(), &self.text[self.rest..]]
    }
}

/// Securities with an update to send, one bit each, and the waker of the client.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) bits: AtomicU64,
    pub(super) waker: AtomicWaker,
}

impl Pending {
    pub(super) fn mark(&self, bit: u8) {
        self.bits.fetch_or(1 << bit, Ordering::SeqCst);
        self.waker.wake();
    }
}

#[derive(Debug, Default)]
pub(super) struct Security {
    latest: ArcSwapOption<Update>,
    watchers: Mutex<Watchers>,
}

#[derive(Debug)]
struct Watchers {
    clients: HashMap<u64, (Arc<Pending>, u8)>,
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

    /// Publishes a quote unless it equals the latest one. Calls must not overlap, so that sequence numbers ascend.
    pub(super) fn publish(&self, json: &[u8], next: impl FnOnce() -> EventId) {
        if self.latest.load().as_ref().is_some_and(|latest| latest.json == json) {
            return;
        }
        self.latest.store(Some(Arc::new(Update::new(next(), json))));
        for (pending, bit) in self.lock().clients.values() {
            pending.mark(*bit);
        }
    }

    /// Sets this bit of `pending` on each future quote.
    pub(super) fn watch(&self, client: u64, pending: &Arc<Pending>, bit: u8) {
        self.lock().clients.insert(client, (pending.clone(), bit));
    }

    pub(super) fn forget(&self, client: u64) {
        let mut watchers = self.lock();
        watchers.clients.remove(&client);
        watchers.left_at = Instant::now();
    }

    /// Whether a client watches it, or did so within `grace`.
    pub(super) fn is_watched_within(&self, grace: Duration) -> bool {
        let watchers = self.lock();
        !watchers.clients.is_empty() || watchers.left_at.elapsed() < grace
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn event_ids_round_trip() {
        let id = EventId { epoch: 0xab, sequence: 7 };
        assert_eq!(id.to_string(), "000000ab-7");
        assert_eq!(EventId::parse(&id.to_string()), Some(id));
        for invalid in ["", "7", "-", "x-1", "1-", "1--1"] {
            assert_eq!(EventId::parse(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn the_same_quote_is_published_once() {
        let security = Security::default();
        let pending = Arc::new(Pending::default());
        security.watch(1, &pending, 3);
        let id = |sequence| move || EventId { epoch: 1, sequence };
        security.publish(b"{}", id(1));
        assert_eq!(pending.bits.swap(0, Ordering::SeqCst), 8);
        assert_eq!(security.latest().unwrap().text, "event: quote\nid: 00000001-1\ndata: {}\n\n");
        let snapshot = security.latest().unwrap().snapshot().concat();
        assert_eq!(snapshot, b"event: snapshot\nid: 00000001-1\ndata: {}\n\n");
        security.publish(b"{}", id(2));
        assert_eq!(pending.bits.load(Ordering::SeqCst), 0);
        security.publish(b"[]", id(3));
        assert_eq!(security.latest().unwrap().sequence, 3);
        security.forget(1);
        assert!(!security.is_watched_within(Duration::ZERO));
    }
}
