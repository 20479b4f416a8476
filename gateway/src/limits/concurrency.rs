//! Concurrency limits per address and per process: of requests until their response head, of connections, of streams.
//! Requests beyond a limit are rejected at once.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use sahm_chassis::telemetry::Observed;

use super::Address;

/// The bounds of a concurrency limit.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Permits of the whole process.
    pub(super) total: usize,
    /// Permits of one address.
    pub(super) per_address: usize,
}

/// Requests, except hits of the page cache.
pub(crate) const REQUESTS: Bounds = Bounds { total: 4_096, per_address: 512 };

pub(crate) const STREAMS: Bounds = Bounds { total: 16_384, per_address: 1_024 };

/// Multipart forms that are being received; each buffers a few chunks.
pub(crate) const UPLOADS: Bounds = Bounds { total: 128, per_address: 8 };

pub(super) const CONNECTIONS: Bounds = Bounds { total: 32_768, per_address: 2_048 };

/// HTTP/2 responses that their client has not read yet.
pub(super) const UNREAD_RESPONSES: Bounds = Bounds { total: 4_096, per_address: 512 };

/// HTTP/1.1 connections that send a request head of more than 8 KB.
pub(super) const LARGE_HEADS: Bounds = Bounds { total: 1_024, per_address: 128 };

/// Requests to proxied apps, until the end of the response.
pub(crate) const PROXIED: Bounds = Bounds { total: 512, per_address: 64 };

/// The permits of a limit. Clones share them.
#[derive(Clone)]
pub(crate) struct ConcurrencyLimit(Arc<Inner>);

struct Inner {
    bounds: Bounds,
    taken: AtomicUsize,
    /// Permits of each address; `None`: an address may take all permits.
    by_address: Option<Mutex<HashMap<Address, usize>>>,
}

/// A permit, held until it is dropped.
pub(crate) struct Permit {
    inner: Arc<Inner>,
    /// `None`: it counts against no address.
    address: Option<Address>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitExceeded {
    /// The share of the request's own address.
    Address,
    /// The limit of the whole process.
    Total,
}

impl ConcurrencyLimit {
    /// `by_address`: whether one address is limited to [`Bounds::per_address`].
    pub(crate) fn new(bounds: Bounds, by_address: bool) -> Self {
        Self(Arc::new(Inner {
            bounds,
            taken: AtomicUsize::new(0),
            by_address: by_address.then(Default::default),
        }))
    }

    /// Exports the number of permits that are taken.
    pub(crate) fn export(self, metric: &'static str, description: &'static str) -> Self {
        Observed::of(metric, description)
            .gauge(Arc::downgrade(&self.0), |inner| inner.taken.load(Ordering::Relaxed) as u64);
        self
    }

    /// Returns a permit for a request of this address.
    ///
    /// # Errors
    /// The limit that is exhausted.
    pub(crate) fn acquire(&self, address: IpAddr) -> Result<Permit, LimitExceeded> {
        let mut permit = self.acquire_global().ok_or(LimitExceeded::Total)?;
        let address = Address::of(address);
        let granted = self.0.count(address, |taken| {
            let is_granted = *taken < self.0.bounds.per_address;
            *taken += usize::from(is_granted);
            is_granted
        });
        // Set only after the address was counted, because dropping the permit decrements that count.
        match granted {
            Some(false) => return Err(LimitExceeded::Address),
            Some(true) => permit.address = Some(address),
            None => {}
        }
        Ok(permit)
    }

    /// As [`acquire`](Self::acquire); without an address, for a peer that represents many clients.
    pub(super) fn acquire_for(&self, address: Option<IpAddr>) -> Option<Permit> {
        match address {
            Some(address) => self.acquire(address).ok(),
            None => self.acquire_global(),
        }
    }

    /// Returns a permit that counts against no address, or `None` if the limit is exhausted.
    fn acquire_global(&self) -> Option<Permit> {
        let inner = &self.0;
        if inner.taken.fetch_add(1, Ordering::Relaxed) >= inner.bounds.total {
            inner.taken.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(Permit { inner: inner.clone(), address: None })
    }
}

impl Inner {
    /// Changes the number of permits of an address, and removes an address without permits.
    fn count<T>(&self, address: Address, change: impl FnOnce(&mut usize) -> T) -> Option<T> {
        let by_address = self.by_address.as_ref()?;
        let mut by_address = by_address.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = by_address.entry(address).or_default();
        let changed = change(taken);
        if *taken == 0 {
            by_address.remove(&address);
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

    fn address_count(limit: &ConcurrencyLimit) -> usize {
        limit.0.by_address.as_ref().map_or(0, |by_address| by_address.lock().unwrap().len())
    }

    #[test]
    fn address_is_limited_to_its_share_until_permits_are_dropped() {
        let limit = ConcurrencyLimit::new(REQUESTS, true);
        let mut taken = Vec::new();
        while let Ok(permit) = limit.acquire(address(1)) {
            taken.push(permit);
        }
        assert_eq!(taken.len(), REQUESTS.per_address);
        assert_eq!(limit.acquire(address(1)).err(), Some(LimitExceeded::Address));
        assert!(limit.acquire(address(2)).is_ok());
        taken.pop();
        assert!(limit.acquire(address(1)).is_ok());
        drop(taken);
        assert_eq!((address_count(&limit), limit.0.taken.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn total_is_limited_over_all_addresses() {
        for by_address in [true, false] {
            let limit = ConcurrencyLimit::new(REQUESTS, by_address);
            let number = |at: u32| if by_address { at / 100 } else { 1 };
            let taken =
                (0..).map_while(|at| limit.acquire(address(number(at))).ok()).collect::<Vec<_>>();
            assert_eq!(taken.len(), REQUESTS.total);
            assert_eq!(limit.acquire(address(u32::MAX)).err(), Some(LimitExceeded::Total));
            drop(taken);
            assert_eq!((address_count(&limit), limit.0.taken.load(Ordering::Relaxed)), (0, 0));
        }
    }
}
