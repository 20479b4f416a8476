//! One subscriber's stream.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::slot::{Pending, Slot};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

/// Encoded `StreamQuotesResponse` messages: first a snapshot, then the latest quote of each changed
/// security; an empty message after 15 s of silence.
pub struct Subscription {
    id: u64,
    pending: Arc<Pending>,
    watched: Vec<Watched>,
    /// Index at which the next search starts, so that a busy security does not starve the others.
    from: usize,
    heartbeat: Pin<Box<Sleep>>,
}

struct Watched {
    slot: Arc<Slot>,
    /// The number of the last message sent; 0 before the first.
    sent: u64,
}

impl Subscription {
    pub(super) fn new(id: u64, slots: Vec<Arc<Slot>>) -> Self {
        let pending = Arc::new(Pending::new(slots.len()));
        for (place, slot) in slots.iter().enumerate() {
            slot.watch(id, &pending, place);
            pending.mark(place);
        }
        let watched = slots.into_iter().map(|slot| Watched { slot, sent: 0 }).collect();
        let heartbeat = Box::pin(sleep_until(Instant::now() + HEARTBEAT_INTERVAL));
        Self { id, pending, watched, from: 0, heartbeat }
    }

    fn next_message(&mut self) -> Option<Bytes> {
        while let Some(place) = self.pending.take(self.from) {
            self.from = (place + 1) % self.watched.len();
            let watched = &mut self.watched[place];
            // A quote published after this point marks its security again.
            let Some(update) = watched.slot.latest() else { continue };
            if update.number != watched.sent {
                watched.sent = update.number;
                return Some(update.bytes.clone());
            }
        }
        None
    }
}

impl Stream for Subscription {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        this.pending.waker.register(context.waker());
        let message = match this.next_message() {
            Some(message) => message,
            None => {
                std::task::ready!(this.heartbeat.as_mut().poll(context));
                Bytes::new()
            }
        };
        this.heartbeat.as_mut().reset(Instant::now() + HEARTBEAT_INTERVAL);
        Poll::Ready(Some(message))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        for watched in &self.watched {
            watched.slot.forget(self.id);
        }
    }
}
