//! HTTP answers from served pages (docs/page-cache.md): 200, 304, HEAD and their headers.

use std::sync::{Arc, atomic::Ordering};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode,
    header::{AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG},
};

use super::{
    Key, PageCache,
    accept::{Accepted, Coding, none_match},
    encode::gunzip,
    entry::{Bodies, Entry},
    made::{How, Served},
};
use crate::headers;

const X_PAGE_CACHE: HeaderName = HeaderName::from_static("x-page-cache");
const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

const KEPT: HeaderValue = HeaderValue::from_static("private, no-cache");
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");

/// Times an identity body is unpacked before it is kept.
const UNPACKED: u32 = 1;

impl PageCache {
    /// The answer to a GET or HEAD. The caller adds the visitor's own headers to it.
    pub fn respond(
        &self,
        key: &Key,
        served: &Served,
        method: &Method,
        headers: &HeaderMap,
    ) -> Response<Bytes> {
        respond(served, method, headers, || self.identity(key, &served.entry))
    }

    /// The answer of [`PageCache::bypass`], which has no key.
    pub fn respond_unkept(
        &self,
        served: &Served,
        method: &Method,
        headers: &HeaderMap,
    ) -> Response<Bytes> {
        respond(served, method, headers, || served.entry.bodies.gzip.as_deref().and_then(gunzip))
    }

    /// Unpacks a stored page; kept from the second time on, so that memory holds it only where
    /// it is asked for.
    fn identity(&self, key: &Key, entry: &Arc<Entry>) -> Option<Bytes> {
        let body = gunzip(entry.bodies.gzip.as_deref()?)?;
        if entry.uses.plain.fetch_add(1, Ordering::Relaxed) == UNPACKED {
            let bodies = Bodies { identity: Some(body.clone()), ..entry.bodies.clone() };
            let entry_with = Arc::new(entry.with_bodies(bodies));
            self.inner.memory.replace(key.text(), &entry.stamp, entry_with);
        }
        Some(body)
    }
}

pub(super) fn respond(
    served: &Served,
    method: &Method,
    headers: &HeaderMap,
    unpack: impl FnOnce() -> Option<Bytes>,
) -> Response<Bytes> {
    let entry = &served.entry;
    let accepted = Accepted::by(headers);
    if let Some(etag) = unchanged(served, headers, accepted) {
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().insert(ETAG, etag);
        common(served, response.headers_mut());
        return response;
    }
    let asked = accepted.best();
    let (coding, body) = match entry.body(asked) {
        Some(body) => (asked, Some(body.clone())),
        // Made in one coding only, or asked for as it is: the rest is unpacked from gzip.
        None => match &entry.bodies.identity {
            Some(body) => (Coding::Identity, Some(body.clone())),
            None => (Coding::Identity, unpack()),
        },
    };
    let Some(body) = body else {
        // Damaged where it should not be able to be; the next asking makes it anew.
        tracing::error!("stored page cannot be unpacked");
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response.headers_mut().insert(CACHE_CONTROL, NOT_KEPT);
        return response;
    };
    let length = body.len();
    let mut response = Response::new(if method == Method::HEAD { Bytes::new() } else { body });
    *response.status_mut() = entry.status;
    let out = response.headers_mut();
    out.reserve(16);
    out.insert(CONTENT_TYPE, entry.content_type.clone());
    out.insert(CONTENT_LENGTH, HeaderValue::from(length));
    if let Some(name) = coding.name() {
        out.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
    }
    if served.may_be_kept() {
        out.insert(ETAG, entry.etag(coding).clone());
    }
    common(served, out);
    response
}

fn unchanged(served: &Served, headers: &HeaderMap, accepted: Accepted) -> Option<HeaderValue> {
    if !served.may_be_kept() {
        return None;
    }
    client_has(&served.entry, headers, accepted).cloned()
}

/// The entity tag that the client has, when it is one of this page in a coding that the request
/// accepts: who reads no brotli any more is not sent back to a brotli body.
pub(super) fn client_has<'a>(
    entry: &'a Entry,
    headers: &HeaderMap,
    accepted: Accepted,
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

/// What 200, 304 and 404 have in common.
fn common(served: &Served, out: &mut HeaderMap) {
    let kept = served.may_be_kept();
    out.insert(CACHE_CONTROL, if kept { KEPT } else { NOT_KEPT });
    out.insert(X_PAGE_CACHE, HeaderValue::from_static(served.how.as_str()));
    if kept {
        out.insert(AGE, HeaderValue::from(served.entry.age(served.now)));
    }
    out.insert(CACHE_STATUS, cache_status(served));
    out.insert(SERVER_TIMING, server_timing(served));
    headers::negotiated(out);
}

/// RFC 9211.
fn cache_status(served: &Served) -> HeaderValue {
    let times = &served.entry.times;
    let left = i64::from(times.fresh_until) - i64::from(served.now);
    let collapsed = if served.collapsed { "; collapsed" } else { "" };
    let text = match served.how {
        How::Hit => format!("sahm; hit; ttl={left}"),
        // Soft purges end freshness early.
        How::Stale => format!("sahm; hit; ttl={}; detail=stale", left.min(-1)),
        How::Miss => format!("sahm; fwd=uri-miss; stored{collapsed}"),
        How::Bypass => return HeaderValue::from_static("sahm; fwd=bypass"),
    };
    HeaderValue::from_maybe_shared(Bytes::from(text)).unwrap_or(HeaderValue::from_static("sahm"))
}

fn server_timing(served: &Served) -> HeaderValue {
    let millis = served.took.as_secs_f64() * 1000.0;
    let text = format!("cache;desc={};dur={millis:.2}", served.how.as_str());
    HeaderValue::from_maybe_shared(Bytes::from(text)).unwrap_or(HeaderValue::from_static("cache"))
}

#[cfg(test)]
#[path = "respond_tests.rs"]
mod tests;
