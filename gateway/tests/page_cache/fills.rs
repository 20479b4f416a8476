//! Fills: one per key, in this process (single-flight) and across gateways (leases).

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use sahm_chassis::{ServiceName, rpc};
use sahm_gateway::{
    content_encoding::ContentEncoding,
    page_cache::{CacheStatus, EntryKind, OriginError},
};
use sahm_testkit::Redis;

use crate::kit::{Gateway, Log, Page, Probe, config, key, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_misses_on_two_gateways_call_the_origin_once() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateways = [
        Arc::new(Gateway::start(config(), Some(&redis), vec![content.local()]).await),
        Arc::new(Gateway::start(config(), Some(&redis), vec![content.local()]).await),
    ];
    let page = Page::gated(&["news:1"]);
    let requests: Vec<_> = (0..1000)
        .map(|n| {
            let (gateway, page) = (gateways[n % 2].clone(), page.clone());
            tokio::spawn(async move { gateway.fetch_text(&key("/news"), &page).await.1 })
        })
        .collect();
    until("the first fill", async || page.origin_calls() == 1).await;
    until("the other gateway waits", async || {
        gateways.iter().map(|gateway| gateway.cache.metrics()["leaseWaits"]).sum::<u64>() == 1
    })
    .await;
    page.gate.add_permits(100);
    for request in requests {
        assert_eq!(request.await.unwrap(), "one");
    }
    assert_eq!(page.origin_calls(), 1);
}

/// One gateway fills a key for which another waits, during `meanwhile`; then the other reads the entry from Redis.
async fn filled_once(redis: &Redis, meanwhile: impl AsyncFnOnce(&Gateway)) {
    let first = Arc::new(Gateway::start(config(), Some(redis), vec![]).await);
    let second = Arc::new(Gateway::start(config(), Some(redis), vec![]).await);
    let page = Page::gated(&[]);
    let ask = |gateway: &Arc<Gateway>| {
        let (gateway, page) = (gateway.clone(), page.clone());
        tokio::spawn(async move { gateway.fetch_text(&key("/"), &page).await })
    };
    let one = ask(&first);
    until("the fill", async || page.origin_calls() == 1).await;
    let two = ask(&second);
    until("the waiter", async || second.cache.metrics()["leaseWaits"] == 1).await;
    meanwhile(&second).await;
    page.gate.add_permits(10);
    assert_eq!(one.await.unwrap().0, CacheStatus::Miss);
    assert_eq!(two.await.unwrap().0, CacheStatus::Hit);
    assert_eq!(page.origin_calls(), 1);
}

#[tokio::test]
async fn slow_fill_renews_its_lease() {
    let redis = Redis::start().await.unwrap();
    let mut probe = Probe::of(&redis).await;
    let lease = format!("sahm:lease:build-a:{}", key("/").text());
    filled_once(&redis, async |_| {
        // Renewed every 200 ms, the lease outlives its 700 ms.
        let (mut renewals, mut lifetime) = (0, probe.ttl_ms(&lease).await);
        until("five renewals", async || {
            let left = probe.ttl_ms(&lease).await;
            renewals += u32::from(left > lifetime);
            lifetime = left;
            renewals == 5
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn waiter_tolerates_one_redis_timeout() {
    let redis = Redis::start().await.unwrap();
    let mut probe = Probe::of(&redis).await;
    filled_once(&redis, async |second| {
        // Two late responses in a row would count as Redis being unavailable.
        for _ in 0..2 {
            let errors = second.cache.metrics()["redisErrors"];
            redis.pause();
            // One lookup times out; the next one succeeds.
            until("a late response", async || second.cache.metrics()["redisErrors"] > errors).await;
            redis.resume();
            let before = probe.command_count("evalsha").await;
            // Two of these are lookups in time: the others are the late lookup and two renewals of the lease,
            // of which the second comes 200 ms after the first.
            until("lookups", async || probe.command_count("evalsha").await >= before + 5).await;
        }
    })
    .await;
}

/// The deadline of a page (docs/limits-and-timeouts.md), with a margin.
const PAGE: Duration = Duration::from_millis(3_300);

#[tokio::test]
async fn waiting_and_filling_share_one_deadline() {
    let redis = Redis::start().await.unwrap();
    let mut gateways = Vec::new();
    for _ in 0..3 {
        gateways.push(Arc::new(Gateway::start(config(), Some(&redis), vec![]).await));
    }
    // The origin never responds, on any gateway.
    let page = Page::gated(&[]);
    let ask = async |gateway: &Arc<Gateway>| {
        let began = Instant::now();
        let served = gateway.get(&key("/"), &page).await;
        assert!(began.elapsed() < PAGE, "{:?}", began.elapsed());
        served.map(|served| (served.cache_status, gateway.text(&key("/"), &served)))
    };
    let join_late = async |gateway: &Arc<Gateway>| {
        until("the fill", async || page.origin_calls() == 1).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        ask(gateway).await
    };
    let leader = gateways[0].clone();
    let first = async {
        let answer = ask(&leader).await;
        assert!(matches!(answer, Err(OriginError::Late)), "{answer:?}");
    };
    let others = async {
        until("the fill", async || page.origin_calls() == 1).await;
        let answers = tokio::join!(ask(&gateways[1]), ask(&gateways[2]));
        for answer in [answers.0, answers.1] {
            assert_eq!(answer.unwrap(), (CacheStatus::Bypass, "shell".to_owned()));
        }
    };
    // A request that joins later waits no longer than the first ones.
    let joining = async {
        let began = Instant::now();
        assert!(join_late(&leader).await.is_err());
        assert!(began.elapsed() < PAGE, "{:?}", began.elapsed());
    };
    tokio::join!(first, others, joining);
    assert_eq!(page.origin_calls(), 1, "one render over all gateways");
}

#[tokio::test]
async fn request_ends_with_failed_fills_or_its_deadline() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let (key, began) = (key("/"), Instant::now());
    let lost = gateway.cache.fetch(&key, |_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(1_300)).await;
            panic!("a fault")
        })
    });
    assert!(matches!(lost.await, Err(OriginError::Late)));
    assert!(began.elapsed() < PAGE, "{:?}", began.elapsed());

    let page = Page::gated(&[]);
    let narrow = rpc::with_deadline(Duration::from_millis(300), gateway.get(&key, &page));
    assert!(matches!(narrow.await, Ok(Err(OriginError::Late))));
}

#[tokio::test]
async fn waiter_takes_over_an_expired_lease() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let mut probe = Probe::of(&redis).await;
    let lease = format!("sahm:lease:build-a:{}", key("/").text());
    // The lease of a killed gateway.
    probe.run(&["SET", &lease, "0123456789abcdef", "PX", "700"]).await;
    let calls = probe.command_count("evalsha").await;
    let page = Page::new(&[]);
    let began = Instant::now();
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
    assert!(began.elapsed() > Duration::from_millis(500));
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(page.origin_calls(), 1);
    assert_eq!(gateway.cache.metrics()["leaseWaits"], 1);
    // While it waits, it polls Redis ever less often, down to every 40 ms.
    let calls = probe.command_count("evalsha").await - calls;
    assert!(calls < 60, "{calls}");
}

#[tokio::test]
async fn waiter_fills_without_a_lease_once_redis_stays_unavailable() {
    let mut redis = Redis::start().await.unwrap();
    let gateway = Arc::new(Gateway::start(config(), Some(&redis), vec![]).await);
    let lease = format!("sahm:lease:build-a:{}", key("/").text());
    let mut probe = Probe::of(&redis).await;
    probe.run(&["SET", &lease, "0123456789abcdef", "PX", "60000"]).await;
    let page = Page::new(&[]);
    let waiting = tokio::spawn({
        let (gateway, page) = (gateway.clone(), page.clone());
        async move { gateway.fetch_text(&key("/"), &page).await }
    });
    until("the waiter", async || gateway.cache.metrics()["leaseWaits"] == 1).await;
    redis.kill();
    assert_eq!(waiting.await.unwrap(), (CacheStatus::Miss, "one".to_owned()));
}

#[tokio::test]
async fn overdue_entry_is_served_stale_if_another_gateway_fills_for_too_long() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let mut config = config();
    config.lifetimes.soft = Duration::ZERO;
    let gateway = Gateway::start(config, Some(&redis), vec![content.local()]).await;
    let page = Page::new(&["config:menu"]);
    gateway.fetch_text(&key("/"), &page).await;
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(1).await;
    let lease = format!("sahm:lease:build-a:{}", key("/").text());
    probe.run(&["SET", &lease, "0123456789abcdef", "PX", "60000"]).await;
    content.purge_soft("config:menu").await;
    let stored = key("/");
    until("the purge", async || {
        gateway.cache.explain(stored.text()).await[0].validity == "soft-purged"
    })
    .await;
    let request = gateway.fetch_text(&stored, &page);
    let served = rpc::with_deadline(Duration::from_millis(600), request).await;
    assert_eq!(served.unwrap(), (CacheStatus::Stale, "one".to_owned()));
    assert_eq!(gateway.cache.metrics()["makes"], 1);
}

#[tokio::test]
async fn fill_that_lost_its_lease_stores_nothing() {
    let redis = Redis::start().await.unwrap();
    let gateway = Arc::new(Gateway::start(config(), Some(&redis), vec![]).await);
    let mut probe = Probe::of(&redis).await;
    let page = Page::gated(&[]);
    let filled = tokio::spawn({
        let (gateway, page) = (gateway.clone(), page.clone());
        async move { gateway.fetch_text(&key("/"), &page).await }
    });
    until("the fill", async || page.origin_calls() == 1).await;
    let lease = format!("sahm:lease:build-a:{}", key("/").text());
    probe.run(&["SET", &lease, "another's token.", "PX", "700"]).await;
    page.gate.add_permits(1);
    assert_eq!(filled.await.unwrap().0, CacheStatus::Miss);
    until("the end of the fill", async || gateway.cache.metrics()["entries"] == 1).await;
    let ended = Instant::now();
    until("the lease's end", async || {
        Probe::of(&redis).await.keys("sahm:lease:*").await.is_empty()
    })
    .await;
    assert!(ended.elapsed() < Duration::from_secs(2));
    probe.wait_for_pages(0).await;
}

#[tokio::test]
async fn slow_fill_does_not_delay_other_keys() {
    let gateway = Arc::new(Gateway::start(config(), None, vec![]).await);
    let held = Page::gated(&[]);
    let waiting = tokio::spawn({
        let (gateway, held) = (gateway.clone(), held.clone());
        async move { gateway.fetch_text(&key("/held"), &held).await }
    });
    until("the fill", async || held.origin_calls() == 1).await;
    assert_eq!(gateway.fetch_text(&key("/other"), &Page::new(&[])).await.0, CacheStatus::Miss);
    held.gate.add_permits(1);
    assert_eq!(waiting.await.unwrap().0, CacheStatus::Miss);
}

#[tokio::test]
async fn disconnected_client_does_not_cancel_the_fill() {
    let gateway = Arc::new(Gateway::start(config(), None, vec![]).await);
    let page = Page::gated(&[]);
    let leaving = tokio::spawn({
        let (gateway, page) = (gateway.clone(), page.clone());
        async move { gateway.fetch_text(&key("/"), &page).await }
    });
    until("the fill", async || page.origin_calls() == 1).await;
    leaving.abort();
    page.gate.add_permits(1);
    until("the page", async || gateway.cache.metrics()["entries"] == 1).await;
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
    assert_eq!(page.origin_calls(), 1);
}

#[tokio::test]
async fn origin_error_reaches_all_waiters_and_is_not_stored() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    let mut probe = Probe::of(&redis).await;
    gateway.fetch_text(&key("/before"), &Page::new(&[])).await;
    probe.wait_for_pages(1).await;
    let calls = probe.command_count("evalsha").await;
    page.set_failing(true);
    assert!(matches!(gateway.get(&key("/"), &page).await, Err(OriginError::Failed(_))));
    page.set_failing(false);
    // The lease is requested and released; it does not have to expire.
    until("the release", async || probe.command_count("evalsha").await >= calls + 2).await;
    page.set_kind(EntryKind::Uncacheable);
    let shell = gateway.get(&key("/"), &page).await.unwrap();
    assert_eq!((shell.cache_status, shell.entry.status.as_u16()), (CacheStatus::Bypass, 503));
    assert_eq!(gateway.cache.metrics()["entries"], 1, "only the page before");
    page.set_kind(EntryKind::Complete);
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
    assert_eq!(page.origin_calls.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn origin_panic_fails_the_request_at_once() {
    let gateway = Gateway::start(config(), None, vec![]).await;
    let result = gateway.cache.fetch(&key("/"), |_| Box::pin(async { panic!("a fault") })).await;
    assert!(matches!(result, Err(OriginError::Late)));
    let result = gateway.cache.bypass(ContentEncoding::Gzip, async { panic!("a fault") }).await;
    assert!(matches!(result, Err(OriginError::Late)));
    assert_eq!(gateway.fetch_text(&key("/"), &Page::new(&[])).await.0, CacheStatus::Miss);
}
