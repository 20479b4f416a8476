//! Unavailable Redis and unavailable services.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::{Duration, Instant},
};

use sahm_chassis::{Process, ServiceName, Settings, rpc::Transport, settings::RedisSettings};
use sahm_gateway::page_cache::CacheStatus;
use sahm_testkit::{Redis, RedisWithSentinels};
use tokio::net::{TcpListener, TcpStream};
use tokio_stream::StreamExt;

use crate::kit::{Gateway, Log, Page, Probe, config, context, key, until};

#[tokio::test]
async fn killed_redis_adds_little_latency_and_is_used_again() {
    let mut redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let page = Page::new(&["news:1"]);
    gateway.fetch_text(&key("/"), &page).await;
    redis.kill();
    for n in 0..50 {
        assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
        let began = Instant::now();
        assert_eq!(gateway.fetch_text(&key(&format!("/{n}")), &page).await.0, CacheStatus::Miss);
        assert!(began.elapsed() < Duration::from_millis(150), "{:?}", began.elapsed());
    }
    redis.restart().await.unwrap();
    let restarted = Instant::now();
    gateway.wait_for_redis(true).await;
    assert!(restarted.elapsed() < Duration::from_secs(5));
    gateway.fetch_text(&key("/after"), &page).await;
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(1).await;
    until("the replica", async || {
        Probe::of(&redis).await.keys("sahm:log:content").await.len() == 1
    })
    .await;
}

#[tokio::test]
async fn hanging_redis_delays_a_request_by_at_most_50_ms() {
    let redis = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/"), &page).await;
    redis.pause();
    for n in 0..20 {
        assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
        let began = Instant::now();
        assert_eq!(gateway.fetch_text(&key(&format!("/{n}")), &page).await.0, CacheStatus::Miss);
        assert!(began.elapsed() < Duration::from_millis(150), "{:?}", began.elapsed());
    }
    gateway.wait_for_redis(false).await;
    redis.resume();
    gateway.wait_for_redis(true).await;
}

#[tokio::test]
async fn redis_replica_is_unavailable_until_promoted() {
    let redis = Redis::start().await.unwrap();
    let primary = Redis::start().await.unwrap();
    let gateway = Gateway::start(config(), Some(&redis), vec![]).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/before"), &page).await;
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(1).await;
    probe.run(&["REPLICAOF", "127.0.0.1", &primary.port().to_string()]).await;
    assert_eq!(gateway.fetch_text(&key("/meanwhile"), &page).await.0, CacheStatus::Miss);
    gateway.wait_for_redis(false).await;
    assert!(gateway.cache.metrics()["redisErrors"] > 0);
    probe.run(&["REPLICAOF", "NO", "ONE"]).await;
    gateway.wait_for_redis(true).await;
    gateway.fetch_text(&key("/after"), &page).await;
    until("the page is stored", async || {
        Probe::of(&redis).await.keys("sahm:page:*:/after").await.len() == 1
    })
    .await;
}

/// An address whose new connections lead to the current value of `port`.
async fn address_of(port: Arc<AtomicU16>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let address = ("127.0.0.1", port.load(Ordering::SeqCst));
            tokio::spawn(async move {
                let mut server = TcpStream::connect(address).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    url
}

#[tokio::test]
async fn gateway_reconnects_after_redis_failover_at_the_same_address() {
    let former = Redis::start().await.unwrap();
    let primary = Redis::start().await.unwrap();
    let port = Arc::new(AtomicU16::new(former.port()));
    let url = address_of(port.clone()).await;
    let gateway = Gateway::start_at(config(), &RedisSettings::at(url)).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/before"), &page).await;
    Probe::of(&former).await.wait_for_pages(1).await;
    // Open connections stay; new ones lead to the new primary.
    port.store(primary.port(), Ordering::SeqCst);
    let replicate = ["REPLICAOF", "127.0.0.1", &primary.port().to_string()];
    Probe::of(&former).await.run(&replicate).await;
    until("pages are stored at the new primary", async || {
        gateway.fetch_text(&key(&format!("/{}", page.origin_calls())), &page).await;
        !Probe::of(&primary).await.keys("sahm:page:*").await.is_empty()
    })
    .await;
    gateway.wait_for_redis(true).await;
}

/// Kills the primary, and waits until gateways use the new one.
async fn assert_failover_is_followed(mut redis: RedisWithSentinels) {
    let settings = Settings::from_pairs(Process::Gateway, redis.settings()).unwrap();
    let settings = settings.redis.unwrap();
    let gateway = Gateway::start_at(config(), &settings).await;
    let page = Page::new(&[]);
    gateway.fetch_text(&key("/before"), &page).await;
    Probe::of(redis.primary()).await.wait_for_pages(1).await;
    redis.kill_primary();
    assert_eq!(gateway.fetch_text(&key("/meanwhile"), &page).await.0, CacheStatus::Miss);
    redis.promoted().await.unwrap();
    let promoted = Instant::now();
    let mut probe = Probe::of(redis.replica()).await;
    let mut stored = Vec::new();
    until("pages are stored at the new primary", async || {
        gateway.fetch_text(&key(&format!("/after/{}", page.origin_calls())), &page).await;
        stored = probe.keys("sahm:page:*:/after/*").await;
        !stored.is_empty()
    })
    .await;
    let took = promoted.elapsed();
    eprintln!("The new primary is used {took:?} after its promotion.");
    assert!(took < Duration::from_secs(5), "{took:?}");
    let path = stored[0].rsplit_once(':').unwrap().1;
    let other = Gateway::start_at(config(), &settings).await;
    assert_eq!(other.fetch_text(&key(path), &page).await.0, CacheStatus::Hit);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn promoted_primary_is_used_within_5_s() {
    assert_failover_is_followed(RedisWithSentinels::start().await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_sentinel_does_not_delay_failover() {
    let redis = RedisWithSentinels::start().await.unwrap();
    redis.pause_sentinel();
    assert_failover_is_followed(redis).await;
}

#[tokio::test]
async fn entries_are_served_while_the_log_is_unavailable_and_validated_afterwards() {
    let mut content = Log::start(ServiceName::Content).await;
    let life = context();
    let transport = content.over_tcp(&life).await;
    let gateway = Gateway::start_in(config(), None, vec![transport], life).await;
    let page = Page::new(&["news:1"]);
    let unrelated = Page::new(&["news:2"]);
    gateway.fetch_text(&key("/a"), &page).await;
    gateway.fetch_text(&key("/b"), &unrelated).await;
    content.stop().await;
    content.purge_hard("news:1").await;
    page.set_text("two");
    assert_eq!(gateway.fetch_text(&key("/a"), &page).await, (CacheStatus::Hit, "one".to_owned()));
    content.restart().await;
    let restored = Instant::now();
    until("the validation", async || gateway.fetch_text(&key("/a"), &page).await.1 == "two").await;
    assert!(restored.elapsed() < Duration::from_secs(5));
    assert_eq!(gateway.fetch_text(&key("/b"), &unrelated).await.0, CacheStatus::Hit);
}

#[tokio::test]
async fn new_log_id_invalidates_entries_of_the_previous_one() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let page = Page::new(&["news:1"]);
    let before = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    before.fetch_text(&key("/"), &page).await;
    Probe::of(&redis).await.wait_for_pages(1).await;
    drop(before);
    // A log that was restored elsewhere has another id.
    let restored = Log::start(ServiceName::Content).await;
    let after = Gateway::start(config(), Some(&redis), vec![restored.local()]).await;
    assert_eq!(after.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
}

fn no_service(context: &sahm_chassis::Context) -> (ServiceName, Transport) {
    // Connections to port 9 are refused at once.
    (ServiceName::Content, Transport::connect("http://127.0.0.1:9", context))
}

#[tokio::test]
async fn gateway_started_without_the_service_validates_by_the_log_replica() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let first = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let purged = Page::new(&["news:1"]);
    let unrelated = Page::new(&["news:2"]);
    first.fetch_text(&key("/a"), &purged).await;
    first.fetch_text(&key("/b"), &unrelated).await;
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(2).await;
    for tag in ["news:1", "news:3"] {
        content.purge_hard(tag).await;
    }
    // Including the sentinel of a complete set.
    until("the replica", async || {
        Probe::of(&redis).await.members("sahm:log:content:hard").await.len() == 3
    })
    .await;
    drop(first);

    let life = context();
    let logs = vec![no_service(&life)];
    let second = Gateway::start_in(config(), Some(&redis), logs, life).await;
    assert_eq!(second.fetch_text(&key("/a"), &purged).await.0, CacheStatus::Miss);
    assert_eq!(second.fetch_text(&key("/b"), &unrelated).await.0, CacheStatus::Hit);
    assert_eq!(unrelated.origin_calls(), 1);
    drop(second);

    // With neither service nor replica, entries older than the gateway are not used.
    probe.run(&["DEL", "sahm:log:content", "sahm:log:content:hard"]).await;
    let life = context();
    let logs = vec![no_service(&life)];
    let third = Gateway::start_in(config(), Some(&redis), logs, life).await;
    assert_eq!(third.fetch_text(&key("/b"), &unrelated).await.0, CacheStatus::Miss);
    assert_eq!(
        third.fetch_text(&key("/b"), &unrelated).await.0,
        CacheStatus::Hit,
        "its own stays in use"
    );

    // Other gateways could not validate what it fills.
    assert_eq!(third.fetch_text(&key("/c"), &unrelated).await.0, CacheStatus::Miss);
    until("the release of the leases", async || probe.keys("sahm:lease:*").await.is_empty()).await;
    assert!(probe.keys("sahm:page:*:/c").await.is_empty());
}

#[tokio::test]
async fn log_replica_with_an_evicted_key_is_not_used() {
    let redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let first = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    let page = Page::new(&["news:1"]);
    first.fetch_text(&key("/"), &page).await;
    let mut probe = Probe::of(&redis).await;
    probe.wait_for_pages(1).await;
    content.purge_hard("news:1").await;
    until("the replica", async || {
        Probe::of(&redis).await.members("sahm:log:content:hard").await.len() == 2
    })
    .await;
    // Redis evicts the least used key first, which may be only a part of the replica.
    probe.run(&["DEL", "sahm:log:content:hard"]).await;
    page.set_text("two");
    let life = context();
    let logs = vec![no_service(&life)];
    let second = Gateway::start_in(config(), Some(&redis), logs, life).await;
    assert_eq!(second.fetch_text(&key("/"), &page).await, (CacheStatus::Miss, "two".to_owned()));

    // The next change restores the whole replica.
    content.purge_hard("news:2").await;
    until("the complete replica", async || {
        Probe::of(&redis).await.members("sahm:log:content:hard").await.len() == 3
    })
    .await;
    drop(first);
}

#[tokio::test]
async fn log_replica_is_complete_after_redis_was_unreachable() {
    let mut redis = Redis::start().await.unwrap();
    let content = Log::start(ServiceName::Content).await;
    let gateway = Gateway::start(config(), Some(&redis), vec![content.local()]).await;
    content.purge_hard("news:1").await;
    redis.kill();
    for n in 2..6 {
        content.purge_hard(&format!("news:{n}")).await;
    }
    until("the purges", async || {
        gateway.cache.position(ServiceName::Content).is_some_and(|at| at.sequence == 5)
    })
    .await;
    redis.restart().await.unwrap();
    content.purge_hard("news:6").await;
    // Including the sentinel of a complete set.
    until("all of them", async || {
        Probe::of(&redis).await.members("sahm:log:content:hard").await.len() == 7
    })
    .await;
}

#[tokio::test]
async fn pub_sub_reaches_a_gateway_that_cannot_read_the_log() {
    let redis = Redis::start().await.unwrap();
    let mut content = Log::start(ServiceName::Content).await;
    let life = context();
    let remote = content.over_tcp(&life).await;
    let gateway = Gateway::start_in(config(), Some(&redis), vec![remote], life).await;
    let mut messages = Probe::messages(&redis, "sahm:changes").await;
    until("the replica", async || Probe::of(&redis).await.keys("sahm:log:*").await.len() == 3)
        .await;
    let page = Page::new(&["news:1"]);
    gateway.fetch_text(&key("/"), &page).await;

    // A gateway announces the changes that it reads to the others.
    content.purge_hard("news:2").await;
    let message = messages.next().await.unwrap().get_payload::<String>().unwrap();
    assert!(message.ends_with("\nh 1 news:2"), "{message}");

    content.stop().await;
    page.set_text("two");
    assert_eq!(gateway.fetch_text(&key("/"), &page).await, (CacheStatus::Hit, "one".to_owned()));
    let announced = message.replace("h 1 news:2", "h 2 news:1");
    Probe::of(&redis).await.run(&["PUBLISH", "sahm:changes", &announced]).await;
    until("the purge", async || gateway.fetch_text(&key("/"), &page).await.1 == "two").await;
}

#[tokio::test]
async fn gateway_is_ready_within_1_s_whatever_is_unavailable() {
    let life = context();
    let logs = vec![no_service(&life)];
    let began = Instant::now();
    let gateway = Arc::new(Gateway::start_in(config(), None, logs, life).await);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let page = Page::new(&[]);
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Miss);
    assert_eq!(gateway.fetch_text(&key("/"), &page).await.0, CacheStatus::Hit);
}
