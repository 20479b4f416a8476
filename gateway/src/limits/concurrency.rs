//! Concurrency limits for each address and in all: of requests until their response head, of connections, of streams.
//! What exceeds them is rejected before it costs anything.

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

/// What is limited, and to how many.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Permits of the whole process.
    pub(super) in_all: usize,
    /// Permits of one address.
    pub(super) of_an_address: usize,
    pub(super) figure: &'static str,
    pub(super) description: &'static str,
}

/// Requests, except hits of the page cache.
pub(crate) const REQUESTS: Kind = Kind {
    in_all: 4_096,
    of_an_address: 512,
    figure: "http.server.active_requests",
    description: "Requests under way, hits and streams apart",
};

/// Clients that watch quotes.
pub(crate) const STREAMS: Kind = Kind {
    in_all: 16_384,
    of_an_address: 1_024,
    figure: "quote_stream.clients",
    description: "Clients that watch quotes",
};

/// Forms with files that are being received; each buffers a few chunks.
pub(crate) const UPLOADS: Kind = Kind {
    in_all: 128,
    of_an_address: 8,
    figure: "http.server.uploads",
    description: "Forms with files that are being received",
};

/// Connections.
pub(super) const CONNECTIONS: Kind = Kind {
    in_all: 32_768,
    of_an_address: 2_048,
    figure: "http.server.connections",
    description: "Connections that are open",
};

/// HTTP/2 responses that their client has not read yet.
pub(super) const UNREAD_RESPONSES: Kind = Kind {
    in_all: 4_096,
    of_an_address: 512,
    figure: "http.server.unread_responses",
    description: "Responses over HTTP/2 that their clients have not taken yet",
};

/// HTTP/1.1 connections that send a request head of more than 8 KB.
pub(super) const LARGE_HEADS: Kind = Kind {
    in_all: 1_024,
    of_an_address: 128,
    figure: "http.server.large_heads",
    description: "Connections that are sending a request head of more than 8 KB",
};

/// Requests to proxied apps, until the end of the response.
pub(crate) const PROXIED: Kind = Kind {
    in_all: 512,
    of_an_address: 64,
    figure: "http.server.proxied_requests",
    description: "Requests under way to the apps beside this site",
};

/// Shards of the lock.
const SHARDS: usize = 16;

/// The permits of a limit. Clones share them.
#[derive(Clone)]
pub(crate) struct ConcurrencyLimit(Arc<Inner>);

struct Inner {
    kind: Kind,
    taken: AtomicUsize,
    /// `None`: an address may take all permits.
    of_addresses: Option<[Mutex<HashMap<Address, usize>>; SHARDS]>,
    hasher: std::hash::RandomState,
}

/// A permit, held until it is dropped.
pub(crate) struct Permit {
    inner: Arc<Inner>,
    /// `None`: it counts for no address.
    address: Option<Address>,
}

/// The limit that is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    /// The share of the request's own address.
    Address,
    /// The limit of the whole process.
    Total,
}

impl ConcurrencyLimit {
    /// `by_address`: whether one address may take only a share.
    pub(crate) fn new(kind: Kind, by_address: bool) -> Self {
        let (figure, description) = (kind.figure, kind.description);
        let inner = Arc::new(Inner {
            kind,
            taken: AtomicUsize::new(0),
            of_addresses: by_address.then(Default::default),
            hasher: std::hash::RandomState::new(),
        });
        Observed::of(figure, description)
            .gauge(Arc::downgrade(&inner), |inner| inner.taken.load(Ordering::Relaxed) as u64);
        Self(inner)
    }

    /// Returns a permit, or `None` if the share of the address or the limit is exhausted.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Permit> {
        self.acquire(address).ok()
    }

    /// Returns a permit for a request of this address.
    ///
    /// # Errors
    /// The limit that is exhausted.
    pub(crate) fn acquire(&self, address: IpAddr) -> Result<Permit, LimitExceeded> {
        let mut place = self.acquire_global().ok_or(LimitExceeded::Total)?;
        let address = Address::of(address);
        let granted = self.0.count(address, |taken| {
            let free = *taken < self.0.kind.of_an_address;
            *taken += usize::from(free);
            free
        });
        // What is dropped without an address gives back no more than was taken.
        match granted {
            Some(false) => return Err(LimitExceeded::Address),
            Some(true) => place.address = Some(address),
            None => {}
        }
        Ok(place)
    }

    /// Returns a permit; `None` stands for many addresses, which have no share.
    pub(super) fn take_for(&self, address: Option<IpAddr>) -> Option<Permit> {
        match address {
            Some(address) => self.take(address),
            None => self.acquire_global(),
        }
    }

    /// Returns a permit that counts for no address, or `None` if the limit is exhausted.
    pub(crate) fn acquire_global(&self) -> Option<Permit> {
        let inner = &self.0;
        if inner.taken.fetch_add(1, Ordering::Relaxed) >= inner.kind.in_all {
            inner.taken.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(Permit { inner: inner.clone(), address: None })
    }
}

impl Inner {
    /// Changes the number of permits of an address; one without permits is removed.
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

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(address) = self.address {
            self.inner.count(address, |taken| *taken = taken.saturating_sub(1));
        }
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

    fn remembered(places: &ConcurrencyLimit) -> usize {
        let shards = places.0.of_addresses.iter().flatten();
        shards.map(|shard| shard.lock().unwrap().len()).sum()
    }

    #[test]
    fn an_address_has_a_share_and_returns_it() {
        let places = ConcurrencyLimit::new(REQUESTS, true);
        let mut taken = Vec::new();
        while let Some(place) = places.take(address(1)) {
            taken.push(place);
        }
        assert_eq!(taken.len(), REQUESTS.of_an_address);
        assert_eq!(places.acquire(address(1)).err(), Some(LimitExceeded::Address));
        assert!(places.take(address(2)).is_some());
        taken.pop();
        assert!(places.take(address(1)).is_some());
        drop(taken);
        assert_eq!((remembered(&places), places.0.taken.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn the_total_is_bounded() {
        for by_address in [true, false] {
            let places = ConcurrencyLimit::new(REQUESTS, by_address);
            let number = |at: u32| if by_address { at / 100 } else { 1 };
            let taken = (0..).map_while(|at| places.take(address(number(at)))).collect::<Vec<_>>();
            assert_eq!(taken.len(), REQUESTS.in_all);
            assert_eq!(places.acquire(address(u32::MAX)).err(), Some(LimitExceeded::Total));
            drop(taken);
            assert_eq!((remembered(&places), places.0.taken.load(Ordering::Relaxed)), (0, 0));
        }
    }
}
