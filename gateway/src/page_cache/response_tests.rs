#![allow(clippy::unwrap_used)]
use std::time::Duration;

use super::*;
use crate::page_cache::{
    compress,
    entry::{EntryData, EntryKind, Lifetimes, Times, hash_of},
};

const PAGE: &str = "<!doctype html><title>Sahm</title><main>a page of some length</main>";

async fn served(status: u16, cache_status: CacheStatus) -> ServedPage {
    let status = StatusCode::from_u16(status).unwrap();
    let kind = if cache_status == CacheStatus::Bypass {
        EntryKind::Uncacheable
    } else {
        EntryKind::Complete
    };
    let entry = Entry::new(EntryData {
        status,
        content_type: HeaderValue::from_static("text/html; charset=utf-8"),
        bodies: compress::quick(Bytes::from_static(PAGE.as_bytes())).await.unwrap(),
        hash: hash_of(status, PAGE.as_bytes()),
        fill_id: [1; 16],
        kind,
        own: true,
        times: Times::of(kind, 1000, None, &Lifetimes::default()),
        tags: [].into(),
        positions: [].into(),
    });
    ServedPage {
        entry: Arc::new(entry),
        cache_status,
        collapsed: false,
        now: 1042,
        took: Duration::from_micros(1500),
    }
}

fn response_to(served: &ServedPage, method: Method, pairs: &[(&str, &str)]) -> Response<Bytes> {
    response_in(CacheScope::Private, served, method, pairs)
}

fn response_in(
    scope: CacheScope,
    served: &ServedPage,
    method: Method,
    pairs: &[(&str, &str)],
) -> Response<Bytes> {
    let headers = pairs
        .iter()
        .map(|(name, value)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap())
        })
        .collect();
    let identity = || served.entry.bodies.gzip.as_deref().and_then(gunzip);
    respond(served, &method, &headers, scope, identity)
}

fn header<'a>(response: &'a Response<Bytes>, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn hit_has_the_documented_headers() {
    let served = served(200, CacheStatus::Hit).await;
    let response = response_to(&served, Method::GET, &[("accept-encoding", "gzip, br")]);
    let expected = [
        ("cache-control", "private, no-cache"),
        ("content-encoding", "br"),
        ("content-type", "text/html; charset=utf-8"),
        ("age", "42"),
        ("x-page-cache", "hit"),
        ("cache-status", "sahm; hit; ttl=258"),
        ("server-timing", "cache;desc=hit;dur=1.50"),
        ("vary", "accept-encoding, cookie, user-agent, sec-ch-prefers-color-scheme"),
        ("accept-ch", "Sec-CH-Prefers-Color-Scheme"),
    ];
    for (name, value) in expected {
        assert_eq!(header(&response, name), Some(value), "{name}");
    }
    assert_eq!(response.body(), served.entry.bodies.brotli.as_ref().unwrap());
    let identity = response_to(&served, Method::GET, &[]);
    assert_eq!(identity.body(), PAGE);
    assert_eq!(header(&identity, "content-encoding"), None);
}

#[tokio::test]
async fn each_encoding_has_a_strong_etag_that_revalidates_where_accepted() {
    let served = served(200, CacheStatus::Hit).await;
    let mut tags = Vec::new();
    for coding in ["br", "gzip", "identity"] {
        let response = response_to(&served, Method::GET, &[("accept-encoding", coding)]);
        tags.push(header(&response, "etag").unwrap().to_owned());
    }
    let better = Bodies { brotli_best: true, ..served.entry.bodies.clone() };
    let better = Entry::new(EntryData { bodies: better, ..EntryData::clone(&served.entry) });
    tags.push(better.etag(ContentEncoding::Brotli).to_str().unwrap().to_owned());
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 4);
    for tag in &tags {
        assert!(tag.starts_with('"'), "strong: {tag}");
        let many = format!("\"other\", W/{tag}");
        for sent in [tag.as_str(), &many] {
            let pairs = [("accept-encoding", "gzip, br"), ("if-none-match", sent)];
            let response = response_to(&served, Method::GET, &pairs);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(header(&response, "etag"), Some(tag.as_str()), "the one the client has");
            assert!(response.body().is_empty());
            assert_eq!(header(&response, "content-length"), None);
            assert_eq!(header(&response, "x-page-cache"), Some("hit"));
        }
    }
    // A client that no longer accepts an encoding needs the page in one that it does.
    struct Case {
        accept: &'static str,
        revalidates: &'static [&'static str],
    }
    for Case { accept, revalidates } in [
        Case { accept: "br", revalidates: &["-bb", "-br", "-id"] },
        Case { accept: "gzip", revalidates: &["-gz", "-id"] },
        Case { accept: "gzip;q=0.1, br;q=0", revalidates: &["-gz", "-id"] },
        Case { accept: "identity", revalidates: &["-id"] },
        Case { accept: "", revalidates: &["-id"] },
        Case { accept: "br, identity;q=0", revalidates: &["-bb", "-br"] },
        Case { accept: "*;q=0", revalidates: &["-id"] },
    ] {
        let known = tags.iter().filter(|tag| {
            let pairs = [("accept-encoding", accept), ("if-none-match", tag.as_str())];
            response_to(&served, Method::GET, &pairs).status() == StatusCode::NOT_MODIFIED
        });
        let known = known.map(|tag| &tag[33..36]).collect::<Vec<_>>();
        assert_eq!(known, revalidates, "{accept}");
    }
    let other = response_to(&served, Method::GET, &[("if-none-match", "\"other\"")]);
    assert_eq!(other.status(), StatusCode::OK);
    let any = response_to(&served, Method::GET, &[("if-none-match", "*")]);
    assert_eq!(any.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn head_equals_get_without_the_body() {
    let served = served(200, CacheStatus::Stale).await;
    let get = response_to(&served, Method::GET, &[("accept-encoding", "gzip")]);
    let head = response_to(&served, Method::HEAD, &[("accept-encoding", "gzip")]);
    assert_eq!(get.headers(), head.headers());
    assert_eq!(header(&head, "content-length").unwrap(), get.body().len().to_string());
    assert!(head.body().is_empty());
    assert_eq!(header(&head, "cache-status"), Some("sahm; hit; ttl=-1; detail=stale"));
}

#[tokio::test]
async fn not_found_is_never_304_and_bypass_is_no_store() {
    let missing = served(404, CacheStatus::Hit).await;
    let tag = missing.entry.etag(ContentEncoding::Identity).to_str().unwrap();
    let response = response_to(&missing, Method::GET, &[("if-none-match", tag)]);
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert_eq!(header(&response, "cache-control"), Some("private, no-cache"));

    let bypass = served(200, CacheStatus::Bypass).await;
    let tag = bypass.entry.etag(ContentEncoding::Identity).to_str().unwrap();
    let response = response_to(&bypass, Method::GET, &[("if-none-match", tag)]);
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(header(&response, "cache-control"), Some("no-store"));
    assert_eq!(header(&response, "x-page-cache"), Some("bypass"));
    assert_eq!((header(&response, "etag"), header(&response, "age")), (None, None));
}

#[tokio::test]
async fn bypass_in_one_encoding_is_sent_in_it_or_uncompressed() {
    let mut bypass = served(200, CacheStatus::Bypass).await;
    let page = Bytes::from_static(PAGE.as_bytes());
    let gzip = compress::one(page, ContentEncoding::Gzip).await.unwrap();
    let bodies = Bodies::of(ContentEncoding::Gzip, gzip);
    bypass.entry = Arc::new(Entry::new(EntryData { bodies, ..EntryData::clone(&bypass.entry) }));
    let gzip = response_to(&bypass, Method::GET, &[("accept-encoding", "gzip")]);
    assert_eq!(header(&gzip, "content-encoding"), Some("gzip"));
    let plain = response_to(&bypass, Method::GET, &[("accept-encoding", "br")]);
    assert_eq!(
        (header(&plain, "content-encoding"), plain.body().as_ref()),
        (None, PAGE.as_bytes())
    );
}

#[tokio::test]
async fn only_fresh_complete_pages_are_stored_by_the_cdn() {
    struct Row {
        status: u16,
        cache_status: CacheStatus,
        scope: CacheScope,
        is_stored: bool,
    }
    const HIT: Row = Row {
        status: 200,
        cache_status: CacheStatus::Hit,
        scope: CacheScope::Shared,
        is_stored: true,
    };
    for row in [
        HIT,
        Row { cache_status: CacheStatus::Miss, ..HIT },
        Row { scope: CacheScope::Private, is_stored: false, ..HIT },
        Row { cache_status: CacheStatus::Stale, is_stored: false, ..HIT },
        Row { cache_status: CacheStatus::Bypass, is_stored: false, ..HIT },
        Row { status: 404, is_stored: false, ..HIT },
    ] {
        let Row { status, cache_status, scope, is_stored } = row;
        let served = served(status, cache_status).await;
        let response = response_in(scope, &served, Method::GET, &[]);
        let what = format!("{status} {cache_status:?} {scope:?}");
        let directives = is_stored.then_some("max-age=300, stale-while-revalidate=60");
        assert_eq!(header(&response, "cdn-cache-control"), directives, "{what}");
        assert_eq!(header(&response, "surrogate-key"), is_stored.then_some(""), "{what}");
        let vary = header(&response, "vary").unwrap();
        assert_eq!(vary == "accept-encoding, x-page-variant", is_stored, "{what}: {vary}");
        // For browsers and caches that do not know the CDN's header field.
        assert!(!header(&response, "cache-control").unwrap().contains("public"), "{what}");
    }
    let served = served(200, CacheStatus::Hit).await;
    let tag = served.entry.etag(ContentEncoding::Identity).to_str().unwrap();
    let same = response_in(CacheScope::Shared, &served, Method::GET, &[("if-none-match", tag)]);
    assert_eq!(same.status(), StatusCode::NOT_MODIFIED);
    assert!(header(&same, "cdn-cache-control").is_some());
}
