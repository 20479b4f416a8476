//! How many requests are under way at once, until the head of their answer: of one address, and in
//! all. What is beyond that is told to come back, before it costs anything.

use std::{
    collections::HashMap,
    hash::BuildHasher,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use sahm_chassis::telemetry::Observed;

use super::Address;

/// Of the whole process.
const IN_ALL: usize = 4_096;
/// Of one address.
const OF_AN_ADDRESS: usize = 512;
/// Locks, so that few wait for one.
const SHARDS: usize = 16;

/// The places there are. Clones share them.
#[derive(Clone)]
pub(crate) struct Places(Arc<Inner>);

struct Inner {
    taken: AtomicUsize,
    /// None: an address may take all of them.
    of_addresses: Option<[Mutex<HashMap<Address, usize>>; SHARDS]>,
    hasher: std::hash::RandomState,
}

/// A place that one request has taken.
pub(crate) struct Place {
    inner: Arc<Inner>,
    address: Address,
}

impl Places {
    /// `by_address`: whether one address may take only a part of them.
    pub(crate) fn new(by_address: bool) -> Self {
        let inner = Arc::new(Inner {
            taken: AtomicUsize::new(0),
            of_addresses: by_address.then(Default::default),
            hasher: std::hash::RandomState::new(),
        });
        Observed::of("http.server.active_requests", "Requests under way, hits and streams apart")
            .gauge(Arc::downgrade(&inner), |inner| inner.taken.load(Ordering::Relaxed) as u64);
        Self(inner)
    }

    /// A place; none where all that this address may have are taken.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Place> {
        let (inner, address) = (&self.0, Address::of(address));
        if inner.taken.fetch_add(1, Ordering::Relaxed) >= IN_ALL {
            inner.taken.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        // From here on, what is dropped gives back what was taken.
        let granted = inner.count(address, |taken| {
            let free = *taken < OF_AN_ADDRESS;
            *taken += usize::from(free);
            free
        });
        if granted.unwrap_or(true) {
            return Some(Place { inner: inner.clone(), address });
        }
        inner.taken.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

impl Inner {
    /// Changes how many places an address has; one that has none is not remembered.
    fn count<T>(&self, address: Address, change: impl FnOnce(&mut usize) -> T) -> Option<T> {
        let shards = self.of_addresses.as_ref()?;
        let hash = usize::try_from(self.hasher.hash_one(address) % SHARDS as u64).unwrap_or(0);
        let mut shard = shards[hash].lock().unwrap_or_else(PoisonError::into_inner);
        let taken = shard.entry(address).or_default();
        let changed = change(taken);
        if *taken == 0 {
            shard.remove(&address);
        }
        Some(changed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.inner.count(self.address, |taken| *taken = taken.saturating_sub(1));
        self.inner.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::net::Ipv4Addr;

    use super::*;

    fn address(number: u32) -> IpAddr {
        Ipv4Addr::from(number).into()
    }

    fn remembered(places: &Places) -> usize {
        let shards = places.0.of_addresses.iter().flatten();
        shards.map(|shard| shard.lock().unwrap().len()).sum()
    }

    #[test]
    fn an_address_has_its_part_and_gives_it_back() {
        let places = Places::new(true);
        let mut taken = Vec::new();
        while let Some(place) = places.take(address(1)) {
            taken.push(place);
        }
        assert_eq!(taken.len(), OF_AN_ADDRESS);
        assert!(places.take(address(2)).is_some());
        taken.pop();
        assert!(places.take(address(1)).is_some());
        drop(taken);
        assert_eq!((remembered(&places), places.0.taken.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn all_of_them_are_bounded() {
        for by_address in [true, false] {
            let places = Places::new(by_address);
            let number = |at: u32| if by_address { at / 100 } else { 1 };
            let taken = (0..).map_while(|at| places.take(address(number(at)))).collect::<Vec<_>>();
            assert_eq!(taken.len(), IN_ALL);
            assert!(places.take(address(u32::MAX)).is_none());
            drop(taken);
            assert_eq!((remembered(&places), places.0.taken.load(Ordering::Relaxed)), (0, 0));
        }
    }
}
