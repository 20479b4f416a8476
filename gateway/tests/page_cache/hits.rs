//! The fast path of hits.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use sahm_gateway::page_cache::{CacheScope, EntryKind};

use crate::kit::{Gateway, Page, config, key};

/// A header of every page.
const PAGE_HEADER: (HeaderName, HeaderValue) =
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));

fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
    pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
}

/// Status, headers without the time that the response took, and body.
fn parts(response: Response<bytes::Bytes>) -> (StatusCode, HeaderMap, bytes::Bytes) {
    let (mut parts, body) = response.into_parts();
    parts.headers.remove("server-timing").unwrap();
    (parts.status, parts.headers, body)
}

#[tokio::test]
async fn hit_of_the_fast_path_is_the_response_of_a_fetch() {
    #[derive(Clone)]
    struct Row<'a> {
        method: Method,
        headers: &'a [(HeaderName, &'a str)],
        scope: CacheScope,
        status: u16,
    }
    let gateway = Gateway::start(config(), None, vec![]).await;
    let (key, page) = (key("/"), Page::new(&["news:1"]));
    let served = gateway.get(&key, &page).await.unwrap();
    let [br, gzip] = ["br", "gzip"].map(|coding| {
        let accept = headers(&[(header::ACCEPT_ENCODING, coding)]);
        gateway.cache.respond(&key, &served, &Method::GET, &accept, CacheScope::Private).headers()
            [header::ETAG]
            .to_str()
            .unwrap()
            .to_owned()
    });
    let (both, scope) = ((header::ACCEPT_ENCODING, "gzip, br"), CacheScope::Private);
    let has = |etag| [both.clone(), (header::IF_NONE_MATCH, etag)];
    let (has_br, has_gzip, has_other) = (has(&br), has(&gzip), has("\"other\""));
    let get = Row { method: Method::GET, headers: std::slice::from_ref(&both), scope, status: 200 };
    for second in 0..2 {
        for Row { method, headers: sent, scope, status } in [
            get.clone(),
            Row { method: Method::HEAD, ..get.clone() },
            Row { scope: CacheScope::Shared, ..get.clone() },
            Row { headers: &[(header::ACCEPT_ENCODING, "gzip")], ..get.clone() },
            Row { headers: &has_br, status: 304, ..get.clone() },
            Row { headers: &has_gzip, status: 304, ..get.clone() },
            Row { headers: &has_other, ..get.clone() },
        ] {
            let what = format!("{method} {sent:?} {scope:?} {second}");
            let (sent, page_headers) = (headers(sent), HeaderMap::from_iter([PAGE_HEADER]));
            let hit = gateway.cache.respond_hit(key.text(), &method, &sent, &page_headers, scope);
            let served = gateway.get(&key, &page).await.unwrap();
            let mut expected = gateway.cache.respond(&key, &served, &method, &sent, scope);
            expected.headers_mut().extend(page_headers);
            assert_eq!(expected.status().as_u16(), status, "{what}");
            assert_eq!(parts(hit.unwrap()), parts(expected), "{what}");
        }
        gateway.clock.advance(Duration::from_secs(1));
    }
}

#[tokio::test]
async fn fast_path_serves_only_fresh_entries_that_are_stored_in_the_accepted_encoding() {
    struct Row {
        kind: EntryKind,
        age: u64,
        accept: &'static str,
        status: Option<u16>,
    }
    const COMPLETE: Row =
        Row { kind: EntryKind::Complete, age: 0, accept: "br", status: Some(200) };
    let rows = [
        COMPLETE,
        Row { accept: "identity", status: None, ..COMPLETE },
        Row { age: 300, status: None, ..COMPLETE },
        Row { kind: EntryKind::NotFound, status: Some(404), ..COMPLETE },
        Row { kind: EntryKind::Partial, status: None, ..COMPLETE },
    ];
    for (number, Row { kind, age, accept, status }) in rows.into_iter().enumerate() {
        let gateway = Gateway::start(config(), None, vec![]).await;
        let (key, page) = (key("/"), Page::new(&[]));
        page.set_kind(kind);
        gateway.get(&key, &page).await.unwrap();
        gateway.clock.advance(Duration::from_secs(age));
        let (accept, none) = (headers(&[(header::ACCEPT_ENCODING, accept)]), HeaderMap::new());
        let scope = CacheScope::Private;
        let hit = gateway.cache.respond_hit(key.text(), &Method::GET, &accept, &none, scope);
        assert_eq!(hit.map(|hit| hit.status().as_u16()), status, "{number}");
    }
}
