//! A cache from URL and client profile to cache key, for pages that the page cache serves to any visitor.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::{HeaderName, Method, Request};
use quick_cache::{Equivalent, sync::Cache};

use crate::{
    http_metrics::RouteLabel,
    page_cache::Key,
    session::may_be_member,
    visitor::{ClientProfile, Locale},
};

/// Maximum number of cached URLs.
const CAPACITY: usize = 8192;
/// Maximum length of a cached URL, bytes; longer ones are resolved each time.
const MAX_CACHED_URL_BYTES: usize = 256;
/// Interval of the log line for hits.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const X_BUILD: HeaderName = HeaderName::from_static("x-build");

/// A cache from URL and client profile to cache key, for pages that the page cache serves to any visitor.
#[derive(Debug)]
pub(crate) struct ResolvedUrlCache {
    pages: Cache<UrlKey<Box<str>>, Arc<ResolvedUrl>>,
    /// Hits since the last log line.
    hits: AtomicU64,
}

#[derive(Debug)]
pub(crate) struct ResolvedUrl {
    pub(crate) key: Box<str>,
    /// The language to remember in the cookie `lang`.
    pub(crate) remember: Option<Locale>,
    /// The route, for metrics.
    pub(crate) route: RouteLabel,
}

/// All inputs of URL resolution: path and query as sent, and the client profile.
#[derive(Debug, PartialEq, Eq, Hash)]
struct UrlKey<S> {
    target: S,
    profile: ClientProfile,
}

impl Equivalent<UrlKey<Box<str>>> for UrlKey<&str> {
    fn equivalent(&self, key: &UrlKey<Box<str>>) -> bool {
        self.profile == key.profile && *self.target == *key.target
    }
}

impl ResolvedUrlCache {
    pub(crate) fn new() -> Self {
        Self { pages: Cache::new(CAPACITY), hits: AtomicU64::new(0) }
    }

    /// The cached resolution of a request's URL. `None` also if the response depends on more than the URL: a session,
    /// another build, a trace to continue.
    pub(crate) fn get<B>(
        &self,
        request: &Request<B>,
        profile: &ClientProfile,
    ) -> Option<Arc<ResolvedUrl>> {
        let headers = request.headers();
        if !matches!(*request.method(), Method::GET | Method::HEAD)
            || headers.contains_key(TRACEPARENT)
            || headers.contains_key(X_BUILD)
            || may_be_member(headers)
        {
            return None;
        }
        let target = request.uri().path_and_query()?.as_str();
        if target.len() > MAX_CACHED_URL_BYTES {
            return None;
        }
        self.pages.get(&UrlKey { target, profile: *profile })
    }

    /// Caches the resolution of a URL whose page the page cache serves to any visitor.
    pub(crate) fn insert(
        &self,
        parts: &http::request::Parts,
        profile: ClientProfile,
        key: &Key,
        remember: Option<Locale>,
        route: &RouteLabel,
    ) {
        let Some(target) = parts.uri.path_and_query().map(|target| target.as_str()) else { return };
        if target.len() > MAX_CACHED_URL_BYTES || may_be_member(&parts.headers) {
            return;
        }
        if self.pages.peek(&UrlKey { target, profile }).is_none() {
            let page = ResolvedUrl { key: key.text().into(), remember, route: route.clone() };
            self.pages.insert(UrlKey { target: target.into(), profile }, page.into());
        }
    }

    /// Counts a hit for [`ResolvedUrlCache::log_hits`].
    pub(crate) fn count(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Logs the number of hits at an interval, if there were any.
    pub(crate) async fn log_hits(&self) {
        let mut beat = tokio::time::interval(LOG_INTERVAL);
        loop {
            beat.tick().await;
            let hits = self.hits.swap(0, Ordering::Relaxed);
            if hits > 0 {
                tracing::info!(target: "sahm::request", hits, "cached pages");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{page_cache::Kind, visitor::Visitor};

    const PC: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/150";

    fn request(method: &str, target: &str, pairs: &[(&str, &str)]) -> Request<()> {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in pairs {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    }

    fn inserted(target: &str, pairs: &[(&str, &str)]) -> ResolvedUrlCache {
        let known = ResolvedUrlCache::new();
        let (parts, ()) = request("GET", target, pairs).into_parts();
        let profile = ClientProfile::from_headers(&parts.headers, "SahmApp/");
        let key = Key::new(Kind::Page, &Visitor::of(None, "", &profile), "/news", []);
        known.insert(&parts, profile, &key, None, &RouteLabel::Pattern("/news".into()));
        known
    }

    #[test]
    fn a_url_is_cached_for_equal_client_profiles_only() {
        let known = inserted("/news?tab=2", &[("user-agent", PC)]);
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
        type Headers<'a> = &'a [(&'a str, &'a str)];
        let cases: [(&str, &str, Headers<'_>, bool); 17] = [
            ("GET", "/news?tab=2", &[("user-agent", PC)], true),
            ("HEAD", "/news?tab=2", &[("user-agent", PC)], true),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("accept-encoding", "br")], true),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("cookie", "lang=en-us")], true),
            ("GET", "/news?tab=2", &[("user-agent", "Mozilla/5.0 (Macintosh)")], true),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("cookie", "AGENTID=x; vid=1")], true),
            ("POST", "/news?tab=2", &[("user-agent", PC)], false),
            // Redirect rules depend on it.
            ("GET", "/news?tab=2", &[("user-agent", PC), ("cookie", "AGENTID=7")], false),
            ("GET", "/news?tab=3", &[("user-agent", PC)], false),
            ("GET", "/news", &[("user-agent", PC)], false),
            ("GET", "/news?tab=2", &[], false),
            ("GET", "/news?tab=2", &[("user-agent", phone)], false),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("cookie", "lang=ar-sa")], false),
            (
                "GET",
                "/news?tab=2",
                &[("user-agent", PC), ("sec-ch-prefers-color-scheme", "dark")],
                false,
            ),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("traceparent", "00-1-1-01")], false),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("x-build", "1")], false),
            (
                "GET",
                "/news?tab=2",
                &[("user-agent", PC), ("cookie", "a=1; __Host-sahm_session=x")],
                false,
            ),
        ];
        for (method, target, pairs, is_known) in cases {
            let request = request(method, target, pairs);
            let profile = ClientProfile::from_headers(request.headers(), "SahmApp/");
            let found = known.get(&request, &profile);
            assert_eq!(found.is_some(), is_known, "{method} {target} {pairs:?}");
        }
    }

    #[test]
    fn members_and_long_urls_are_not_cached() {
        let endless = format!("/news?x={}", "x".repeat(MAX_CACHED_URL_BYTES));
        for (target, pairs) in
            [("/news", &[("cookie", "sahm_session=x")][..]), (endless.as_str(), &[])]
        {
            let request = request("GET", target, &[]);
            let profile = ClientProfile::from_headers(request.headers(), "SahmApp/");
            assert!(inserted(target, pairs).get(&request, &profile).is_none());
        }
    }
}
