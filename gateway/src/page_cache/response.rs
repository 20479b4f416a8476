//! HTTP responses (docs/page-cache.md): 200, 304, HEAD and their headers.

use std::sync::{Arc, atomic::Ordering};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
    header::{AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG},
};

use super::{
    cache::PageCache,
    cdn::{CacheScope, allow_cdn},
    compress::gunzip,
    entry::{Bodies, Entry},
    key::Key,
    status::{CacheStatus, ServedPage},
    store::local,
};
use crate::{
    content_encoding::{AcceptEncoding, ContentEncoding, none_match},
    http::headers,
};

const X_PAGE_CACHE: HeaderName = HeaderName::from_static("x-page-cache");
const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

impl ServedPage {
    /// The uncompressed body; `None` if the stored one is damaged.
    pub(crate) fn identity_body(&self) -> Option<Bytes> {
        let bodies = &self.entry.bodies;
        bodies.identity.clone().or_else(|| gunzip(bodies.gzip.as_deref()?))
    }
}

impl PageCache {
    /// The response to a GET or HEAD, which caches of that scope may store. The caller adds the headers of the visitor.
    pub fn respond(
        &self,
        key: &Key,
        served: &ServedPage,
        method: &Method,
        headers: &HeaderMap,
        scope: CacheScope,
    ) -> Response<Bytes> {
        let scope = self.inner.scope_of(&served.entry, scope);
        respond(served, method, headers, scope, || self.identity(key, &served.entry))
    }

    /// The response for [`PageCache::bypass`], which has no key.
    pub fn respond_bypass(
        &self,
        served: &ServedPage,
        method: &Method,
        headers: &HeaderMap,
    ) -> Response<Bytes> {
        respond(served, method, headers, CacheScope::Private, || None)
    }

    /// Decompresses a stored page; the result is stored from the second request on, so that only pages that are
    /// requested without encoding take the memory.
    fn identity(&self, key: &Key, entry: &Arc<Entry>) -> Option<Bytes> {
        let body = gunzip(entry.bodies.gzip.as_deref()?)?;
        let earlier_requests = entry.stats.identity_requests.fetch_add(1, Ordering::Relaxed);
        if earlier_requests == 1 {
            let bodies = Bodies { identity: Some(body.clone()), ..entry.bodies.clone() };
            let entry_with = Arc::new(entry.with_bodies(bodies));
            local::replace(&self.inner.local, key.text(), &entry.fill_id, entry_with);
        }
        Some(body)
    }
}

pub(super) fn respond(
    served: &ServedPage,
    method: &Method,
    headers: &HeaderMap,
    scope: CacheScope,
    unpack: impl FnOnce() -> Option<Bytes>,
) -> Response<Bytes> {
    let entry = &served.entry;
    let accepted = AcceptEncoding::from_headers(headers);
    let mut response = Response::new(Bytes::new());
    if served.is_storable()
        && let Some(etag) = client_has(entry, headers, accepted)
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().insert(ETAG, etag.clone());
        common(served, response.headers_mut(), scope);
        return response;
    }
    let (coding, body) = match entry.body(accepted.best()) {
        Some(body) => (accepted.best(), Some(body.clone())),
        // Requested uncompressed, or in an encoding that was not produced: decompress the gzip body.
        None => (ContentEncoding::Identity, entry.bodies.identity.clone().or_else(unpack)),
    };
    let Some(body) = body else {
        // The stored body is damaged, which should not be possible.
        tracing::error!("stored page cannot be unpacked");
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.headers_mut().insert(CACHE_CONTROL, NO_STORE);
        return response;
    };
    *response.status_mut() = entry.status;
    let out = response.headers_mut();
    out.reserve(16);
    out.insert(CONTENT_TYPE, entry.content_type.clone());
    out.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    if let Some(name) = coding.name() {
        out.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    if served.is_storable() {
        out.insert(ETAG, entry.etag(coding).clone());
    }
    common(served, out, scope);
    if method != Method::HEAD {
        *response.body_mut() = body;
    }
    response
}

/// The entity tag that the client has, if it is one of this page in an encoding that the request accepts.
pub(super) fn client_has<'a>(
    entry: &'a Entry,
    headers: &HeaderMap,
    accepted: AcceptEncoding,
) -> Option<&'a HeaderValue> {
    if entry.status != StatusCode::OK {
        return None;
    }
    none_match(headers).find_map(|tag| match tag {
        "*" => Some(entry.etag(accepted.best())),
        tag => {
            entry.known_etag(tag).and_then(|(coding, etag)| accepted.has(coding).then_some(etag))
        }
    })
}

/// Headers of 200, 304 and 404.
fn common(served: &ServedPage, out: &mut HeaderMap, scope: CacheScope) {
    let storable = served.is_storable();
    out.insert(CACHE_CONTROL, if storable { REVALIDATE } else { NO_STORE });
    out.insert(X_PAGE_CACHE, HeaderValue::from_static(served.cache_status.as_str()));
    if storable {
        out.insert(AGE, HeaderValue::from(served.entry.age(served.now)));
    }
    out.insert(CACHE_STATUS, cache_status(served));
    out.insert(SERVER_TIMING, server_timing(served));
    headers::negotiated(out);
    if scope == CacheScope::Shared {
        allow_cdn(served, out);
    }
}

/// `cache-status` (RFC 9211).
fn cache_status(served: &ServedPage) -> HeaderValue {
    let times = &served.entry.times;
    let left = i64::from(times.fresh_until) - i64::from(served.now);
    let collapsed = if served.collapsed { "; collapsed" } else { "" };
    let text = match served.cache_status {
        CacheStatus::Hit => format!("sahm; hit; ttl={left}"),
        // A soft purge ends freshness early.
        CacheStatus::Stale => format!("sahm; hit; ttl={}; detail=stale", left.min(-1)),
        CacheStatus::Miss => format!("sahm; fwd=uri-miss; stored{collapsed}"),
        CacheStatus::Bypass => return HeaderValue::from_static("sahm; fwd=bypass"),
    };
    HeaderValue::from_maybe_shared(Bytes::from(text)).unwrap_or(HeaderValue::from_static("sahm"))
}

fn server_timing(served: &ServedPage) -> HeaderValue {
    let millis = served.took.as_secs_f64() * 1000.0;
    let text = format!("cache;desc={};dur={millis:.2}", served.cache_status.as_str());
    HeaderValue::from_maybe_shared(Bytes::from(text)).unwrap_or(HeaderValue::from_static("cache"))
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
