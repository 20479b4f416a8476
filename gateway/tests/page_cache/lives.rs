//! How long entries live.

use std::time::Duration;

use sahm_gateway::page_cache::{How, Keep, MakeError};
use sahm_testkit::Redis;

use crate::kit::{Gateway, Page, Probe, config, key, until};

#[tokio::test]
async fn fresh_for_five_minutes_then_stale_while_one_refresh_runs() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::held(&[]);
    page.gate.add_permits(1);
    gateway.ask(&key("/"), &page).await;
    gateway.clock.advance(Duration::from_secs(299));
    assert_eq!(gateway.ask(&key("/"), &page).await.0, How::Hit);
    gateway.clock.advance(Duration::from_secs(1));
    page.say("two");
    for _ in 0..10 {
        assert_eq!(gateway.ask(&key("/"), &page).await, (How::Stale, "one".to_owned()));
    }
    until("the refresh", async || page.makes() == 2).await;
    assert_eq!(gateway.ask(&key("/"), &page).await.0, How::Stale);
    page.gate.add_permits(1);
    until("the new page", async || {
        gateway.ask(&key("/"), &page).await == (How::Hit, "two".to_owned())
    })
    .await;
    assert_eq!(page.makes(), 2);
}

#[tokio::test]
async fn stale_for_a_day_when_making_fails_and_no_longer() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.ask(&key("/"), &page).await;
    page.fail(true);
    for _ in 0..23 {
        gateway.clock.advance(Duration::from_secs(3600));
        assert_eq!(gateway.ask(&key("/"), &page).await.0, How::Stale);
    }
    gateway.clock.advance(Duration::from_secs(3600));
    assert!(matches!(gateway.get(&key("/"), &page).await, Err(MakeError::Failed(_))));
}

#[tokio::test]
async fn a_failed_refresh_is_not_tried_again_at_once() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let page = Page::new(&[]);
    gateway.ask(&key("/"), &page).await;
    page.fail(true);
    gateway.clock.advance(Duration::from_secs(301));
    gateway.ask(&key("/"), &page).await;
    until("the refresh", async || gateway.cache.figures().makes == 2).await;
    for _ in 0..20 {
        assert_eq!(gateway.ask(&key("/"), &page).await.0, How::Stale);
        tokio::task::yield_now().await;
    }
    assert_eq!(page.makes(), 2);
    gateway.clock.advance(Duration::from_secs(3));
    gateway.ask(&key("/"), &page).await;
    until("the next refresh", async || page.makes() == 3).await;
}

#[tokio::test]
async fn a_timed_item_ends_its_pages() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    *page.expires_at.lock().unwrap() = Some(gateway.clock.now() + 60);
    gateway.ask(&key("/"), &page).await;
    Probe::of(&redis).await.pages(1).await;
    let stored = Probe::of(&redis).await.keys("sahm:page:*").await.remove(0);
    assert!(Probe::of(&redis).await.lifetime(&stored).await <= 60_000);
    gateway.clock.advance(Duration::from_secs(59));
    assert_eq!(gateway.ask(&key("/"), &page).await.0, How::Hit);
    gateway.clock.advance(Duration::from_secs(1));
    *page.expires_at.lock().unwrap() = None;
    page.say("begun");
    assert_eq!(gateway.ask(&key("/"), &page).await, (How::Miss, "begun".to_owned()));
}

#[tokio::test]
async fn a_refresh_of_one_gateway_is_taken_over_by_the_others() {
    let redis = Redis::start().await.unwrap();
    let shared = config();
    let first = Gateway::start(shared.clone(), Some(&redis), vec![]).await;
    let second = Gateway::start(shared, Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    first.ask(&key("/"), &page).await;
    Probe::of(&redis).await.pages(1).await;
    second.ask(&key("/"), &page).await;
    first.clock.advance(Duration::from_secs(301));
    page.say("two");
    let both = [&first, &second];
    until("both have the new page", async || {
        let mut fresh = 0;
        for gateway in both {
            fresh += usize::from(gateway.ask(&key("/"), &page).await == (How::Hit, "two".into()));
        }
        fresh == 2
    })
    .await;
    assert_eq!(page.makes(), 2);
}

#[tokio::test(start_paused = true)]
async fn partial_and_missing_pages_end_in_ten_seconds_whatever_the_clock_does() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    for keep in [Keep::Partial, Keep::Missing] {
        let (page, key) = (Page::new(&[]), key(&format!("/{keep:?}")));
        page.keep(keep);
        // Made while the clock was an hour ahead.
        gateway.clock.advance(Duration::from_secs(3600));
        gateway.ask(&key, &page).await;
        gateway.ask(&key, &page).await;
        assert_eq!(page.makes(), 1);
        gateway.clock.set(gateway.clock.now() - 3600);
        gateway.ask(&key, &page).await;
        assert_eq!(page.makes(), 2);
        // The clock stands still, time does not.
        tokio::time::sleep(Duration::from_secs(9)).await;
        gateway.ask(&key, &page).await;
        assert_eq!(page.makes(), 2);
        tokio::time::sleep(Duration::from_secs(1)).await;
        gateway.ask(&key, &page).await;
        assert_eq!(page.makes(), 3);
    }
}

#[tokio::test]
async fn entry_from_the_future_is_used_by_nobody() {
    let redis = Redis::start().await.unwrap();
    let ahead = Gateway::start(config(), Some(&redis), vec![]).await;
    ahead.clock.advance(Duration::from_secs(3600));
    let page = Page::new(&[]);
    ahead.ask(&key("/"), &page).await;
    Probe::of(&redis).await.pages(1).await;
    let right = Gateway::start(config(), Some(&redis), vec![]).await;
    page.say("two");
    assert_eq!(right.ask(&key("/"), &page).await, (How::Miss, "two".to_owned()));
    assert_eq!(right.ask(&key("/"), &page).await, (How::Hit, "two".to_owned()));
}
