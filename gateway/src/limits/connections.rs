//! Who may connect: an address cannot take all descriptors that the process has.

use std::net::IpAddr;

use opentelemetry::metrics::Counter;
use sahm_chassis::{
    settings::{IpNetwork, Settings},
    telemetry,
};

use super::places::{CONNECTIONS, Place, Places};

/// The connections that may be open.
pub(crate) struct Connections {
    places: Places,
    trusted: Vec<IpNetwork>,
    refused: Counter<u64>,
}

impl Connections {
    /// Where rate limits are off, an address may have all of them.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            places: Places::new(CONNECTIONS, settings.rate_limits),
            trusted: settings.trusted_proxies.clone(),
            refused: telemetry::counter(
                "http.server.connections_refused",
                "Connections ended at once: there are too many",
            ),
        }
    }

    /// The place of a connection; none where its peer has too many. A trusted proxy's are those of
    /// many.
    pub(crate) fn admit(&self, peer: IpAddr) -> Option<Place> {
        let peer = peer.to_canonical();
        let place = match self.trusted.iter().any(|network| network.contains(peer)) {
            true => self.places.take_of_all(),
            false => self.places.take(peer),
        };
        if place.is_none() {
            self.refused.add(1, &[]);
        }
        place
    }
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
        let connections = Connections::new(&settings);
        let count = |peer: [u8; 4]| {
            let admitted = std::iter::repeat_with(|| connections.admit(peer.into()));
            admitted.map_while(|place| place).collect::<Vec<_>>()
        };
        let strangers = count([203, 0, 113, 1]);
        assert_eq!(strangers.len(), 2_048);
        assert_eq!(count([203, 0, 113, 2]).len(), 2_048);
        assert_eq!(count([10, 0, 0, 1]).len(), 32_768 - 2_048);
    }
}
