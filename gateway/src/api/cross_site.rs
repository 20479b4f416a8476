//! Which unsafe requests come from another site (docs/limits-and-timeouts.md).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::{HeaderMap, header, uri::Authority};

/// The origins that a page may send from.
#[derive(Clone, Debug)]
pub(super) struct CrossSite {
    own: Option<Origin>,
    hosts: Vec<String>,
    loopback: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl CrossSite {
    /// `public_url` is the site's own address, `hosts` the white-listed ones; `loopback` (dev)
    /// lets any loopback name and port in.
    pub(super) fn new(public_url: &str, hosts: &[String], loopback: bool) -> Self {
        let hosts = hosts.iter().map(|host| host.trim_matches('.').to_ascii_lowercase());
        Self {
            own: Origin::parse(public_url),
            hosts: hosts.filter(|host| !host.is_empty()).collect(),
            loopback,
        }
    }

    /// Whether an unsafe request with these headers is refused.
    pub(super) fn refuses(&self, headers: &HeaderMap) -> bool {
        let cross_site = headers
            .get_all("sec-fetch-site")
            .iter()
            .any(|value| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"cross-site"));
        let foreign = headers
            .get_all(header::ORIGIN)
            .iter()
            .any(|value| !value.to_str().is_ok_and(|origin| self.accepts(origin)));
        cross_site || foreign
    }

    fn accepts(&self, origin: &str) -> bool {
        let Some(origin) = Origin::parse(origin) else { return false };
        let listed = |host: &String| {
            let above = origin.host.strip_suffix(host.as_str());
            above.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.own.as_ref() == Some(&origin)
            || origin.scheme == "https" && self.hosts.iter().any(listed)
            || self.loopback && is_loopback(&origin.host)
    }
}

impl Origin {
    /// Reads scheme, host and port; a path after them is not looked at.
    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next()?.parse::<Authority>().ok()?;
        let scheme = scheme.to_ascii_lowercase();
        let port = match (authority.port_u16(), authority.port(), scheme.as_str()) {
            (Some(port), _, "http" | "https") => port,
            (None, None, "https") => 443,
            (None, None, "http") => 80,
            _ => return None,
        };
        let named = !authority.host().is_empty() && !authority.as_str().contains('@');
        let host = authority.host().to_ascii_lowercase();
        named.then_some(Self { scheme, host, port })
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || bare.parse::<Ipv4Addr>().is_ok_and(|address| IpAddr::V4(address).is_loopback())
        || bare.parse::<Ipv6Addr>().is_ok_and(|address| IpAddr::V6(address).is_loopback())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn origins() {
        let hosts = ["sahm.example".to_owned()];
        let live = CrossSite::new("https://www.sahm.test", &hosts, false);
        let dev = CrossSite::new("http://127.0.0.1:8080", &hosts, true);
        // Origin, fetch site, refused live, refused in dev.
        let cases = [
            (None, None, false, false),
            (None, Some("same-origin"), false, false),
            (None, Some("none"), false, false),
            (None, Some("cross-site"), true, true),
            (None, Some("Cross-Site"), true, true),
            (Some("https://www.sahm.test"), None, false, true),
            (Some("https://www.sahm.test:443"), None, false, true),
            (Some("HTTPS://WWW.sahm.test"), None, false, true),
            (Some("https://www.sahm.test"), Some("cross-site"), true, true),
            (Some("http://www.sahm.test"), None, true, true),
            (Some("https://www.sahm.test:8443"), None, true, true),
            (Some("https://sahm.test"), None, true, true),
            (Some("https://sahm.example"), None, false, false),
            (Some("https://a.b.sahm.example"), None, false, false),
            (Some("https://a.sahm.example:8443"), None, false, false),
            (Some("https://sahm.example"), Some("cross-site"), true, true),
            (Some("http://sahm.example"), None, true, true),
            (Some("https://evilsahm.example"), None, true, true),
            (Some("https://sahm.example.evil"), None, true, true),
            (Some("https://sahm.example@evil"), None, true, true),
            (Some("null"), None, true, true),
            (Some("null"), Some("same-origin"), true, true),
            (Some(""), None, true, true),
            (Some("http://localhost:3000"), None, true, false),
            (Some("https://dev.localhost"), None, true, false),
            (Some("http://127.8.9.1:1"), None, true, false),
            (Some("http://[::1]:5173"), None, true, false),
            (Some("http://127.0.0.1:8080"), None, true, false),
            (Some("http://127.0.0.1.evil"), None, true, true),
            (Some("file://localhost"), None, true, true),
        ];
        for (origin, site, in_live, in_dev) in cases {
            let mut headers = HeaderMap::new();
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            if let Some(site) = site {
                headers.insert("sec-fetch-site", site.parse().unwrap());
            }
            assert_eq!(live.refuses(&headers), in_live, "live {origin:?} {site:?}");
            assert_eq!(dev.refuses(&headers), in_dev, "dev {origin:?} {site:?}");
        }
    }

    #[test]
    fn any_foreign_origin_of_several_refuses() {
        let rule = CrossSite::new("https://www.sahm.test", &[], false);
        let mut headers = HeaderMap::new();
        headers.append(header::ORIGIN, "https://www.sahm.test".parse().unwrap());
        headers.append(header::ORIGIN, "https://evil.test".parse().unwrap());
        assert!(rule.refuses(&headers));
    }
}
