#![allow(clippy::unwrap_used)]
use std::time::Duration;

use super::*;
use crate::page_cache::{
    compress::Encoder,
    entry::{EntryData, EntryKind, Lifetimes, Times, hash_of},
};

const PAGE: &str = "<!doctype html><title>Sahm</title><main>a page of some length</main>";

async fn served(status: u16, cache_status: CacheStatus) -> Served {
    let status = StatusCode::from_u16(status).unwrap();
    let kind = if cache_status == CacheStatus::Bypass {
        EntryKind::Uncacheable
    } else {
        EntryKind::Complete
    };
    let entry = Entry::new(EntryData {
        status,
        content_type: HeaderValue::from_static("text/html; charset=utf-8"),
        bodies: Encoder::new().quick(Bytes::from_static(PAGE.as_bytes())).await,
        hash: hash_of(status, PAGE.as_bytes()),
        fill_id: [1; 16],
        kind,
        own: true,
        times: Times::of(kind, 1000, None, &Lifetimes::default()),
        tags: [].into(),
        positions: [].into(),
    });
    Served {
        entry: Arc::new(entry),
        cache_status,
        collapsed: false,
        now: 1042,
        took: Duration::from_micros(1500),
    }
}

fn answer(served: &Served, method: Method, pairs: &[(&str, &str)]) -> Response<Bytes> {
    let headers = pairs
        .iter()
        .map(|(name, value)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap())
        })
        .collect();
    respond(served, &method, &headers, || served.entry.bodies.gzip.as_deref().and_then(gunzip))
}

fn header<'a>(response: &'a Response<Bytes>, name: &str) -> Option<&'a str> {
    response.headers().get(name).map(|value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_hit_has_the_contracts_headers() {
    let served = served(200, CacheStatus::Hit).await;
    let response = answer(&served, Method::GET, &[("accept-encoding", "gzip, br")]);
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
    let identity = answer(&served, Method::GET, &[]);
    assert_eq!(identity.body(), PAGE);
    assert_eq!(header(&identity, "content-encoding"), None);
}

#[tokio::test]
async fn each_coding_has_its_own_strong_tag_and_any_that_the_request_accepts_is_known() {
    let served = served(200, CacheStatus::Hit).await;
    let mut tags = Vec::new();
    for coding in ["br", "gzip", "identity"] {
        let response = answer(&served, Method::GET, &[("accept-encoding", coding)]);
        tags.push(header(&response, "etag").unwrap().to_owned());
    }
    let better = Bodies { brotli_best: true, ..served.entry.bodies.clone() };
    let better = Entry::new(EntryData { bodies: better, ..served.entry.parts() });
    tags.push(better.etag(ContentEncoding::Brotli).to_str().unwrap().to_owned());
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 4);
    for tag in &tags {
        assert!(tag.starts_with('"'), "strong: {tag}");
        let many = format!("\"other\", W/{tag}");
        for sent in [tag.as_str(), &many] {
            let pairs = [("accept-encoding", "gzip, br"), ("if-none-match", sent)];
            let response = answer(&served, Method::GET, &pairs);
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(header(&response, "etag"), Some(tag.as_str()), "the one the client has");
            assert!(response.body().is_empty());
            assert_eq!(header(&response, "content-length"), None);
            assert_eq!(header(&response, "x-page-cache"), Some("hit"));
        }
    }
    // A client that reads a coding no more needs the page in one that it does.
    for (accept, expected) in [
        ("br", ["-bb", "-br", "-id"].as_slice()),
        ("gzip", &["-gz", "-id"]),
        ("gzip;q=0.1, br;q=0", &["-gz", "-id"]),
        ("identity", &["-id"]),
        ("", &["-id"]),
        ("br, identity;q=0", &["-bb", "-br"]),
        ("*;q=0", &["-id"]),
    ] {
        let known = tags.iter().filter(|tag| {
            let pairs = [("accept-encoding", accept), ("if-none-match", tag.as_str())];
            answer(&served, Method::GET, &pairs).status() == StatusCode::NOT_MODIFIED
        });
        let known = known.map(|tag| &tag[33..36]).collect::<Vec<_>>();
        assert_eq!(known, expected, "{accept}");
    }
    let other = answer(&served, Method::GET, &[("if-none-match", "\"other\"")]);
    assert_eq!(other.status(), StatusCode::OK);
    let any = answer(&served, Method::GET, &[("if-none-match", "*")]);
    assert_eq!(any.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let served = served(200, CacheStatus::Stale).await;
    let get = answer(&served, Method::GET, &[("accept-encoding", "gzip")]);
    let head = answer(&served, Method::HEAD, &[("accept-encoding", "gzip")]);
    assert_eq!(get.headers(), head.headers());
    assert_eq!(header(&head, "content-length").unwrap(), get.body().len().to_string());
    assert!(head.body().is_empty());
    assert_eq!(header(&head, "cache-status"), Some("sahm; hit; ttl=-1; detail=stale"));
}

#[tokio::test]
async fn a_missing_page_is_never_unchanged_and_what_is_not_kept_is_not_to_be_stored() {
    let missing = served(404, CacheStatus::Hit).await;
    let tag = missing.entry.etag(ContentEncoding::Identity).to_str().unwrap();
    let response = answer(&missing, Method::GET, &[("if-none-match", tag)]);
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert_eq!(header(&response, "cache-control"), Some("private, no-cache"));

    let unkept = served(200, CacheStatus::Bypass).await;
    let tag = unkept.entry.etag(ContentEncoding::Identity).to_str().unwrap();
    let response = answer(&unkept, Method::GET, &[("if-none-match", tag)]);
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(header(&response, "cache-control"), Some("no-store"));
    assert_eq!(header(&response, "x-page-cache"), Some("bypass"));
    assert_eq!((header(&response, "etag"), header(&response, "age")), (None, None));
}

#[tokio::test]
async fn an_answer_made_in_one_coding_is_sent_in_it_or_as_it_is() {
    let mut unkept = served(200, CacheStatus::Bypass).await;
    let bodies =
        Encoder::new().one(Bytes::from_static(PAGE.as_bytes()), ContentEncoding::Gzip).await;
    unkept.entry = Arc::new(Entry::new(EntryData { bodies, ..unkept.entry.parts() }));
    let gzip = answer(&unkept, Method::GET, &[("accept-encoding", "gzip")]);
    assert_eq!(header(&gzip, "content-encoding"), Some("gzip"));
    let plain = answer(&unkept, Method::GET, &[("accept-encoding", "br")]);
    assert_eq!(
        (header(&plain, "content-encoding"), plain.body().as_ref()),
        (None, PAGE.as_bytes())
    );
}
