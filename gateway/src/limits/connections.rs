//! Admission of connections, and what a connection may hold: no address takes everything.

use std::net::IpAddr;

use opentelemetry::metrics::Counter;
use sahm_chassis::{
    lifecycle,
    settings::{IpNetwork, Settings},
    telemetry,
};

use super::concurrency::{
    CONNECTIONS, ConcurrencyLimit, Kind, LARGE_HEADS, Permit, UNREAD_RESPONSES,
};

/// File descriptors that connections of clients never take: stores, services, files, Redis.
const MAX_RESERVED_DESCRIPTORS: usize = 1_024;

/// The connections that may be open.
pub(crate) struct Connections {
    open: ConcurrencyLimit,
    large_heads: ConcurrencyLimit,
    unread_responses: ConcurrencyLimit,
    trusted: Vec<IpNetwork>,
    refused: Counter<u64>,
}

/// An admitted connection. It counts until it is dropped.
pub(crate) struct Admission {
    /// Counts for the connection.
    pub(crate) permit: Permit,
    /// What the connection may hold.
    pub(crate) share: Share,
}

/// What one client's address may hold over all its connections.
#[derive(Clone)]
pub(crate) struct Share {
    large_heads: ConcurrencyLimit,
    unread_responses: ConcurrencyLimit,
    /// None: a trusted proxy, which stands for many addresses.
    address: Option<IpAddr>,
}

impl Share {
    /// A permit to send a large request head; none where the address sends too many.
    pub(crate) fn large_head(&self) -> Option<Permit> {
        self.large_heads.take_for(self.address)
    }

    /// A permit for a response that its client has not taken yet; none where the address has too
    /// many.
    pub(crate) fn unread_response(&self) -> Option<Permit> {
        self.unread_responses.take_for(self.address)
    }
}

impl Connections {
    /// As many as this process has file descriptors for. Where rate limits are off, an address may
    /// have all of them.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self::with_descriptors(settings, lifecycle::descriptor_limit())
    }

    fn with_descriptors(settings: &Settings, descriptors: usize) -> Self {
        let places = |kind| ConcurrencyLimit::new(kind, settings.rate_limits);
        Self {
            open: places(connections_within(descriptors)),
            large_heads: places(LARGE_HEADS),
            unread_responses: places(UNREAD_RESPONSES),
            trusted: settings.trusted_proxies.clone(),
            refused: telemetry::counter(
                "http.server.connections_refused",
                "Connections ended at once: there are too many",
            ),
        }
    }

    /// Admits a connection; none where its peer has too many. A trusted proxy's are those of many.
    pub(crate) fn admit(&self, peer: IpAddr) -> Option<Admission> {
        let peer = peer.to_canonical();
        let is_proxy = self.trusted.iter().any(|network| network.contains(peer));
        let address = (!is_proxy).then_some(peer);
        let connection = self.open.take_for(address);
        if connection.is_none() {
            self.refused.add(1, &[]);
        }
        let share = Share {
            large_heads: self.large_heads.clone(),
            unread_responses: self.unread_responses.clone(),
            address,
        };
        connection.map(|permit| Admission { permit, share })
    }
}

/// The connections that a process with so many file descriptors may have: a quarter of the
/// descriptors stays free, and an address has at most a quarter of the connections.
fn connections_within(descriptors: usize) -> Kind {
    let reserved = (descriptors / 4).min(MAX_RESERVED_DESCRIPTORS);
    let in_all = CONNECTIONS.in_all.min(descriptors - reserved);
    Kind { in_all, of_an_address: CONNECTIONS.of_an_address.min(in_all / 4), ..CONNECTIONS }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sahm_chassis::settings::Process;

    use super::*;

    #[test]
    fn a_proxy_has_more_connections_than_a_stranger() {
        let pairs = [("SAHM_TRUSTED_PROXIES".to_owned(), "10.0.0.0/8".to_owned())];
        let settings = Settings::from_pairs(Process::Gateway, pairs).unwrap();
        let connections = Connections::with_descriptors(&settings, 1 << 20);
        let count = |peer: [u8; 4]| {
            let admitted = std::iter::repeat_with(|| connections.admit(peer.into()));
            admitted.map_while(|place| place).collect::<Vec<_>>()
        };
        let strangers = count([203, 0, 113, 1]);
        assert_eq!(strangers.len(), 2_048);
        assert_eq!(count([203, 0, 113, 2]).len(), 2_048);
        assert_eq!(count([10, 0, 0, 1]).len(), 32_768 - 2_048);
    }

    #[test]
    fn few_descriptors_leave_connections_for_others() {
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
    fn one_address_cannot_take_all_permits() {
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
