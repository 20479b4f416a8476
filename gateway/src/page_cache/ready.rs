//! Answers of fresh stored pages, as cheap as they can be: the headers of each kind of answer are
//! made once a second and copied, for nothing in them changes more often.

use std::{sync::Arc, time::Instant};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};

use super::{
    PageCache,
    accept::{Accepted, Coding},
    entry::{Class, Entry},
    fetch::Look,
    made::{How, Served},
    respond::{client_has, respond},
};

/// The headers of one entry's answers: in three codings, and as 304.
#[derive(Debug, Default)]
pub(super) struct Heads([ArcSwapOption<Head>; 4]);

#[derive(Debug)]
struct Head {
    /// Epoch seconds in which they hold.
    now: u32,
    /// Of a 304 the tag that the client has.
    etag: Option<HeaderValue>,
    status: StatusCode,
    headers: HeaderMap,
}

impl Heads {
    /// Bytes of one kind's headers; most pages are asked for in one way.
    pub(super) const TYPICAL: usize = 3 << 10;

    fn slot(&self, coding: Coding, is_unchanged: bool) -> &ArcSwapOption<Head> {
        &self.0[match coding {
            _ if is_unchanged => 3,
            Coding::Brotli => 0,
            Coding::Gzip => 1,
            Coding::Identity => 2,
        }]
    }
}

impl PageCache {
    /// The answer to a GET or HEAD of the key with that text, where a fresh stored page is the
    /// answer as it stands; else `None`, and [`PageCache::fetch`] is the way.
    ///
    /// `page_headers` are those that every page carries. The `dur` of `server-timing` is that of
    /// the second's first answer.
    pub fn ready(
        &self,
        text: &str,
        method: &Method,
        headers: &HeaderMap,
        page_headers: &HeaderMap,
    ) -> Option<Response<Bytes>> {
        let inner = &self.inner;
        let now = inner.clock.now();
        let Look::Fresh(entry) = inner.look(text, now) else { return None };
        if matches!(entry.class, Class::Partial | Class::Unkept) {
            return None;
        }
        let accepted = Accepted::by(headers);
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
        let slot = entry.heads.slot(coding, etag.is_some());
        let stored = slot.load();
        let made;
        let head = match stored.as_deref() {
            Some(head) if head.now == now && head.etag.as_ref() == etag => head,
            _ => {
                made = Arc::new(Head::make(&entry, headers, page_headers, now));
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

impl Head {
    fn make(entry: &Arc<Entry>, headers: &HeaderMap, page_headers: &HeaderMap, now: u32) -> Self {
        let began = Instant::now();
        let etag = client_has(entry, headers, Accepted::by(headers)).cloned();
        let entry = entry.clone();
        let took = began.elapsed();
        let served = Served { entry, how: How::Hit, collapsed: false, now, took };
        let (mut parts, _) = respond(&served, &Method::GET, headers, || None).into_parts();
        for (name, value) in page_headers {
            parts.headers.insert(name, value.clone());
        }
        Self { now, etag, status: parts.status, headers: parts.headers }
    }
}
