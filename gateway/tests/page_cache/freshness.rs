//! Freshness lifetimes (RFC 9111 §4.2), stale-while-revalidate and stale-if-error (RFC 5861).

use std::time::Duration;

use sahm_gateway::page_cache::{CacheStatus, EntryKind, OriginError};
use sahm_testkit::Redis;

use crate::kit::{Gateway, Page, Probe, config, key, until};

#[tokio::test]
async fn entry_is_fresh_for_300_s_then_stale_while_one_refresh_runs() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::gated(&[]);
    page.gate.add_permits(1);
    gateway.fetch_text(&key("/"), &page).await;
    gateway.clock.advance(Duration::from_secs(299));
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
    gateway.clock.advance(Duration::from_secs(1));
    page.set_text("two");
    for _ in 0..10 {
        assert_eq!(
            gateway.fetch_text(&key("/"), &page).await,
            (CacheStatus::Stale, "one".to_owned())
        );
    }
    until("the refresh", async || page.origin_calls() == 2).await;
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Stale);
    page.gate.add_permits(1);
    until("the new page", async || {
        gateway.fetch_text(&key("/"), &page).await == (CacheStatus::Hit, "two".to_owned())
    })
    .await;
    assert_eq!(page.origin_calls(), 2);
}

#[tokio::test]
async fn entry_is_served_stale_on_error_for_24_hours() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/"), &page).await;
    page.set_failing(true);
    for _ in 0..23 {
        gateway.clock.advance(Duration::from_secs(3600));
        assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Stale);
    }
    gateway.clock.advance(Duration::from_secs(3600));
    assert!(matches!(gateway.get(&key("/"), &page).await, Err(OriginError::Failed(_))));
}

#[tokio::test]
async fn failed_refresh_is_retried_after_a_pause() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/"), &page).await;
    page.set_failing(true);
    gateway.clock.advance(Duration::from_secs(301));
    gateway.fetch_text(&key("/"), &page).await;
    until("the refresh", async || gateway.cache.metrics()["makes"] == 2).await;
    gateway.clock.advance(Duration::from_secs(1));
    for _ in 0..20 {
        assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Stale);
        tokio::task::yield_now().await;
    }
    assert_eq!(page.origin_calls(), 2);
    gateway.clock.advance(Duration::from_secs(2));
    gateway.fetch_text(&key("/"), &page).await;
    until("the next refresh", async || page.origin_calls() == 3).await;
    // The pause does not last until a clock that was set back catches up.
    gateway.clock.set(gateway.clock.now() - 3);
    until("a refresh under the earlier time", async || {
        gateway.fetch_text(&key("/"), &page).await;
        page.origin_calls() == 4
    })
    .await;
}

#[tokio::test]
async fn entry_expires_with_a_timed_item() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    *page.expires_at.lock().unwrap() = Some(gateway.clock.now() + 60);
    gateway.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    let stored = Probe::of(&redis).await.keys("sahm:page:*").await.remove(0);
    let lifetime = Probe::of(&redis).await.ttl_ms(&stored).await;
    assert!((45_000..=60_000).contains(&lifetime), "{lifetime}");
    gateway.clock.advance(Duration::from_secs(59));
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
    gateway.clock.advance(Duration::from_secs(1));
    *page.expires_at.lock().unwrap() = None;
    page.set_text("begun");
    assert_eq!(gateway.fetch_text(&key("/"), &page).await, (CacheStatus::Miss, "begun".to_owned()));
}

#[tokio::test]
async fn refresh_by_one_gateway_is_used_by_the_others() {
    let redis = Redis::start().await.unwrap();
    let shared = config();
    let first = Gateway::start(shared.clone(), Some(&redis), vec![]).await;
    let second = Gateway::start(shared, Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    first.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    second.fetch_text(&key("/"), &page).await;
    first.clock.advance(Duration::from_secs(301));
    page.set_text("two");
    let both = [&first, &second];
    until("both have the new page", async || {
        let mut fresh = 0;
        for gateway in both {
            fresh += usize::from(
                gateway.fetch_text(&key("/"), &page).await == (CacheStatus::Hit, "two".into()),
            );
        }
        fresh == 2
    })
    .await;
    assert_eq!(page.origin_calls(), 2);
}

#[tokio::test]
async fn stale_entry_of_another_gateway_is_served_while_the_origin_is_called() {
    let redis = Redis::start().await.unwrap();
    let shared = config();
    let first = Gateway::start(shared.clone(), Some(&redis), vec![]).await;
    let second = Gateway::start(shared, Some(&redis), vec![]).await;
    let page = Page::gated(&[]);
    page.gate.add_permits(1);
    first.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    page.set_text("two");
    first.clock.advance(Duration::from_secs(301));
    assert_eq!(second.fetch_text(&key("/"), &page).await, (CacheStatus::Stale, "one".to_owned()));
    page.gate.add_permits(1);
    until("the refresh", async || {
        second.fetch_text(&key("/"), &page).await == (CacheStatus::Hit, "two".to_owned())
    })
    .await;
    // The first gateway has an older stale entry than Redis.
    first.clock.advance(Duration::from_secs(301));
    until("the newer entry", async || {
        first.fetch_text(&key("/"), &page).await == (CacheStatus::Stale, "two".to_owned())
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn partial_and_not_found_entries_expire_after_10_s_even_if_the_clock_is_set_back() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    for kind in [EntryKind::Partial, EntryKind::NotFound] {
        let (page, key) = (Page::new(&[]), key(&format!("/{kind:?}")));
        page.set_kind(kind);
        // Created while the clock was an hour ahead.
        gateway.clock.advance(Duration::from_secs(3600));
        gateway.fetch_text(&key, &page).await;
        gateway.fetch_text(&key, &page).await;
        assert_eq!(page.origin_calls(), 1);
        gateway.clock.set(gateway.clock.now() - 3600);
        gateway.fetch_text(&key, &page).await;
        assert_eq!(page.origin_calls(), 2);
        // The wall clock is frozen, but monotonic time advances.
        tokio::time::sleep(Duration::from_secs(9)).await;
        gateway.fetch_text(&key, &page).await;
        assert_eq!(page.origin_calls(), 2);
        tokio::time::sleep(Duration::from_secs(1)).await;
        gateway.fetch_text(&key, &page).await;
        assert_eq!(page.origin_calls(), 3);
    }
}

#[tokio::test]
async fn entry_from_the_future_is_not_used() {
    let redis = Redis::start().await.unwrap();
    let ahead = Gateway::start(config(), Some(&redis), vec![]).await;
    ahead.clock.advance(Duration::from_secs(3600));
    let page = Page::new(&[]);
    ahead.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    let right = Gateway::start(config(), Some(&redis), vec![]).await;
    page.set_text("two");
    assert_eq!(right.fetch_text(&key("/"), &page).await, (CacheStatus::Miss, "two".to_owned()));
    assert_eq!(right.fetch_text(&key("/"), &page).await, (CacheStatus::Hit, "two".to_owned()));
}
