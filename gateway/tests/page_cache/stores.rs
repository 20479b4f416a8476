//! Which entries the local and the remote store keep.

use http::{HeaderMap, HeaderValue, Method, header};
use sahm_chassis::ServiceName;
use sahm_gateway::page_cache::{CacheScope, CacheStatus, EntryKind, Key, Kind};
use sahm_testkit::Redis;

use crate::kit::{Gateway, Log, Page, Probe, VISITOR, config, key, until};

#[tokio::test]
async fn entry_of_one_gateway_is_a_hit_on_another() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let page = Page::new(&["news:1"]);
    let first = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let second = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    assert_eq!(first.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
    Probe::of(&redis).await.wait_for_pages(1).await;
    // Operators see it before the other gateway has read it.
    let listed = second.cache.list("", 10).await;
    assert_eq!(listed, [key("/").text()]);
    let explained = second.cache.explain(&listed[0]).await;
    assert_eq!(explained.len(), 1);
    assert_eq!((explained[0].validity, explained[0].in_process), ("valid", false));
    assert_eq!(second.fetch_text(&key("/"), &page).await, (CacheStatus::Hit, "one".to_owned()));
    assert_eq!(second.cache.metrics()["compressions"], 0);
    assert_eq!(page.origin_calls(), 1);
}

#[tokio::test]
async fn hit_neither_calls_the_origin_nor_compresses() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/"), &page).await;
    let before = gateway.cache.metrics();
    for _ in 0..10 {
        gateway.fetch_text(&key("/"), &page).await;
    }
    let after = gateway.cache.metrics();
    assert_eq!(after["hits"], before["hits"] + 10);
    assert_eq!((after["makes"], after["compressions"]), (before["makes"], before["compressions"]));
}

#[tokio::test]
async fn every_key_in_redis_has_a_ttl() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let mut probe = Probe::of(&redis).await;
    content.purge_hard("news:9").await;
    content.purge_soft("news:8").await;
    until("the replica", async || Probe::of(&redis).await.keys("sahm:log:*").await.len() == 3)
        .await;
    let page = Page::new(&["news:1"]);
    for _ in 0..20 {
        gateway.fetch_text(&key("/often"), &page).await;
    }
    gateway.fetch_text(&key("/once"), &page).await;
    probe.wait_for_pages(2).await;
    until("the build", async || !Probe::of(&redis).await.keys("sahm:builds").await.is_empty())
        .await;
    let keys = probe.keys("*").await;
    assert!(keys.len() >= 6, "{keys:?}");
    for key in keys {
        let lifetime = probe.ttl_ms(&key).await;
        // -2: a lease that expired meanwhile.
        assert!(lifetime > 0 || lifetime == -2, "{key}: {lifetime}");
        assert!(lifetime <= 26 * 3_600_000, "{key}: {lifetime}");
        assert!(!key.starts_with("sahm:page:") || lifetime <= 24 * 3_600_000, "{key}");
    }
}

#[tokio::test]
async fn corrupt_entry_is_a_miss() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let mut probe = Probe::of(&redis).await;
    let page = Page::new(&[]);
    for damage in ["", "x", "SP\u{1}0123456789abcdef and no more of it"] {
        let key = key(&format!("/{}", damage.len()));
        let stored = format!("sahm:page:build-a:{}", key.text());
        probe.run(&["SET", &stored, damage, "PX", "60000"]).await;
        assert_eq!(gateway.fetch_text(&key, &page).await.0, CacheStatus::Miss, "{damage:?}");
    }
    probe.wait_for_pages(3).await;
    let second = Gateway::start(config(), Some(&redis), vec![]).await;
    assert_eq!(
        second.fetch_text(&key("/0"), &page).await.0,
        CacheStatus::Hit,
        "filled again over the damaged entry"
    );
}

#[tokio::test]
async fn not_found_and_partial_entries_are_not_stored_in_redis() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let missing = Page::new(&["news:404"]);
    missing.set_kind(EntryKind::NotFound);
    assert_eq!(gateway.fetch_text(&key("/404"), &missing).await.0, CacheStatus::Miss);
    let served = gateway.get(&key("/404"), &missing).await.unwrap();
    assert_eq!((served.cache_status, served.entry.status.as_u16()), (CacheStatus::Hit, 404));
    let partial = Page::new(&["news:1"]);
    partial.set_kind(EntryKind::Partial);
    assert_eq!(gateway.fetch_text(&key("/partial"), &partial).await.0, CacheStatus::Bypass);
    assert_eq!(gateway.fetch_text(&key("/partial"), &partial).await.0, CacheStatus::Bypass);
    assert_eq!(partial.origin_calls(), 1, "stored for a short time");
    until("the release of the leases", async || {
        Probe::of(&redis).await.keys("sahm:lease:*").await.is_empty()
    })
    .await;
    assert!(Probe::of(&redis).await.keys("sahm:page:*").await.is_empty());

    // A published article is served at once, because the 404 had its tag.
    missing.set_kind(EntryKind::Complete);
    content.purge_hard("news:404").await;
    until("the article", async || {
        gateway.get(&key("/404"), &missing).await.unwrap().entry.status.as_u16() == 200
    })
    .await;
    gateway.clock.advance(std::time::Duration::from_secs(11));
    partial.set_kind(EntryKind::Complete);
    assert_eq!(gateway.fetch_text(&key("/partial"), &partial).await.0, CacheStatus::Miss);
    Probe::of(&redis).await.wait_for_pages(2).await;

    // A withdrawn article is deleted in Redis.
    missing.set_kind(EntryKind::NotFound);
    content.purge_hard("news:404").await;
    until("the 404", async || {
        gateway.get(&key("/404"), &missing).await.unwrap().entry.status.as_u16() == 404
    })
    .await;
    Probe::of(&redis).await.wait_for_pages(1).await;
}

#[tokio::test]
async fn partial_pages_shells_and_failures_do_not_replace_complete_entries() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/"), &page).await;
    page.set_text("less");
    for kind in [EntryKind::Partial, EntryKind::Uncacheable, EntryKind::Complete] {
        page.set_kind(kind);
        page.set_failing(kind == EntryKind::Complete);
        gateway.clock.advance(std::time::Duration::from_secs(301));
        let before = page.origin_calls();
        until("the refresh", async || {
            // A refresh that has just ended delays the next one.
            gateway.clock.advance(std::time::Duration::from_secs(3));
            assert_eq!(
                gateway.fetch_text(&key("/"), &page).await,
                (CacheStatus::Stale, "one".to_owned())
            );
            page.origin_calls() > before
        })
        .await;
        assert_eq!(
            gateway.fetch_text(&key("/"), &page).await,
            (CacheStatus::Stale, "one".to_owned())
        );
    }
}

#[tokio::test]
async fn previous_builds_page_is_served_stale_but_not_its_data() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let data = Key::new(Kind::Data, &VISITOR, "/", []);
    let former = Page::new(&["news:1"]);
    let gone = Page::new(&["news:2"]);
    let before = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    until("the build", async || !Probe::of(&redis).await.keys("sahm:builds").await.is_empty())
        .await;
    for (key, page) in [(&key("/"), &former), (&data, &former), (&key("/gone"), &gone)] {
        before.fetch_text(key, page).await;
    }
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(3).await;
    content.purge_hard("news:2").await;

    let mut config = config();
    config.build = "build-b".to_owned();
    let after = Gateway::start(config, Some(&redis), vec![content.local()]).await;
    until("the previous build", async || after.cache.previous_build().is_some()).await;
    assert_eq!(after.cache.previous_build().as_deref(), Some("build-a"));
    let current = Page::gated(&["news:1"]);
    current.set_text("current");
    current.gate.add_permits(1);
    assert_eq!(
        after.fetch_text(&key("/gone"), &current).await,
        (CacheStatus::Miss, "current".to_owned())
    );
    assert_eq!(after.fetch_text(&key("/"), &current).await, (CacheStatus::Stale, "one".to_owned()));
    assert_eq!(after.fetch_text(&key("/"), &current).await, (CacheStatus::Stale, "one".to_owned()));
    current.gate.add_permits(100);
    until("this build's page", async || {
        after.fetch_text(&key("/"), &current).await == (CacheStatus::Hit, "current".to_owned())
    })
    .await;
    assert_eq!(after.fetch_text(&data, &current).await, (CacheStatus::Miss, "current".to_owned()));
}

#[tokio::test]
async fn popular_entries_are_recompressed_in_both_stores() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    page.set_text(&(0..2000).map(|n| format!("<li>{}</li>", n * 7919 % 1013)).collect::<String>());
    let mut accept = HeaderMap::new();
    accept.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("br"));
    let length = async |gateway: &Gateway| {
        let served = gateway.get(&key("/"), &page).await.unwrap();
        let response =
            gateway.cache.respond(&key("/"), &served, &Method::GET, &accept, CacheScope::Private);
        (response.headers()[header::ETAG].clone(), response.body().len())
    };
    let quick = length(&gateway).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    until("the better body", async || length(&gateway).await.0 != quick.0).await;
    assert!(length(&gateway).await.1 < quick.1);
    until("the second level has it", async || {
        let second = Gateway::start(config(), Some(&redis), vec![]).await;
        length(&second).await.0 != quick.0
    })
    .await;
    assert_eq!(page.origin_calls(), 1);
}

#[tokio::test]
async fn only_complete_entries_with_16_hits_are_recompressed() {
    struct Row {
        path: &'static str,
        kind: EntryKind,
        hits: usize,
        is_recompressed: bool,
    }
    let rows = [
        Row { path: "/missing", kind: EntryKind::NotFound, hits: 20, is_recompressed: false },
        Row { path: "/rare", kind: EntryKind::Complete, hits: 15, is_recompressed: false },
        Row { path: "/popular", kind: EntryKind::Complete, hits: 20, is_recompressed: true },
    ];
    let gateway = Gateway::start(config(), None, vec![]).await;
    let is_recompressed = async |path: &str| {
        gateway.cache.explain(key(path).text()).await[0].entry.bodies.brotli_best
    };
    for row in &rows {
        let page = Page::new(&[]);
        page.set_kind(row.kind);
        assert_eq!(gateway.fetch_text(&key(row.path), &page).await.0, CacheStatus::Miss);
        for _ in 0..row.hits {
            assert_eq!(gateway.fetch_text(&key(row.path), &page).await.0, CacheStatus::Hit);
        }
    }
    // Entries are recompressed one after the other, so the last one is the popular one.
    until("the better body", async || is_recompressed("/popular").await).await;
    for row in &rows {
        assert_eq!(is_recompressed(row.path).await, row.is_recompressed, "{}", row.path);
    }
    assert_eq!(gateway.cache.metrics()["compressions"], 4, "three fills and one recompression");
}

#[tokio::test]
async fn uncompressed_body_is_stored_after_two_requests_for_it() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    page.set_text(&"a page ".repeat(10_000));
    for earlier_requests in 0..4 {
        let served = gateway.get(&key("/"), &page).await.unwrap();
        assert_eq!(served.entry.bodies.identity.is_some(), earlier_requests >= 2);
        assert_eq!(gateway.text(&key("/"), &served).len(), 70_000);
    }
    assert!(gateway.cache.metrics()["bytes"] > 70_000);
}
