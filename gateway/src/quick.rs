//! The short way of a stored page. An address that was judged before is known with its key, so a
//! hit costs two look-ups: no judging, no call, no span, and a line in the log for many together.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::{HeaderMap, HeaderName, Method, Request};
use quick_cache::{Equivalent, sync::Cache};

use crate::{
    page_cache::Key,
    request_figures::RouteName,
    session::is_session_cookie,
    visitor::{self, Asker, Locale},
};

/// Addresses that are remembered.
const ADDRESSES: usize = 8192;
/// Longer ones are judged each time.
const LONGEST: usize = 256;
/// How often hits are told in the log.
const TELL: Duration = Duration::from_secs(10);

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const X_BUILD: HeaderName = HeaderName::from_static("x-build");

/// The addresses of pages that were answered from the cache, or could have been.
#[derive(Debug)]
pub(crate) struct KnownPages {
    pages: Cache<Address, Arc<KnownPage>>,
    hits: AtomicU64,
}

/// What judging an address came to.
#[derive(Debug)]
pub(crate) struct KnownPage {
    /// The key's text.
    pub(crate) key: Box<str>,
    /// The language to remember in the cookie `lang`.
    pub(crate) remember: Option<Locale>,
    /// Its page, for figures.
    pub(crate) route: RouteName,
}

/// All that judging an address looks at: path and query as sent, and who asks.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Address {
    target: Box<str>,
    asker: Asker,
}

#[derive(Hash)]
struct Asked<'a> {
    target: &'a str,
    asker: Asker,
}

impl Equivalent<Address> for Asked<'_> {
    fn equivalent(&self, address: &Address) -> bool {
        self.asker == address.asker && *self.target == *address.target
    }
}

impl KnownPages {
    pub(crate) fn new() -> Self {
        Self { pages: Cache::new(ADDRESSES), hits: AtomicU64::new(0) }
    }

    /// What is known of a request's address; `None` too where more than the address decides: a
    /// session, another build, a trace to go on with.
    pub(crate) fn find<B>(&self, request: &Request<B>, app_marker: &str) -> Option<Arc<KnownPage>> {
        let headers = request.headers();
        if !matches!(*request.method(), Method::GET | Method::HEAD)
            || headers.contains_key(TRACEPARENT)
            || headers.contains_key(X_BUILD)
            || may_be_member(headers)
        {
            return None;
        }
        let target = request.uri().path_and_query()?.as_str();
        if target.len() > LONGEST {
            return None;
        }
        self.pages.get(&Asked { target, asker: Asker::of(headers, app_marker) })
    }

    /// Remembers a page that any visitor at this address gets from the cache.
    pub(crate) fn learn(
        &self,
        parts: &http::request::Parts,
        asker: Asker,
        key: &Key,
        remember: Option<Locale>,
        route: &RouteName,
    ) {
        let Some(target) = parts.uri.path_and_query().map(|target| target.as_str()) else { return };
        if target.len() > LONGEST || may_be_member(&parts.headers) {
            return;
        }
        if self.pages.peek(&Asked { target, asker }).is_none() {
            let page = KnownPage { key: key.text().into(), remember, route: route.clone() };
            self.pages.insert(Address { target: target.into(), asker }, page.into());
        }
    }

    /// Counts a hit for [`KnownPages::tell`].
    pub(crate) fn count(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes a line for the hits of some seconds, if there were any, until it is dropped.
    pub(crate) async fn tell(&self) {
        let mut beat = tokio::time::interval(TELL);
        let mut told = 0;
        loop {
            beat.tick().await;
            let hits = self.hits.load(Ordering::Relaxed);
            if hits > told {
                tracing::info!(target: "sahm::request", hits = hits - told, "cached pages");
                told = hits;
            }
        }
    }
}

/// Whether a request may be a member's: it has a session cookie, genuine or not.
fn may_be_member(headers: &HeaderMap) -> bool {
    visitor::cookies(headers).any(|(name, _)| is_session_cookie(name))
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

    fn learned(target: &str, pairs: &[(&str, &str)]) -> KnownPages {
        let known = KnownPages::new();
        let (parts, ()) = request("GET", target, pairs).into_parts();
        let asker = Asker::of(&parts.headers, "SahmApp/");
        let key = Key::new(Kind::Page, &Visitor::of(None, "", &asker), "/news", []);
        known.learn(&parts, asker, &key, None, &RouteName::of("/news"));
        known
    }

    #[test]
    fn an_address_is_known_to_those_who_ask_alike_and_to_no_others() {
        let known = learned("/news?tab=2", &[("user-agent", PC)]);
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
            // Rules look at it.
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
            let found = known.find(&request(method, target, pairs), "SahmApp/");
            assert_eq!(found.is_some(), is_known, "{method} {target} {pairs:?}");
        }
    }

    #[test]
    fn nothing_is_learned_from_members_or_of_endless_addresses() {
        let endless = format!("/news?x={}", "x".repeat(LONGEST));
        for (target, pairs) in
            [("/news", &[("cookie", "sahm_session=x")][..]), (endless.as_str(), &[])]
        {
            assert!(learned(target, pairs).find(&request("GET", target, &[]), "").is_none());
        }
    }
}
