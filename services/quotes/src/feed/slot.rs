//! The latest encoded quote of one security, and its subscribers.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use arc_swap::{ArcSwap, ArcSwapOption};
use bytes::Bytes;
use futures_util::task::AtomicWaker;

use crate::domain::Security;

/// An encoded message, numbered from 1 in its slot.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) number: u64,
    pub(super) bytes: Bytes,
}

/// Bit set of the securities with a quote that a subscriber has not received, and its waker.
#[derive(Debug)]
pub(super) struct Pending {
    words: Box<[AtomicU64]>,
    pub(super) waker: AtomicWaker,
}

impl Pending {
    /// For `count` securities, none of them marked.
    pub(super) fn new(count: usize) -> Self {
        let words = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { words, waker: AtomicWaker::new() }
    }

    pub(super) fn mark(&self, place: usize) {
        self.words[place / 64].fetch_or(1 << (place % 64), Ordering::SeqCst);
        self.waker.wake();
    }

    /// Clears and returns the next marked index, searching from `from` and wrapping around.
    pub(super) fn take(&self, from: usize) -> Option<usize> {
        let count = self.words.len();
        let first = from / 64;
        let above = u64::MAX << (from % 64);
        let words = (0..=count).map(|step| ((first + step) % count.max(1), step));
        for (at, step) in words {
            let mask = match step {
                0 => above,
                last if last == count => !above,
                _ => u64::MAX,
            };
            let bits = self.words.get(at)?.load(Ordering::SeqCst) & mask;
            if bits != 0 {
                let bit = bits.trailing_zeros();
                self.words[at].fetch_and(!(1 << bit), Ordering::SeqCst);
                return Some(at * 64 + bit as usize);
            }
        }
        None
    }
}

/// A security that is or was watched.
#[derive(Debug)]
pub(super) struct Slot {
    security: ArcSwap<Security>,
    latest: ArcSwapOption<Update>,
    watchers: Mutex<HashMap<u64, (Arc<Pending>, usize)>>,
    /// Held while an update is numbered and stored, so that numbers ascend.
    order: Mutex<()>,
}

impl Slot {
    pub(super) fn new(security: Arc<Security>) -> Self {
        Self {
            security: ArcSwap::new(security),
            latest: ArcSwapOption::empty(),
            watchers: Mutex::default(),
            order: Mutex::default(),
        }
    }

    pub(super) fn security(&self) -> Arc<Security> {
        self.security.load_full()
    }

    /// Replaces the description of the security.
    pub(super) fn describe(&self, security: &Arc<Security>) {
        if !Arc::ptr_eq(&self.security.load(), security) {
            self.security.store(security.clone());
        }
    }

    pub(super) fn latest(&self) -> Option<Arc<Update>> {
        self.latest.load_full()
    }

    /// Publishes a message to all watchers unless it equals the latest one.
    pub(super) fn publish(&self, message: Vec<u8>) {
        let order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match &*self.latest.load() {
            Some(latest) if latest.bytes == message => return,
            Some(latest) => latest.number + 1,
            None => 1,
        };
        self.latest.store(Some(Arc::new(Update { number, bytes: message.into() })));
        drop(order);
        for (pending, place) in self.watchers().values() {
            pending.mark(*place);
        }
    }

    pub(super) fn watch(&self, subscriber: u64, pending: &Arc<Pending>, place: usize) {
        self.watchers().insert(subscriber, (pending.clone(), place));
    }

    pub(super) fn forget(&self, subscriber: u64) {
        self.watchers().remove(&subscriber);
    }

    pub(super) fn is_watched(&self) -> bool {
        !self.watchers().is_empty()
    }

    /// Whether the latest quote is kept up to date, because the security is watched.
    pub(super) fn is_current(&self) -> bool {
        self.is_watched() && self.latest.load().is_some()
    }

    fn watchers(&self) -> MutexGuard<'_, HashMap<u64, (Arc<Pending>, usize)>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_marked_index_is_taken_once(
            count in 1_usize..300,
            marks in proptest::collection::btree_set(0_usize..300, 0..60),
            from in 0_usize..300,
        ) {
            let pending = Pending::new(count);
            let marks = marks.into_iter().filter(|place| *place < count).collect::<Vec<_>>();
            marks.iter().for_each(|place| pending.mark(*place));
            let mut at = from % count;
            let mut taken = Vec::new();
            while let Some(place) = pending.take(at) {
                taken.push(place);
                at = (place + 1) % count;
            }
            taken.sort_unstable();
            prop_assert_eq!(taken, marks);
        }
    }
}
