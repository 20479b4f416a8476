//! Headers by which a CDN stores and purges a page (docs/operations/cdn.md).

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header::VARY};

use super::{
    entry::{EntryKind, Times},
    status::{CacheStatus, ServedPage},
};

/// Cache directives for the CDN only (RFC 9213). Browsers and other caches follow `cache-control`.
pub(crate) const CDN_CACHE_CONTROL: HeaderName = HeaderName::from_static("cdn-cache-control");
/// The tags of a page, and of a purge, separated by spaces.
pub(crate) const SURROGATE_KEY: HeaderName = HeaderName::from_static("surrogate-key");
/// The request header in which the CDN states the page variant that it stores.
pub(crate) const PAGE_VARIANT: HeaderName = HeaderName::from_static("x-page-variant");

const VARY_IN_CDN: HeaderValue = HeaderValue::from_static("accept-encoding, x-page-variant");

/// How long a CDN may serve a page after its freshness ended, while it revalidates the page.
const MAX_STALE: Duration = Duration::from_secs(60);
/// Maximum size of a page's tags for the CDN to store the page, bytes: proxies limit the size of a header.
const MAX_TAG_BYTES: usize = 2048;

/// Which caches may store a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// The visitor's browser.
    Private,
    /// The CDN too, if the page allows it.
    Shared,
}

/// Allows the CDN to store a fresh complete page, but not a stale one, which is replaced within seconds.
pub(super) fn allow_cdn(served: &ServedPage, headers: &mut HeaderMap) {
    let entry = &served.entry;
    let is_fresh = matches!(served.cache_status, CacheStatus::Hit | CacheStatus::Miss);
    if !is_fresh || entry.kind != EntryKind::Complete || entry.status != StatusCode::OK {
        return;
    }
    let Some(tags) = surrogate_key(&entry.tags) else { return };
    headers.insert(CDN_CACHE_CONTROL, directives(&entry.times));
    headers.insert(SURROGATE_KEY, tags);
    headers.insert(VARY, VARY_IN_CDN);
}

/// Whether a response allows the CDN to store it.
pub(crate) fn is_shared(headers: &HeaderMap) -> bool {
    headers.contains_key(CDN_CACHE_CONTROL)
}

/// The entry's own lifetime: `max-age` counts from its creation, as `age` does. The next start or end of a timed item
/// shortens it.
fn directives(times: &Times) -> HeaderValue {
    let fresh = times.fresh_until.saturating_sub(times.created_at);
    let stale = times.stale_until.saturating_sub(times.fresh_until);
    let stale = u64::from(stale).min(MAX_STALE.as_secs());
    let text = format!("max-age={fresh}, stale-while-revalidate={stale}");
    HeaderValue::from_maybe_shared(Bytes::from(text))
        .unwrap_or(HeaderValue::from_static("no-store"))
}

/// The tags as a header; `None` if they are too long.
fn surrogate_key(tags: &[Box<str>]) -> Option<HeaderValue> {
    let text = tags.join(" ");
    (text.len() <= MAX_TAG_BYTES).then(|| HeaderValue::try_from(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::page_cache::entry::Lifetimes;

    #[test]
    fn directives_end_with_the_freshness_of_the_entry() {
        let lives = Lifetimes::default();
        for (ends_at, expected) in [
            (None, "max-age=300, stale-while-revalidate=60"),
            (Some(1_040), "max-age=40, stale-while-revalidate=0"),
            (Some(1_310), "max-age=300, stale-while-revalidate=10"),
        ] {
            let times = Times::of(EntryKind::Complete, 1_000, ends_at, &lives);
            assert_eq!(directives(&times), expected);
        }
    }

    #[test]
    fn tags_too_long_for_a_header_are_omitted() {
        let tags = |count: usize| vec![Box::<str>::from("news:1234567890"); count];
        assert_eq!(surrogate_key(&tags(2)).unwrap(), "news:1234567890 news:1234567890");
        assert!(surrogate_key(&tags(128)).is_some());
        assert!(surrogate_key(&tags(129)).is_none());
    }
}
