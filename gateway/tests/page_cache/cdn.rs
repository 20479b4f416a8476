//! Purges of the CDN (docs/operations/cdn.md#purges), sent to a receiver that can fail.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Router, extract::State, routing::post};
use http::{HeaderMap, Method, StatusCode};
use sahm_chassis::{
    ServiceName, lifecycle,
    settings::{Endpoint, Secret},
};
use sahm_gateway::page_cache::{CacheConfig, CacheScope};
use tokio_util::task::AbortOnDropHandle;

use crate::kit::{Gateway, Log, Page, config, context, key, until};

/// A CDN's purge interface.
struct Cdn {
    endpoint: Endpoint,
    calls: Arc<Calls>,
    _server: AbortOnDropHandle<()>,
}

#[derive(Default)]
struct Calls {
    is_failing: AtomicBool,
    failed: Mutex<Vec<Instant>>,
    received: Mutex<Vec<Received>>,
}

/// The tags of a successful call.
struct Received {
    at: Instant,
    tags: Vec<String>,
}

async fn receive(State(calls): State<Arc<Calls>>, headers: HeaderMap) -> StatusCode {
    if headers["authorization"] != "Bearer token" {
        return StatusCode::FORBIDDEN;
    }
    if calls.is_failing.load(Ordering::SeqCst) {
        calls.failed.lock().unwrap().push(Instant::now());
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let tags = headers["surrogate-key"].to_str().unwrap().split(' ').map(str::to_owned);
    let received = Received { at: Instant::now(), tags: tags.collect() };
    calls.received.lock().unwrap().push(received);
    StatusCode::NO_CONTENT
}

impl Cdn {
    async fn start() -> Self {
        let listener = lifecycle::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
        let url = format!("http://{}/purge", listener.local_addr().unwrap());
        let calls = Arc::<Calls>::default();
        let app = Router::new().route("/purge", post(receive)).with_state(calls.clone());
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let endpoint = Endpoint { url, token: Some(Secret::new("token".to_owned())) };
        Self { endpoint, calls, _server: AbortOnDropHandle::new(server) }
    }

    fn config(&self) -> CacheConfig {
        CacheConfig { cdn_purge: Some(self.endpoint.clone()), ..config() }
    }

    fn set_failing(&self, is_failing: bool) {
        self.calls.is_failing.store(is_failing, Ordering::SeqCst);
    }

    fn failed(&self) -> usize {
        self.calls.failed.lock().unwrap().len()
    }

    /// When calls with this tag succeeded.
    fn purged(&self, tag: &str) -> Vec<Instant> {
        let received = self.calls.received.lock().unwrap();
        let with_tag = received.iter().filter(|call| call.tags.iter().any(|one| one == tag));
        with_tag.map(|call| call.at).collect()
    }

    async fn until_purged(&self, tag: &str, times: usize) {
        until(&format!("{tag} purged {times} times"), async || self.purged(tag).len() >= times)
            .await;
    }
}

#[tokio::test]
async fn a_change_is_purged_within_a_second_and_once_more_later() {
    let (cdn, content) = (Cdn::start().await, Log::start(ServiceName::Content).await);
    let _gateway = Gateway::start(cdn.config(), None, vec![content.local()]).await;
    for (tag, soft) in [("news:1", false), ("menu", true)] {
        let changed = Instant::now();
        content.purge(tag, soft).await;
        cdn.until_purged(tag, 2).await;
        let purged = cdn.purged(tag);
        assert!(purged[0] - changed < Duration::from_secs(1), "{:?}", purged[0] - changed);
        assert!(purged[1] - purged[0] >= Duration::from_secs(2), "{:?}", purged[1] - purged[0]);
    }
    // The second pair took longer than a third purge of the first would have.
    assert_eq!(cdn.purged("news:1").len(), 2);
}

#[tokio::test]
async fn recovered_cdn_receives_every_tag() {
    let (cdn, content) = (Cdn::start().await, Log::start(ServiceName::Content).await);
    let _gateway = Gateway::start(cdn.config(), None, vec![content.local()]).await;
    cdn.set_failing(true);
    content.purge_hard("news:1").await;
    until("a call", async || cdn.failed() > 0).await;
    content.purge_hard("news:2").await;
    until("three retries", async || cdn.failed() > 3).await;
    // After at least half of 200, 400 and 800 ms.
    let failed = cdn.calls.failed.lock().unwrap().clone();
    assert!(failed[3] - failed[0] >= Duration::from_millis(700), "{failed:?}");
    cdn.set_failing(false);
    for tag in ["news:1", "news:2"] {
        cdn.until_purged(tag, 1).await;
    }
}

#[tokio::test]
async fn more_changes_than_fit_the_queue_purge_all_pages() {
    let (cdn, content) = (Cdn::start().await, Log::start(ServiceName::Content).await);
    let gateway = Gateway::start(cdn.config(), None, vec![content.local()]).await;
    cdn.set_failing(true);
    let tags = (0..1_500).map(|id| format!("news:{id}")).collect::<Vec<_>>();
    let sequence = content.purge_tags(&tags, false).await;
    until("the last change is read", async || {
        gateway.cache.position(ServiceName::Content).is_some_and(|at| at.sequence == sequence)
    })
    .await;
    until("a call", async || cdn.failed() > 0).await;
    cdn.set_failing(false);
    cdn.until_purged("page:all", 1).await;
    let received = cdn.calls.received.lock().unwrap();
    assert!(received.iter().map(|call| call.tags.len()).sum::<usize>() < 1_000);
}

#[tokio::test]
async fn another_change_log_purges_all_pages() {
    let (cdn, mut content) = (Cdn::start().await, Log::start(ServiceName::Content).await);
    let gateway_context = context();
    let transport = content.over_tcp(&gateway_context).await;
    content.purge_hard("news:1").await;
    let _gateway = Gateway::start_in(cdn.config(), None, vec![transport], gateway_context).await;
    cdn.until_purged("news:1", 1).await;
    assert!(cdn.purged("page:all").is_empty());
    content.stop().await;
    content.restart_empty().await;
    cdn.until_purged("page:all", 1).await;
}

#[tokio::test]
async fn only_a_page_that_every_gateway_can_purge_is_stored_by_the_cdn() {
    let cdn = Cdn::start().await;
    let mut content = Log::start(ServiceName::Content).await;
    let gateway_context = context();
    let transport = content.over_tcp(&gateway_context).await;
    content.stop().await;
    let gateway = Gateway::start_in(cdn.config(), None, vec![transport], gateway_context).await;
    let page = Page::new(&["news:1"]);
    let is_shared = async |path: &str| {
        let (key, headers) = (key(path), HeaderMap::new());
        let served = gateway.get(&key, &page).await.unwrap();
        let scope = CacheScope::Shared;
        let response = gateway.cache.respond(&key, &served, &Method::GET, &headers, scope);
        response.headers().contains_key("cdn-cache-control")
    };
    assert!(!is_shared("/before-the-log-is-known").await);
    content.restart().await;
    until("the log is read", async || gateway.cache.position(ServiceName::Content).is_some()).await;
    assert!(is_shared("/after-the-log-is-known").await);
    // Replaces the first page, which is dropped without a purge.
    assert!(is_shared("/before-the-log-is-known").await);
    assert_eq!(page.origin_calls(), 3);
}
