//! The client's address, also behind proxies.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use sahm_chassis::settings::IpNet;

/// The only forwarding header that is read. Proxies append to it. `forwarded` is ignored, because a proxy that writes
/// one of the two forwards the other as the client sent it.
const HEADER: &str = "x-forwarded-for";

/// The client's address, as an extension of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that limits are counted against: the unspecified address if the request has no extension, so that no
    /// request is unlimited.
    pub(crate) fn for_limits(extensions: &http::Extensions) -> IpAddr {
        let known = extensions.get::<Self>();
        known.map_or(Ipv4Addr::UNSPECIFIED.into(), |ClientAddress(address)| *address)
    }

    /// The peer, or, behind trusted proxies, the rightmost forwarded address that is not a trusted proxy's. A malformed
    /// entry ends the search at the proxy that sent it.
    pub(crate) fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_proxy = |address| is_trusted(address, trusted);
        let mut address = peer.to_canonical();
        if !is_proxy(address) {
            return Self(address);
        }
        let lines = headers.get_all(HEADER).iter().collect::<Vec<_>>();
        let entries =
            lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
        for entry in entries {
            let Some(before) = parse(entry) else { break };
            address = before;
            if !is_proxy(address) {
                break;
            }
        }
        Self(address)
    }
}

/// The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one
/// customer.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & (u128::MAX << 64);
            Ipv6Addr::from(network).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

pub(crate) fn is_trusted(peer: IpAddr, trusted: &[IpNet]) -> bool {
    let peer = peer.to_canonical();
    trusted.iter().any(|network| network.contains(&peer))
}

/// An address, with a port or without.
fn parse(entry: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(entry).ok()?.trim();
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn forwarded_addresses_of_untrusted_peers_are_ignored(line in "[ -~]{0,60}", peer in any::<u32>()) {
            let peer = IpAddr::from(std::net::Ipv4Addr::from(peer));
            let mut headers = HeaderMap::new();
            headers.append(HEADER, line.parse().unwrap());
            prop_assert_eq!(ClientAddress::of(peer, &headers, &[]).0, peer);
            // The header may contain anything; the result is an address in it or the proxy's own.
            let all = ["0.0.0.0/0".parse().unwrap()];
            let found = ClientAddress::of(peer, &headers, &all).0;
            prop_assert!(found == peer || line.contains(&found.to_string()) || found.is_ipv6()
                || line.split(',').any(|entry| parse(entry.as_bytes()) == Some(found)));
        }
    }

    #[test]
    fn requests_without_an_address_share_the_limits_of_one() {
        let mut extensions = http::Extensions::new();
        assert_eq!(ClientAddress::for_limits(&extensions).to_string(), "0.0.0.0");
        extensions.insert(ClientAddress("203.0.113.1".parse().unwrap()));
        assert_eq!(ClientAddress::for_limits(&extensions).to_string(), "203.0.113.1");
    }

    #[test]
    fn the_rightmost_untrusted_address_counts() {
        let trusted = ["10.0.0.0/8", "2001:db8::/32"].map(|network| network.parse().unwrap());
        // Peer, header lines, client address.
        let cases: [(&str, &[&str], &str); 13] = [
            ("203.0.113.1", &[], "203.0.113.1"),
            ("203.0.113.1", &["198.51.100.2"], "203.0.113.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.2"], "198.51.100.2"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.2"], "198.51.100.2"),
            ("10.0.0.1", &["1.1.1.1", "198.51.100.2, 10.0.0.7"], "198.51.100.2"),
            ("10.0.0.1", &["1.1.1.1,10.0.0.8 , 10.0.0.7"], "1.1.1.1"),
            ("10.0.0.1", &["10.0.0.8, 10.0.0.7"], "10.0.0.8"),
            ("10.0.0.1", &["1.1.1.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", &["1.1.1.1, junk, 10.0.0.7"], "10.0.0.7"),
            ("::ffff:10.0.0.1", &["198.51.100.2:4711"], "198.51.100.2"),
            ("2001:db8::1", &["[2a00::5]:443"], "2a00::5"),
            ("2001:db8::1", &["[2a00::5]"], "2a00::5"),
        ];
        for (peer, lines, expected) in cases {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(HEADER, line.parse().unwrap());
            }
            headers.insert("forwarded", "for=9.9.9.9".parse().unwrap());
            let found = ClientAddress::of(peer.parse().unwrap(), &headers, &trusted);
            assert_eq!(found.0, expected.parse::<IpAddr>().unwrap(), "{peer} {lines:?}");
        }
    }
}
