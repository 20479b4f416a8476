//! The last step of the fast path of hits ([`FastPath`](crate::middleware::FastPath)), used only there. The head of a
//! hit does not change within a second, so it is built once a second for each encoding and copied: a copy takes 0.5 µs,
//! building the head 1.8 µs, of the 10 µs that a hit takes with the kernel's part.

use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use http::{HeaderMap, Method, Response, header};

use super::{
    cache::{Lookup, PageCache},
    cdn::CacheScope,
    entry::{EntryKind, HitHead},
    response::{client_has, respond},
    status::{CacheStatus, FillResult, ServedPage},
};
use crate::content_encoding::AcceptEncoding;

impl PageCache {
    /// The response to a GET or HEAD of the key with this text, if a fresh stored page can be served as it is;
    /// otherwise `None`, see [`PageCache::fetch`].
    ///
    /// `page_headers` are those of every page; caches of the scope may store the response.
    pub fn respond_hit(
        &self,
        key: &str,
        method: &Method,
        headers: &HeaderMap,
        page_headers: &HeaderMap,
        scope: CacheScope,
    ) -> Option<Response<Bytes>> {
        let (inner, now) = (&self.inner, self.inner.clock.now());
        let Lookup::Fresh(entry) = inner.lookup(key, now) else { return None };
        if entry.kind == EntryKind::Partial {
            return None;
        }
        let scope = inner.scope_of(&entry, scope);
        let is_shared = scope == CacheScope::Shared;
        let accepted = AcceptEncoding::from_headers(headers);
        let coding = accepted.best();
        let etag = match headers.contains_key(header::IF_NONE_MATCH) {
            true => client_has(&entry, headers, accepted),
            false => None,
        };
        let body = match etag {
            Some(_) => Bytes::new(),
            None => entry.body(coding)?.clone(),
        };
        let slot = &entry.hit_headers[if etag.is_some() { 0 } else { 1 + coding as usize }];
        let is_current = |head: &&Arc<HitHead>| {
            head.now == now
                && head.is_shared == is_shared
                && (etag.is_none() || head.parts.headers.get(header::ETAG) == etag)
        };
        let cached = slot.load();
        let parts = match cached.as_ref().filter(is_current) {
            Some(head) => head.parts.clone(),
            None => {
                let result = FillResult { entry: entry.clone(), cache_status: CacheStatus::Hit };
                let served = ServedPage::new(result, false, now, Instant::now());
                let response = respond(&served, &Method::GET, headers, scope, || None);
                let (mut parts, _) = response.into_parts();
                for (name, value) in page_headers {
                    parts.headers.insert(name, value.clone());
                }
                slot.store(Some(Arc::new(HitHead { now, is_shared, parts: parts.clone() })));
                parts
            }
        };
        inner.count(CacheStatus::Hit, entry.age(now));
        inner.count_for_recompression(key, &entry);
        let body = if method == Method::HEAD { Bytes::new() } else { body };
        Some(Response::from_parts(parts, body))
    }
}
