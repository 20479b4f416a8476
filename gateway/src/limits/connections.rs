//! Admission of connections, and the share of one address over all its connections.

use std::net::IpAddr;

use sahm_chassis::{
    lifecycle,
    settings::{IpNet, Settings},
};

use super::concurrency::{
    Bounds, CONNECTIONS, ConcurrencyLimit, LARGE_HEADS, Permit, UNREAD_RESPONSES,
};
use crate::client_address::is_trusted;

/// Upper bound of file descriptors reserved for stores, services, files and Redis.
const MAX_RESERVED_DESCRIPTORS: usize = 1_024;

pub(crate) struct Connections {
    open: ConcurrencyLimit,
    large_heads: ConcurrencyLimit,
    unread_responses: ConcurrencyLimit,
    trusted: Vec<IpNet>,
}

/// An admitted connection. It counts until it is dropped.
pub(crate) struct Admission {
    pub(crate) permit: Permit,
    pub(crate) share: AddressShare,
}

/// The share of one client address over all its connections.
#[derive(Clone)]
pub(crate) struct AddressShare {
    large_heads: ConcurrencyLimit,
    unread_responses: ConcurrencyLimit,
    /// `None`: a trusted proxy, which represents many clients.
    address: Option<IpAddr>,
}

impl AddressShare {
    /// Returns a permit to send a large request head, or `None` if the share is exhausted.
    pub(crate) fn large_head(&self) -> Option<Permit> {
        self.large_heads.acquire_for(self.address)
    }

    /// Returns a permit for a response that its client has not read yet, or `None` if the share is exhausted.
    pub(crate) fn unread_response(&self) -> Option<Permit> {
        self.unread_responses.acquire_for(self.address)
    }
}

impl Connections {
    /// Derives the limits from this process's file descriptors. Without rate limits, one address may have all
    /// connections.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self::with_descriptors(settings, lifecycle::descriptor_limit())
    }

    fn with_descriptors(settings: &Settings, descriptors: usize) -> Self {
        let limit = |bounds| ConcurrencyLimit::new(bounds, settings.rate_limits);
        Self {
            open: limit(connections_within(descriptors)),
            large_heads: limit(LARGE_HEADS),
            unread_responses: limit(UNREAD_RESPONSES),
            trusted: settings.trusted_proxies.clone(),
        }
    }

    /// Admits a connection; `None` if its peer has too many. Connections of a trusted proxy count against the total
    /// only.
    pub(crate) fn admit(&self, peer: IpAddr) -> Option<Admission> {
        let peer = peer.to_canonical();
        let is_proxy = is_trusted(peer, &self.trusted);
        let address = (!is_proxy).then_some(peer);
        let permit = self.open.acquire_for(address)?;
        let share = AddressShare {
            large_heads: self.large_heads.clone(),
            unread_responses: self.unread_responses.clone(),
            address,
        };
        Some(Admission { permit, share })
    }
}

/// The bounds for a number of file descriptors: a quarter of them, at most [`MAX_RESERVED_DESCRIPTORS`], stays free,
/// and one address has at most a quarter of the connections.
fn connections_within(descriptors: usize) -> Bounds {
    let reserved = (descriptors / 4).min(MAX_RESERVED_DESCRIPTORS);
    let total = CONNECTIONS.total.min(descriptors - reserved);
    Bounds { total, per_address: CONNECTIONS.per_address.min(total / 4) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sahm_chassis::settings::Process;

    use super::*;

    #[test]
    fn trusted_proxy_is_not_limited_per_address() {
        let pairs = [("SAHM_TRUSTED_PROXIES".to_owned(), "10.0.0.0/8".to_owned())];
        let settings = Settings::from_pairs(Process::Gateway, pairs).unwrap();
        let connections = Connections::with_descriptors(&settings, 1 << 20);
        let count = |peer: [u8; 4]| {
            let admitted = std::iter::repeat_with(|| connections.admit(peer.into()));
            admitted.map_while(|admission| admission).collect::<Vec<_>>()
        };
        let clients = count([203, 0, 113, 1]);
        assert_eq!(clients.len(), 2_048);
        assert_eq!(count([203, 0, 113, 2]).len(), 2_048);
        assert_eq!(count([10, 0, 0, 1]).len(), 32_768 - 2_048);
    }

    #[test]
    fn one_address_has_a_quarter_of_connections_when_descriptors_are_few() {
        let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
        let connections = Connections::with_descriptors(&settings, 1_024);
        let count = |peer: [u8; 4]| {
            let admitted = std::iter::repeat_with(|| connections.admit(peer.into()));
            admitted.map_while(|admission| admission).collect::<Vec<_>>()
        };
        let first = count([203, 0, 113, 1]);
        let second = count([203, 0, 113, 2]);
        assert_eq!((first.len(), second.len()), (192, 192));
        let others = (3..100).map(|last| count([203, 0, 113, last])).collect::<Vec<_>>();
        let in_all = first.len() + second.len() + others.iter().map(Vec::len).sum::<usize>();
        assert_eq!(in_all, 768);
    }

    #[test]
    fn permits_of_one_address_are_shared_by_its_connections() {
        let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
        let connections = Connections::with_descriptors(&settings, 1 << 20);
        let share = |last| connections.admit([203, 0, 113, last].into()).unwrap().share;
        let (greedy, again, other) = (share(1), share(1), share(2));
        let heads = std::iter::from_fn(|| greedy.large_head()).collect::<Vec<_>>();
        let responses = std::iter::from_fn(|| greedy.unread_response()).collect::<Vec<_>>();
        assert_eq!((heads.len(), responses.len()), (128, 512));
        assert!(again.large_head().is_none() && again.unread_response().is_none());
        assert!(other.large_head().is_some() && other.unread_response().is_some());
        drop((heads, responses));
        assert!(again.large_head().is_some() && again.unread_response().is_some());
    }
}
