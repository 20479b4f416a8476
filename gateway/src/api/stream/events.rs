//! The event stream of one client, as a response body.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::{Arc, atomic::Ordering},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body::{Body, Frame};
use tokio::time::{Instant, Sleep, sleep_until};

use super::security::{Pending, Security, Update};
use crate::limits::Permit;

/// Tells browsers to reconnect after three seconds.
const RETRY: &[u8] = b"retry: 3000\n\n";
const COMMENT: &[u8] = b":\n\n";
/// Size from which no more events are added to a frame. A frame per event would cost more memory.
const FRAME_BYTES: usize = 16 << 10;
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A client, the securities that it watches, and which of them have an update to send.
pub(super) struct Client {
    id: u64,
    pending: Arc<Pending>,
    watched: Vec<Watched>,
    /// Held until the client disconnects.
    _permit: Option<Permit>,
}

struct Watched {
    security: Arc<Security>,
    /// The sequence number of the last event sent; 0 before the first.
    sent: u64,
}

impl Client {
    /// Watches at most 64 securities. With `last_received`, the sequence number of the last event that the client
    /// received, only later events are sent.
    pub(super) fn new(id: u64, securities: Vec<Arc<Security>>, last_received: Option<u64>) -> Self {
        let pending = Arc::new(Pending::default());
        for (bit, security) in (0_u8..).zip(&securities) {
            security.watch(id, &pending, bit);
            let Some(latest) = security.latest() else { continue };
            if last_received.is_none_or(|last_received| latest.sequence > last_received) {
                pending.mark(bit);
            }
        }
        let watched = securities.into_iter().map(|security| Watched { security, sent: 0 });
        Self { id, pending, watched: watched.collect(), _permit: None }
    }

    /// Holds a permit until the client disconnects.
    pub(super) fn holding(mut self, permit: Permit) -> Self {
        self._permit = Some(permit);
        self
    }

    /// Returns the pending event with the lowest sequence number, so that event ids ascend, and whether it is the first
    /// event of its security.
    fn next(&mut self) -> Option<(bool, Arc<Update>)> {
        let bits = &self.pending.bits;
        loop {
            let waiting = bits.load(Ordering::SeqCst);
            let indices = (0..self.watched.len()).filter(|bit| waiting >> bit & 1 == 1);
            let of = |bit: usize| Some((bit, self.watched[bit].security.latest()?));
            let (bit, update) = indices.filter_map(of).min_by_key(|(_, update)| update.sequence)?;
            if bits.load(Ordering::SeqCst) != waiting {
                continue;
            }
            let watched = &mut self.watched[bit];
            bits.fetch_and(!(1 << bit), Ordering::SeqCst);
            if watched.security.latest().is_some_and(|latest| latest.sequence != update.sequence) {
                bits.fetch_or(1 << bit, Ordering::SeqCst);
            }
            if update.sequence == watched.sent {
                continue;
            }
            let is_first = watched.sent == 0;
            watched.sent = update.sequence;
            return Some((is_first, update));
        }
    }

    /// Returns pending events in one frame. A single quote is not copied; all clients share its bytes.
    fn frame(&mut self) -> Option<Bytes> {
        let mut frame = Vec::new();
        loop {
            match self.next() {
                None => break,
                Some((false, update)) if frame.is_empty() => {
                    if self.pending.bits.load(Ordering::SeqCst) == 0 {
                        return Some(update.text.clone());
                    }
                    frame.extend_from_slice(&update.text);
                }
                Some((false, update)) => frame.extend_from_slice(&update.text),
                Some((true, update)) => {
                    update.snapshot().into_iter().for_each(|part| frame.extend_from_slice(part));
                }
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
            watched.security.forget(self.id);
        }
    }
}

/// The body: `retry`, then events and a comment every 15 seconds, until the drain begins.
pub(super) struct Events {
    client: Client,
    begun: bool,
    heartbeat: Pin<Box<Sleep>>,
    draining: BoxFuture<'static, ()>,
}

impl Events {
    /// The events of a client; `draining` ends them.
    pub(super) fn new(client: Client, draining: impl Future<Output = ()> + Send + 'static) -> Self {
        let heartbeat = Box::pin(sleep_until(Instant::now() + HEARTBEAT));
        Self { client, begun: false, heartbeat, draining: Box::pin(draining) }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        let send = |bytes: Bytes| Poll::Ready(Some(Ok(Frame::data(bytes))));
        if this.draining.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        if !std::mem::replace(&mut this.begun, true) {
            return send(Bytes::from_static(RETRY));
        }
        this.client.pending.waker.register(context.waker());
        if let Some(frame) = this.client.frame() {
            return send(frame);
        }
        if this.heartbeat.as_mut().poll(context).is_ready() {
            this.heartbeat.as_mut().reset(Instant::now() + HEARTBEAT);
            return send(Bytes::from_static(COMMENT));
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use futures_util::FutureExt;
    use http_body_util::BodyExt;

    use super::*;
    use crate::api::stream::security::EventId;

    fn securities(count: usize) -> Vec<Arc<Security>> {
        (0..count).map(|_| Arc::default()).collect()
    }

    fn publish(security: &Security, sequence: u64, json: &str) {
        security.publish(json.as_bytes(), || EventId { epoch: 1, sequence });
    }

    fn sequences(client: &mut Client) -> Vec<(bool, u64)> {
        std::iter::from_fn(|| client.next())
            .map(|(is_first, update)| (is_first, update.sequence))
            .collect()
    }

    #[test]
    fn client_receives_a_snapshot_of_each_security_then_only_its_latest_quote() {
        let all = securities(3);
        publish(&all[1], 1, "a");
        publish(&all[0], 2, "b");
        let mut client = Client::new(9, all.clone(), None);
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
        assert_eq!(sequences(&mut Client::new(1, all.clone(), Some(1))), [(true, 2), (true, 3)]);
        assert_eq!(sequences(&mut Client::new(1, all.clone(), Some(3))), []);
        assert_eq!(sequences(&mut Client::new(1, all.clone(), Some(0))).len(), 3);
        assert_eq!(sequences(&mut Client::new(1, securities(2), Some(3))), []);
    }

    #[test]
    fn client_watches_fifty_securities() {
        let all = securities(50);
        for (sequence, security) in (1..).zip(&all) {
            publish(security, sequence, "x");
        }
        assert_eq!(sequences(&mut Client::new(1, all, None)).len(), 50);
    }

    #[tokio::test(start_paused = true)]
    async fn body_starts_with_retry_sends_heartbeats_and_ends_on_drain() {
        let all = securities(1);
        let (drain, draining) = tokio::sync::oneshot::channel::<()>();
        let client = Client::new(1, all.clone(), None);
        let mut body = Events::new(client, draining.map(|_| ()));
        let next = async |body: &mut Events| {
            let frame = body.frame().await?.unwrap();
            Some(frame.into_data().unwrap())
        };
        assert_eq!(next(&mut body).await.unwrap(), RETRY);
        let before = Instant::now();
        assert_eq!(next(&mut body).await.unwrap(), COMMENT);
        assert_eq!(before.elapsed().as_secs(), 15);
        publish(&all[0], 4, "4");
        let text = |name, sequence| {
            format!("event: {name}\nid: 00000001-{sequence}\ndata: {sequence}\n\n")
        };
        assert_eq!(next(&mut body).await.unwrap(), text("snapshot", 4));
        publish(&all[0], 5, "5");
        let shared = all[0].latest().unwrap().text.as_ptr();
        let quote = next(&mut body).await.unwrap();
        assert_eq!((quote.as_ptr(), quote), (shared, text("quote", 5).into()));
        drain.send(()).unwrap();
        assert!(next(&mut body).await.is_none());
    }
}
