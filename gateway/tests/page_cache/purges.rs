//! Hard and soft purges from real change logs.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use sahm_chassis::{ServiceName, rpc};
use sahm_gateway::page_cache::{CacheStatus, PageCache, key_tag, path_tag};
use sahm_testkit::Redis;

use crate::kit::{Gateway, Log, Page, Probe, config, key, until};

#[tokio::test]
async fn hard_purge_reaches_every_gateway_within_1_s_with_and_without_redis() {
    let mut redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let other = Log::start(ServiceName::Config).await;
    let logs = || vec![content.local(), other.local()];
    let gateways = [
        Gateway::start(config(), Some(&redis), logs()).await,
        Gateway::start(config(), Some(&redis), logs()).await,
    ];
    let page = Page::new(&["news:1", "news:list:us"]);
    let unrelated = Page::new(&["news:2"]);
    for is_stopped in [false, true] {
        if is_stopped {
            redis.kill();
        }
        for gateway in &gateways {
            gateway.fetch_text(&key("/a"), &page).await;
            gateway.fetch_text(&key("/b"), &unrelated).await;
        }
        let text = format!("after {is_stopped}");
        page.set_text(&text);
        content.purge_hard("news:list:us").await;
        let purged = Instant::now();
        for gateway in &gateways {
            until("the new page", async || gateway.fetch_text(&key("/a"), &page).await.1 == text)
                .await;
        }
        assert!(purged.elapsed() < Duration::from_secs(1), "{:?}", purged.elapsed());
        for gateway in &gateways {
            assert_eq!(gateway.fetch_text(&key("/b"), &unrelated).await.0, CacheStatus::Hit);
        }
    }
}

#[tokio::test]
async fn purge_during_a_fill_takes_precedence() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Arc::new(Gateway::start(config(), Some(&redis), vec![content.local()]).await);
    let page = Page::gated(&["news:1"]);
    let fill = || {
        let (gateway, page) = (gateway.clone(), page.clone());
        tokio::spawn(async move { gateway.fetch_text(&key("/"), &page).await })
    };
    let filled = fill();
    until("the fill", async || page.origin_calls() == 1).await;
    page.set_text("two");
    let before = gateway.cache.position(ServiceName::Content).unwrap().sequence;
    content.purge_hard("news:1").await;
    until("the purge", async || {
        gateway.cache.position(ServiceName::Content).unwrap().sequence > before
    })
    .await;
    page.gate.add_permits(1);
    until("another fill", async || page.origin_calls() == 2).await;
    page.gate.add_permits(1);
    assert_eq!(filled.await.unwrap(), (CacheStatus::Miss, "two".to_owned()));
    assert_eq!(gateway.fetch_text(&key("/"), &page).await, (CacheStatus::Hit, "two".to_owned()));
    assert_eq!(gateway.cache.metrics()["purgedInFlight"], 1);
}

#[tokio::test]
async fn page_purged_during_every_fill_is_not_stored() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Arc::new(Gateway::start(config(), Some(&redis), vec![content.local()]).await);
    let page = Page::gated(&["news:1"]);
    let filled = tokio::spawn({
        let (gateway, page) = (gateway.clone(), page.clone());
        async move { gateway.fetch_text(&key("/"), &page).await }
    });
    for fill in 1..=3 {
        until("a fill", async || page.origin_calls() == fill).await;
        let before = gateway.cache.position(ServiceName::Content).unwrap().sequence;
        content.purge_hard("news:1").await;
        until("the purge", async || {
            gateway.cache.position(ServiceName::Content).unwrap().sequence > before
        })
        .await;
        page.gate.add_permits(1);
    }
    assert_eq!(filled.await.unwrap(), (CacheStatus::Bypass, "one".to_owned()));
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(0).await;
    until("the release of the lease", async || {
        Probe::of(&redis).await.keys("sahm:lease:*").await.is_empty()
    })
    .await;
    assert_eq!(gateway.cache.metrics()["entries"], 0);
}

#[tokio::test]
async fn page_purged_in_the_log_replica_is_not_stored_in_redis() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Arc::new(Gateway::start(config(), Some(&redis), vec![content.local()]).await);
    let mut probe = Probe::of(&redis).await;
    until("the replica", async || !Probe::of(&redis).await.keys("sahm:log:*").await.is_empty())
        .await;
    let page = Page::new(&["news:1"]);
    // Another gateway has read a later change.
    probe.run(&["ZADD", "sahm:log:content:hard", "7", "news:1"]).await;
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
    until("the refusal", async || gateway.cache.metrics()["purgedInFlight"] == 1).await;
    probe.wait_for_pages(0).await;
    assert_eq!(gateway.cache.metrics()["entries"], 0);
}

#[tokio::test]
async fn reading_from_redis_does_not_revive_a_purged_entry() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let page = Page::new(&["news:1"]);
    let first = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    first.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;

    let second = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    assert_eq!(second.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit, "copied");
    let mut probe = Probe::of(&redis).await;
    let stored = probe.keys("sahm:page:*").await.remove(0);
    probe.run(&["COPY", &stored, "aside"]).await;
    page.set_text("two");
    content.purge_hard("news:1").await;
    until("the purge", async || second.fetch_text(&key("/"), &page).await.1 == "two").await;
    let is_new = format!(
        "local value = redis.call('GET', '{stored}')
        return value and value ~= redis.call('GET', 'aside') and 1 or 0"
    );
    until("the storing", async || Probe::of(&redis).await.eval_number(&is_new).await == 1).await;

    // Writes the old entry to Redis again, as a slow writer might.
    page.set_text("three");
    probe.run(&["COPY", "aside", &stored, "REPLACE"]).await;
    let third = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    assert_eq!(third.fetch_text(&key("/"), &page).await, (CacheStatus::Miss, "three".to_owned()));
}

#[tokio::test]
async fn soft_purged_entry_is_served_stale_and_refreshed_in_the_background() {
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), None, vec![content.local()]).await;
    let page = Page::new(&["config:menu"]);
    gateway.fetch_text(&key("/"), &page).await;
    page.set_text("two");
    content.purge_soft("config:menu").await;
    let mut served = (CacheStatus::Hit, "one".to_owned());
    until("the mark", async || {
        served = gateway.fetch_text(&key("/"), &page).await;
        served.0 != CacheStatus::Hit
    })
    .await;
    assert_eq!(served, (CacheStatus::Stale, "one".to_owned()));
    until("the refresh", async || {
        gateway.fetch_text(&key("/"), &page).await == (CacheStatus::Hit, "two".to_owned())
    })
    .await;

    page.set_text("three");
    page.set_failing(true);
    content.purge_soft("config:menu").await;
    until("a failed refresh", async || {
        gateway.fetch_text(&key("/"), &page).await;
        page.origin_calls() == 3
    })
    .await;
    for _ in 0..20 {
        let stale = (CacheStatus::Stale, "two".to_owned());
        assert_eq!(gateway.fetch_text(&key("/"), &page).await, stale);
        tokio::task::yield_now().await;
    }
    assert_eq!(page.origin_calls(), 3);
    page.set_failing(false);
    until("the pause's end", async || {
        gateway.clock.advance(Duration::from_secs(3));
        gateway.fetch_text(&key("/"), &page).await.1 == "three"
    })
    .await;
}

#[tokio::test]
async fn soft_purged_entries_are_all_refreshed_within_60_s_without_failures() {
    let content = Log::start(ServiceName::Content).await;
    let mut config = config();
    config.lifetimes.soft = Duration::from_millis(1500);
    let gateway = Gateway::start(config, None, vec![content.local()]).await;
    let pages: Vec<_> =
        (0..500).map(|n| (key(&format!("/{n}")), Page::new(&["config:menu"]))).collect();
    for (key, page) in &pages {
        gateway.fetch_text(key, page).await;
        page.set_text("two");
    }
    content.purge_soft("config:menu").await;
    until("the mark", async || {
        gateway.fetch_text(&pages[0].0, &pages[0].1).await != (CacheStatus::Hit, "one".to_owned())
    })
    .await;
    let marked = Instant::now();
    while marked.elapsed() < Duration::from_millis(1600) {
        for (key, page) in &pages {
            gateway.get(key, page).await.unwrap();
        }
        tokio::task::yield_now().await;
    }
    for (key, page) in &pages {
        assert_eq!(gateway.fetch_text(key, page).await.1, "two");
        assert_eq!(page.origin_calls(), 2);
    }
}

#[tokio::test]
async fn overdue_soft_purged_entry_is_refreshed_before_it_is_served() {
    let content = Log::start(ServiceName::Content).await;
    let mut config = config();
    config.lifetimes.soft = Duration::ZERO;
    let gateway = Gateway::start(config, None, vec![content.local()]).await;
    let page = Page::gated(&["config:menu"]);
    page.gate.add_permits(3);
    gateway.fetch_text(&key("/"), &page).await;
    page.set_text("two");
    let before = gateway.cache.position(ServiceName::Content).unwrap().sequence;
    content.purge_soft("config:menu").await;
    until("the purge", async || {
        gateway.cache.position(ServiceName::Content).unwrap().sequence > before
    })
    .await;
    assert_eq!(gateway.fetch_text(&key("/"), &page).await, (CacheStatus::Miss, "two".to_owned()));
    content.purge_soft("config:menu").await;
    page.set_failing(true);
    until("the next purge", async || {
        page.origin_calls() == 3 || {
            gateway.fetch_text(&key("/"), &page).await;
            false
        }
    })
    .await;
    assert_eq!(gateway.fetch_text(&key("/"), &page).await, (CacheStatus::Stale, "two".to_owned()));
    assert_eq!(page.origin_calls(), 3, "no refresh during the pause after a failed one");
    // The origin no longer responds.
    gateway.clock.advance(Duration::from_secs(3));
    let key = key("/");
    let request = gateway.fetch_text(&key, &page);
    let served = rpc::with_deadline(Duration::from_millis(300), request).await;
    assert_eq!(served.unwrap(), (CacheStatus::Stale, "two".to_owned()));
    assert_eq!(page.origin_calls(), 4);
}

#[tokio::test]
async fn soft_purged_entry_of_redis_is_served_stale_unless_overdue() {
    struct Row {
        soft: Duration,
        served: (CacheStatus, &'static str),
    }
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let first = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let page = Page::new(&["config:menu"]);
    let keys = [key("/a"), key("/b")];
    for key in &keys {
        first.fetch_text(key, &page).await;
    }
    Probe::of(&redis).await.wait_for_pages(2).await;
    content.purge_soft("config:menu").await;
    page.set_text("two");
    let rows = [
        Row { soft: Duration::from_secs(60), served: (CacheStatus::Stale, "one") },
        Row { soft: Duration::ZERO, served: (CacheStatus::Miss, "two") },
    ];
    for (Row { soft, served }, key) in rows.into_iter().zip(&keys) {
        let mut config = config();
        config.lifetimes.soft = soft;
        let second = Gateway::start(config, Some(&redis), vec![content.local()]).await;
        assert_eq!(
            second.fetch_text(key, &page).await,
            (served.0, served.1.to_owned()),
            "{soft:?}"
        );
    }
}

#[tokio::test]
async fn operator_purges_keys_and_paths_through_the_change_log() {
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), None, vec![content.local()]).await;
    let page = Page::new(&[]);
    for path in ["/a", "/b"] {
        gateway.fetch_text(&key(path), &page).await;
    }
    let listed = gateway.cache.list(":/a", 10).await;
    assert_eq!(listed, [key("/a").text()]);
    let explained = gateway.cache.explain(&listed[0]).await;
    assert_eq!((explained[0].validity, explained[0].in_process), ("valid", true));
    PageCache::purge_tags(content.local().1, &[key_tag(&listed[0])], false).await.unwrap();
    until("the purge", async || gateway.cache.explain(&listed[0]).await[0].validity == "purged")
        .await;
    assert_eq!(gateway.fetch_text(&key("/a"), &page).await.0, CacheStatus::Miss);
    assert_eq!(gateway.fetch_text(&key("/b"), &page).await.0, CacheStatus::Hit);
    content.purge_hard(&path_tag("/b")).await;
    until("the purge", async || gateway.fetch_text(&key("/b"), &page).await.0 == CacheStatus::Miss)
        .await;
}
