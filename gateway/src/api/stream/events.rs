//! The event stream of one client.

use std::{
    convert::Infallible,
    future::{Future, ready},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use tokio::{
    sync::Notify,
    time::{Instant, interval_at},
};

use super::security::Security;

/// Tells browsers to reconnect after three seconds.
const RETRY: &[u8] = b"retry: 3000\n\n";
const COMMENT: &[u8] = b":\n\n";
/// Size from which no more events are added to a frame. A frame per event would cost more memory.
const FRAME_BYTES: usize = 16 << 10;
/// Interval of comments, which keep proxies from closing an idle stream.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A client and the securities that it watches.
pub(super) struct Client {
    watched: Vec<Watched>,
    /// The sequence number of the last event that the client received before this stream.
    last_received: u64,
    /// The sequence number of the last event of all securities.
    published: Arc<AtomicU64>,
    /// Notified of each update of a watched security.
    updated: Arc<Notify>,
}

struct Watched {
    security: Arc<Security>,
    /// The sequence number of the last event sent.
    sent: Option<u64>,
}

impl Client {
    /// Watches securities; sends only events later than `last_received`.
    pub(super) fn new(
        securities: Vec<Arc<Security>>,
        last_received: u64,
        published: Arc<AtomicU64>,
    ) -> Self {
        let updated = Arc::default();
        let watched = securities.into_iter().map(|security| {
            security.watch(&updated);
            Watched { security, sent: None }
        });
        Self { watched: watched.collect(), last_received, published, updated }
    }

    /// Waits for updates and returns them in one frame.
    async fn frame(&mut self) -> Bytes {
        loop {
            if let Some(frame) = self.pending() {
                return frame;
            }
            self.updated.notified().await;
        }
    }

    /// The updates that were not sent yet, in the order of their sequence numbers, so that event ids ascend. A single
    /// quote is not copied; all clients share its bytes.
    fn pending(&mut self) -> Option<Bytes> {
        // Read before the updates: all updates up to this number are stored, so none is skipped. Those with a higher
        // number wait for the next frame.
        let published = self.published.load(Ordering::Acquire);
        let unsent = self.watched.iter_mut().filter_map(|watched| {
            let update = watched.security.latest()?;
            let sent = watched.sent.unwrap_or(self.last_received);
            (sent < update.sequence && update.sequence <= published).then_some((update, watched))
        });
        let mut unsent = unsent.collect::<Vec<_>>();
        unsent.sort_unstable_by_key(|(update, _)| update.sequence);
        let mut frame = Vec::new();
        let is_single = unsent.len() == 1;
        for (update, Watched { sent, .. }) in unsent {
            match sent.replace(update.sequence) {
                Some(_) if is_single => return Some(update.text.clone()),
                Some(_) => frame.extend_from_slice(&update.text),
                None => frame.extend_from_slice(&update.snapshot()),
            }
            if frame.len() >= FRAME_BYTES {
                break;
            }
        }
        (!frame.is_empty()).then(|| frame.into())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for watched in &self.watched {
            watched.security.forget(&self.updated);
        }
    }
}

/// The body of the response: `retry`, then events and a comment every 15 seconds, until `ended`.
pub(super) fn events(
    client: Client,
    ended: impl Future<Output = ()> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static {
    let heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    let frames = stream::unfold((client, heartbeat), |(mut client, mut heartbeat)| async {
        let frame = tokio::select! {
            biased;
            frame = client.frame() => frame,
            _ = heartbeat.tick() => Bytes::from_static(COMMENT),
        };
        Some((frame, (client, heartbeat)))
    });
    stream::once(ready(Bytes::from_static(RETRY))).chain(frames).map(Ok).take_until(ended)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use futures_util::FutureExt;

    use super::*;
    use crate::api::stream::security::Update;

    fn securities(count: usize) -> Vec<Arc<Security>> {
        (0..count).map(|_| Arc::default()).collect()
    }

    fn client(securities: &[Arc<Security>], last_received: u64) -> Client {
        let published = Arc::new(AtomicU64::new(1_000));
        Client::new(securities.to_vec(), last_received, published)
    }

    fn publish(security: &Security, sequence: u64, json: &str) {
        security.publish(Update::new(1, sequence, json.as_bytes()));
        security.wake_clients();
    }

    /// The events in the next frame, by whether each is the first of its security, and its number.
    fn sequences(client: &mut Client) -> Vec<(bool, u64)> {
        let frame = client.pending().unwrap_or_default();
        let text = std::str::from_utf8(&frame).unwrap();
        let event = |event: &str| {
            let (name, rest) = event.split_once("\nid: 00000001-").unwrap();
            let (sequence, _) = rest.split_once('\n').unwrap();
            (name == "event: snapshot", sequence.parse().unwrap())
        };
        text.split_terminator("\n\n").map(event).collect()
    }

    #[test]
    fn client_receives_a_snapshot_of_each_security_then_only_its_latest_quote() {
        let all = securities(3);
        publish(&all[1], 1, "a");
        publish(&all[0], 2, "b");
        let mut client = client(&all, 0);
        assert_eq!(sequences(&mut client), [(true, 1), (true, 2)]);
        for sequence in 3..100 {
            publish(&all[usize::from(sequence % 2 == 0)], sequence, &sequence.to_string());
        }
        publish(&all[2], 100, "c");
        assert_eq!(sequences(&mut client), [(false, 98), (false, 99), (true, 100)]);
        assert_eq!(sequences(&mut client), []);
        drop(client);
        assert!(all.iter().all(|security| !security.is_watched_within(Duration::ZERO)));
    }

    #[test]
    fn seen_events_are_not_sent_again() {
        let all = securities(3);
        for (sequence, security) in (1..).zip(&all) {
            publish(security, sequence, "x");
        }
        assert_eq!(sequences(&mut client(&all, 1)), [(true, 2), (true, 3)]);
        assert_eq!(sequences(&mut client(&all, 3)), []);
        assert_eq!(sequences(&mut client(&all, 0)).len(), 3);
        assert_eq!(sequences(&mut client(&securities(2), 3)), []);
    }

    #[test]
    fn event_is_sent_only_after_all_events_with_lower_numbers_are_stored() {
        let all = securities(2);
        let mut client = client(&all, 0);
        client.published.store(5, Ordering::Release);
        publish(&all[0], 6, "x");
        publish(&all[1], 5, "x");
        assert_eq!(sequences(&mut client), [(true, 5)]);
        client.published.store(6, Ordering::Release);
        assert_eq!(sequences(&mut client), [(true, 6)]);
    }

    #[test]
    fn large_frame_leaves_the_rest_to_the_next() {
        let all = securities(50);
        let json = "x".repeat(FRAME_BYTES / 30);
        for (sequence, security) in (1..).zip(&all) {
            publish(security, sequence, &json);
        }
        let mut client = client(&all, 0);
        let frames = [sequences(&mut client), sequences(&mut client), sequences(&mut client)];
        assert!(!frames[0].is_empty() && !frames[1].is_empty() && frames[2].is_empty());
        assert!(frames.concat().iter().map(|(_, sequence)| *sequence).eq(1..=50));
    }

    #[tokio::test(start_paused = true)]
    async fn body_starts_with_retry_sends_heartbeats_and_ends_on_drain() {
        let all = securities(1);
        let (drain, draining) = tokio::sync::oneshot::channel::<()>();
        let mut body = Box::pin(events(client(&all, 0), draining.map(|_| ())));
        assert_eq!(body.next().await.unwrap().unwrap(), RETRY);
        let before = Instant::now();
        assert_eq!(body.next().await.unwrap().unwrap(), COMMENT);
        assert_eq!(before.elapsed().as_secs(), 15);
        publish(&all[0], 4, "4");
        let text = |name, sequence| {
            format!("event: {name}\nid: 00000001-{sequence}\ndata: {sequence}\n\n")
        };
        assert_eq!(body.next().await.unwrap().unwrap(), text("snapshot", 4));
        publish(&all[0], 5, "5");
        let shared = all[0].latest().unwrap().text.as_ptr();
        let quote = body.next().await.unwrap().unwrap();
        assert_eq!((quote.as_ptr(), quote), (shared, text("quote", 5).into()));
        drain.send(()).unwrap();
        assert!(body.next().await.is_none());
    }
}
