//! Rejects unsafe requests from pages of other sites (docs/limits-and-timeouts.md).

use std::net::IpAddr;

use http::{HeaderMap, header};
use reqwest::Url;
use sahm_chassis::error::ErrorCode;

use super::envelope::Failure;

/// The origins whose pages may send unsafe requests.
#[derive(Clone, Debug)]
pub(super) struct CrossSite {
    site: Option<Url>,
    hosts: Vec<String>,
    loopback: bool,
}

impl CrossSite {
    /// Allows the origin of `public_url` and `hosts`; with `loopback` (in dev), any loopback host and port.
    pub(super) fn new(public_url: &str, hosts: &[String], loopback: bool) -> Self {
        let hosts = hosts.iter().map(|host| host.trim_matches('.').to_ascii_lowercase());
        Self {
            site: Url::parse(public_url).ok(),
            hosts: hosts.filter(|host| !host.is_empty()).collect(),
            loopback,
        }
    }

    /// Checks the headers of an unsafe request.
    ///
    /// # Errors
    /// 403 if a page of another site sent it.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let cross_site = headers
            .get_all("sec-fetch-site")
            .iter()
            .any(|value| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"cross-site"));
        let foreign = headers
            .get_all(header::ORIGIN)
            .iter()
            .any(|value| !value.to_str().is_ok_and(|origin| self.allows(origin)));
        if cross_site || foreign {
            return Err(Failure::new(ErrorCode::Forbidden));
        }
        Ok(())
    }

    fn allows(&self, origin: &str) -> bool {
        let Ok(origin) = Url::parse(origin) else { return false };
        // Browsers send an origin without a user.
        if !origin.username().is_empty() || origin.password().is_some() {
            return false;
        }
        let host = origin.host_str().unwrap_or_default();
        let is_listed = |listed: &String| {
            let above = host.strip_suffix(listed.as_str());
            above.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.site.as_ref().is_some_and(|site| site.origin() == origin.origin())
            || origin.scheme() == "https" && self.hosts.iter().any(is_listed)
            || self.loopback && is_loopback(host)
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn origins_are_allowed_by_site_host_and_environment() {
        let hosts = ["sahm.example".to_owned()];
        let live = CrossSite::new("https://www.sahm.test", &hosts, false);
        let dev = CrossSite::new("http://127.0.0.1:8080", &hosts, true);
        struct Case {
            origin: Option<&'static str>,
            fetch_site: Option<&'static str>,
            /// Whether production rejects it, and whether development does.
            rejected: (bool, bool),
        }
        let case = |origin, fetch_site, rejected| Case { origin, fetch_site, rejected };
        let neither = (false, false);
        let (only_live, only_dev, both) = ((true, false), (false, true), (true, true));
        for Case { origin, fetch_site, rejected } in [
            case(None, None, neither),
            case(None, Some("same-origin"), neither),
            case(None, Some("none"), neither),
            case(None, Some("cross-site"), both),
            case(None, Some("Cross-Site"), both),
            case(Some("https://www.sahm.test"), None, only_dev),
            case(Some("https://www.sahm.test:443"), None, only_dev),
            case(Some("HTTPS://WWW.sahm.test"), None, only_dev),
            case(Some("https://www.sahm.test"), Some("cross-site"), both),
            case(Some("http://www.sahm.test"), None, both),
            case(Some("https://www.sahm.test:8443"), None, both),
            case(Some("https://sahm.test"), None, both),
            case(Some("https://sahm.example"), None, neither),
            case(Some("https://a.b.sahm.example"), None, neither),
            case(Some("https://a.sahm.example:8443"), None, neither),
            case(Some("https://sahm.example"), Some("cross-site"), both),
            case(Some("http://sahm.example"), None, both),
            case(Some("https://evilsahm.example"), None, both),
            case(Some("https://sahm.example.evil"), None, both),
            case(Some("https://sahm.example@evil"), None, both),
            case(Some("https://evil@sahm.example"), None, both),
            case(Some("null"), None, both),
            case(Some("null"), Some("same-origin"), both),
            case(Some(""), None, both),
            case(Some("http://localhost:3000"), None, only_live),
            case(Some("https://dev.localhost"), None, only_live),
            case(Some("http://127.8.9.1:1"), None, only_live),
            case(Some("http://[::1]:5173"), None, only_live),
            case(Some("http://127.0.0.1:8080"), None, only_live),
            case(Some("http://127.0.0.1.evil"), None, both),
            case(Some("file://localhost"), None, both),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            if let Some(site) = fetch_site {
                headers.insert("sec-fetch-site", site.parse().unwrap());
            }
            let found = (live.check(&headers).is_err(), dev.check(&headers).is_err());
            assert_eq!(found, rejected, "{origin:?} {fetch_site:?}");
        }
    }

    #[test]
    fn one_foreign_origin_of_several_is_rejected() {
        let rule = CrossSite::new("https://www.sahm.test", &[], false);
        let mut headers = HeaderMap::new();
        headers.append(header::ORIGIN, "https://www.sahm.test".parse().unwrap());
        headers.append(header::ORIGIN, "https://evil.test".parse().unwrap());
        assert!(rule.check(&headers).is_err());
    }
}
