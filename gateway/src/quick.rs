//! The short way of a stored page. An address that was judged before is known with its key, so a
//! hit costs two look-ups: no judging, no call, no span, and a line in the log for many together.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwapOption;
use http::{HeaderMap, HeaderName, Method, Request, Uri, header};
use quick_cache::{Equivalent, sync::Cache};

use crate::{
    page_cache::Key,
    visitor::{Locale, Visitor},
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
    newcomer: ArcSwapOption<(u32, HeaderMap)>,
}

/// What judging an address came to.
#[derive(Debug)]
pub(crate) struct KnownPage {
    /// The key's text.
    pub(crate) key: Box<str>,
    /// The language to remember in the cookie `lang`.
    pub(crate) remember: Option<Locale>,
}

/// All that judging an address looks at: path and query as sent, and of the headers just these.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Address {
    target: Box<str>,
    asker: Asker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Asker {
    /// By the headers alone.
    visitor: Visitor,
    /// Some rules are for those who say what they are.
    has_agent: bool,
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

impl Asker {
    fn of(headers: &HeaderMap, app_marker: &str) -> Self {
        Self {
            visitor: Visitor::of(None, "", headers, app_marker),
            has_agent: headers.contains_key(header::USER_AGENT),
        }
    }
}

impl KnownPages {
    pub(crate) fn new() -> Self {
        Self {
            pages: Cache::new(ADDRESSES),
            hits: AtomicU64::new(0),
            newcomer: ArcSwapOption::empty(),
        }
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
        app_marker: &str,
        key: &Key,
        remember: Option<Locale>,
    ) {
        let Some(target) = parts.uri.path_and_query().map(|target| target.as_str()) else { return };
        if target.len() > LONGEST || may_be_member(&parts.headers) {
            return;
        }
        let asker = Asker::of(&parts.headers, app_marker);
        if self.pages.peek(&Asked { target, asker }).is_none() {
            let page = KnownPage { key: key.text().into(), remember };
            self.pages.insert(Address { target: target.into(), asker }, page.into());
        }
    }

    /// The headers of one who comes without a cookie and without anything of a campaign: they are
    /// the same for all such, and `make` makes them once a second.
    pub(crate) fn of_newcomer(
        &self,
        now: u32,
        make: impl FnOnce() -> HeaderMap,
    ) -> Arc<(u32, HeaderMap)> {
        match self.newcomer.load_full() {
            Some(known) if known.0 == now => known,
            _ => {
                let made = Arc::new((now, make()));
                self.newcomer.store(Some(made.clone()));
                made
            }
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

/// Whether nothing in a request tells its visitor from others who come for the first time.
pub(crate) fn is_newcomer(uri: &Uri, headers: &HeaderMap) -> bool {
    // Parameters of campaigns begin with `_`, however they are written.
    let is_plain = |query: &str| !query.contains(['_', '%']);
    !headers.contains_key(header::COOKIE) && uri.query().is_none_or(is_plain)
}

/// Whether a request may be a member's. Said of any cookie that looks like a session's.
fn may_be_member(headers: &HeaderMap) -> bool {
    const SESSION: &[u8] = b"sahm_session";
    headers
        .get_all(header::COOKIE)
        .iter()
        .any(|cookie| cookie.as_bytes().windows(SESSION.len()).any(|part| part == SESSION))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::page_cache::Kind;

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
        let visitor = Visitor::of(None, "", &parts.headers, "SahmApp/");
        let key = Key::new(Kind::Page, &visitor, "/news", []);
        known.learn(&parts, "SahmApp/", &key, None);
        known
    }

    #[test]
    fn an_address_is_known_to_those_who_ask_alike_and_to_no_others() {
        let known = learned("/news?tab=2", &[("user-agent", PC)]);
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
        type Headers<'a> = &'a [(&'a str, &'a str)];
        let cases: [(&str, &str, Headers<'_>, bool); 15] = [
            ("GET", "/news?tab=2", &[("user-agent", PC)], true),
            ("HEAD", "/news?tab=2", &[("user-agent", PC)], true),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("accept-encoding", "br")], true),
            ("GET", "/news?tab=2", &[("user-agent", PC), ("cookie", "lang=en-us")], true),
            ("GET", "/news?tab=2", &[("user-agent", "Mozilla/5.0 (Macintosh)")], true),
            ("POST", "/news?tab=2", &[("user-agent", PC)], false),
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
    fn newcomers_bring_nothing() {
        for (target, pairs, expected) in [
            ("/news", &[][..], true),
            ("/news?tab=2", &[("accept", "a_b")], true),
            ("/news?_pid=1", &[], false),
            ("/news?%5Fpid=1", &[], false),
            ("/news", &[("cookie", "lang=ar-sa")], false),
        ] {
            let request = request("GET", target, pairs);
            assert_eq!(is_newcomer(request.uri(), request.headers()), expected, "{target}");
        }
        let known = KnownPages::new();
        let made = |now, text| {
            let make = || HeaderMap::from_iter([(header::SET_COOKIE, text)]);
            known.of_newcomer(now, make).1[header::SET_COOKIE].clone()
        };
        let [first, second] = ["a=1", "a=2"].map(http::HeaderValue::from_static);
        assert_eq!(made(7, first.clone()), first);
        assert_eq!(made(7, second.clone()), first, "within the second");
        assert_eq!(made(8, second.clone()), second);
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
