//! The fast path of hits. Response headers are built once a second for each encoding and copied: nothing in them
//! changes more often.

use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use http::{HeaderMap, Method, Response, header};

use super::{
    cache::{Lookup, PageCache},
    entry::{Entry, EntryKind},
    header_cache::CachedHeaders,
    response::{client_has, respond},
    status::{CacheStatus, Served},
};
use crate::content_encoding::AcceptEncoding;

impl PageCache {
    /// The response to a GET or HEAD of the key with that text, where a fresh stored page needs no further work;
    /// `None` otherwise, see [`PageCache::fetch`].
    ///
    /// `page_headers` are those of every page. The `dur` of `server-timing` is that of the first response in this
    /// second.
    pub fn respond_hit(
        &self,
        text: &str,
        method: &Method,
        headers: &HeaderMap,
        page_headers: &HeaderMap,
    ) -> Option<Response<Bytes>> {
        let inner = &self.inner;
        let now = inner.clock.now();
        let Lookup::Fresh(entry) = inner.lookup(text, now) else { return None };
        if matches!(entry.kind, EntryKind::Partial | EntryKind::Uncacheable) {
            return None;
        }
        let accepted = AcceptEncoding::from_headers(headers);
        let coding = accepted.best();
        let etag = match headers.contains_key(header::IF_NONE_MATCH) {
            true => client_has(&entry, headers, accepted),
            false => None,
        };
        let body = match (etag, method) {
            (Some(_), _) => Bytes::new(),
            (None, &Method::HEAD) => entry.body(coding).map(|_| Bytes::new())?,
            (None, _) => entry.body(coding)?.clone(),
        };
        let slot = entry.header_cache.slot(coding, etag.is_some());
        let stored = slot.load();
        let made;
        let head = match stored.as_deref() {
            Some(head) if head.now == now && head.etag.as_ref() == etag => head,
            _ => {
                made = Arc::new(CachedHeaders::make(&entry, headers, page_headers, now));
                slot.store(Some(made.clone()));
                &*made
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = head.status;
        *response.headers_mut() = head.headers.clone();
        inner.count_hit(text, &entry, now);
        Some(response)
    }
}

impl CachedHeaders {
    fn make(entry: &Arc<Entry>, headers: &HeaderMap, page_headers: &HeaderMap, now: u32) -> Self {
        let began = Instant::now();
        let etag = client_has(entry, headers, AcceptEncoding::from_headers(headers)).cloned();
        let entry = entry.clone();
        let took = began.elapsed();
        let served = Served { entry, cache_status: CacheStatus::Hit, collapsed: false, now, took };
        let (mut parts, _) = respond(&served, &Method::GET, headers, || None).into_parts();
        for (name, value) in page_headers {
            parts.headers.insert(name, value.clone());
        }
        Self { now, etag, status: parts.status, headers: parts.headers }
    }
}
