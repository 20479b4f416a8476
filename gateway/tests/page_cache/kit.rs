//! Page caches of several gateways, change logs of services, and an origin that tests control.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    changes::{self, ChangeLog},
    clock::{self, Clock},
    lifecycle,
    rpc::{self, Transport},
    settings::RedisSettings,
    store::{DatabaseUrl, Store},
};
use sahm_gateway::{
    page_cache::{
        CacheConfig, CacheScope, CacheStatus, EntryKind, FillContext, Key, Kind, OriginError,
        OriginResponse, PageCache, ServedPage,
    },
    visitor::{Locale, Platform, Theme, Visitor},
};
use sahm_testkit::Redis;
use tokio::sync::Semaphore;

pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn context() -> Context {
    Context::new(Settings::from_pairs(Process::Site, []).unwrap())
}

/// Waits for a condition.
pub(crate) async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < TIMEOUT, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A service's change log in a real store, which can be stopped and restarted.
pub(crate) struct Log {
    pub(crate) service: ServiceName,
    store: Store,
    log: ChangeLog,
    context: Context,
    address: Option<SocketAddr>,
    folder: tempfile::TempDir,
}

impl Log {
    pub(crate) async fn start(service: ServiceName) -> Log {
        let folder = tempfile::tempdir().unwrap();
        let context = context();
        let (store, log) = Self::open(service, &folder, &context).await;
        Log { service, store, log, context, address: None, folder }
    }

    async fn open(
        service: ServiceName,
        folder: &tempfile::TempDir,
        context: &Context,
    ) -> (Store, ChangeLog) {
        let url = DatabaseUrl::file(folder.path().join("log.sqlite"));
        let store = Store::open(&url, service.as_str(), &[changes::MIGRATION]).await.unwrap();
        let log = ChangeLog::start(store.clone(), &context.lifecycle).await.unwrap();
        (store, log)
    }

    fn routes(&self) -> rpc::Service {
        rpc::Builder::new(self.service, &self.context).add(self.log.service()).build()
    }

    /// A transport in this process.
    pub(crate) fn local(&self) -> (ServiceName, Transport) {
        (self.service, Transport::local(self.routes().routes))
    }

    /// A transport over TCP, so that it can be stopped.
    pub(crate) async fn over_tcp(&mut self, gateway: &Context) -> (ServiceName, Transport) {
        let address = match self.address {
            Some(address) => address,
            None => {
                // On 127.0.0.1, an outgoing connection could take the port before a restart.
                let listener = lifecycle::bind(([127, 0, 0, 2], 0).into()).await.unwrap();
                let address = listener.local_addr().unwrap();
                rpc::serve(listener, self.routes(), &self.context);
                self.address = Some(address);
                address
            }
        };
        (self.service, Transport::connect(&format!("http://{address}"), gateway))
    }

    /// Stops the service; its store remains.
    pub(crate) async fn stop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
        self.context.lifecycle.wait().await;
    }

    /// Restarts the service at the same address.
    pub(crate) async fn restart(&mut self) {
        self.context = context();
        (self.store, self.log) = Self::open(self.service, &self.folder, &self.context).await;
        let listener = lifecycle::bind(self.address.unwrap()).await.unwrap();
        rpc::serve(listener, self.routes(), &self.context);
    }

    /// Another service with an empty store starts at the address of one that was stopped.
    pub(crate) async fn restart_empty(&mut self) {
        self.folder = tempfile::tempdir().unwrap();
        self.restart().await;
    }

    pub(crate) async fn purge(&self, tag: &str, soft: bool) {
        self.purge_tags(&[tag.to_owned()], soft).await;
    }

    /// Purges tags in one transaction; returns the log's sequence after it.
    pub(crate) async fn purge_tags(&self, tags: &[String], soft: bool) -> u64 {
        let sequence = self.store.write(async |tx| changes::append(tx, tags, soft).await).await;
        self.log.notify();
        sequence.unwrap()
    }

    pub(crate) async fn purge_hard(&self, tag: &str) {
        self.purge(tag, false).await;
    }

    pub(crate) async fn purge_soft(&self, tag: &str) {
        self.purge(tag, true).await;
    }
}

/// The page cache of one gateway.
pub(crate) struct Gateway {
    pub(crate) cache: PageCache,
    pub(crate) clock: Clock,
    context: Context,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}

pub(crate) fn config() -> CacheConfig {
    let mut config = CacheConfig::new("build-a", 64 << 20);
    config.clock = Clock::fixed(clock::now());
    config
}

impl Gateway {
    pub(crate) fn start_unready(
        config: CacheConfig,
        redis: Option<&Redis>,
        logs: Vec<(ServiceName, Transport)>,
        context: Context,
    ) -> Gateway {
        let redis = redis.map(|redis| RedisSettings::at(redis.url()));
        Self::connected(config, redis.as_ref(), logs, context)
    }

    fn connected(
        config: CacheConfig,
        redis: Option<&RedisSettings>,
        logs: Vec<(ServiceName, Transport)>,
        context: Context,
    ) -> Gateway {
        let clock = config.clock.clone();
        let cache = PageCache::start(config, redis, logs, &context).unwrap();
        Gateway { cache, clock, context }
    }

    /// A gateway with these Redis settings.
    pub(crate) async fn start_at(config: CacheConfig, redis: &RedisSettings) -> Gateway {
        let gateway = Self::connected(config, Some(redis), vec![], context());
        gateway.wait_for_redis(true).await;
        gateway
    }

    pub(crate) async fn start(
        config: CacheConfig,
        redis: Option<&Redis>,
        logs: Vec<(ServiceName, Transport)>,
    ) -> Gateway {
        Self::start_in(config, redis, logs, context()).await
    }

    pub(crate) async fn start_in(
        config: CacheConfig,
        redis: Option<&Redis>,
        logs: Vec<(ServiceName, Transport)>,
        context: Context,
    ) -> Gateway {
        let gateway = Self::start_unready(config, redis, logs, context);
        gateway.cache.ready().await;
        if redis.is_some() {
            gateway.wait_for_redis(true).await;
        }
        gateway
    }

    /// Waits until the cache has noticed whether Redis is available.
    pub(crate) async fn wait_for_redis(&self, up: bool) {
        until("Redis state seen", async || self.cache.is_redis_up() == up).await;
    }

    pub(crate) async fn get(&self, key: &Key, page: &Arc<Page>) -> Result<ServedPage, OriginError> {
        self.cache.fetch(key, page.origin()).await
    }

    /// Cache status and text of a page.
    pub(crate) async fn fetch_text(&self, key: &Key, page: &Arc<Page>) -> (CacheStatus, String) {
        let served = self.get(key, page).await.unwrap();
        (served.cache_status, self.text(key, &served))
    }

    pub(crate) fn text(&self, key: &Key, served: &ServedPage) -> String {
        let response =
            self.cache.respond(key, served, &Method::GET, &HeaderMap::new(), CacheScope::Private);
        String::from_utf8(response.body().to_vec()).unwrap()
    }
}

/// A page as loader and renderer would produce it.
pub(crate) struct Page {
    pub(crate) origin_calls: AtomicUsize,
    pub(crate) text: Mutex<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) kind: Mutex<EntryKind>,
    pub(crate) is_failing: AtomicBool,
    pub(crate) expires_at: Mutex<Option<u32>>,
    /// Permits for origin calls to complete; once closed, all may complete.
    pub(crate) gate: Semaphore,
}

impl Page {
    pub(crate) fn new(tags: &[&str]) -> Arc<Page> {
        let page = Page {
            origin_calls: AtomicUsize::new(0),
            text: Mutex::new("one".to_owned()),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            kind: Mutex::new(EntryKind::Complete),
            is_failing: AtomicBool::new(false),
            expires_at: Mutex::new(None),
            gate: Semaphore::new(0),
        };
        page.gate.close();
        Arc::new(page)
    }

    /// A page whose origin responds only with a permit.
    pub(crate) fn gated(tags: &[&str]) -> Arc<Page> {
        let mut page = Self::new(tags);
        Arc::get_mut(&mut page).unwrap().gate = Semaphore::new(0);
        page
    }

    pub(crate) fn set_text(&self, text: &str) {
        *self.text.lock().unwrap() = text.to_owned();
    }

    pub(crate) fn set_kind(&self, kind: EntryKind) {
        *self.kind.lock().unwrap() = kind;
    }

    pub(crate) fn set_failing(&self, is_failing: bool) {
        self.is_failing.store(is_failing, Ordering::SeqCst);
    }

    pub(crate) fn origin_calls(&self) -> usize {
        self.origin_calls.load(Ordering::SeqCst)
    }

    pub(crate) fn origin(
        self: &Arc<Self>,
    ) -> impl Fn(FillContext) -> BoxFuture<'static, Result<OriginResponse, OriginError>>
    + Send
    + Sync
    + 'static {
        let page = self.clone();
        move |context| {
            let page = page.clone();
            Box::pin(async move {
                if !context.renders {
                    let (body, html) = (Bytes::from("shell"), HTML);
                    return Ok(OriginResponse::uncacheable(StatusCode::OK, body, html));
                }
                page.origin_calls.fetch_add(1, Ordering::SeqCst);
                // Reads the data, then renders, as a page builder does.
                let text = page.text.lock().unwrap().clone();
                if let Ok(permit) = page.gate.acquire().await {
                    permit.forget();
                }
                if page.is_failing.load(Ordering::SeqCst) {
                    return Err(OriginError::Failed("content is unavailable".into()));
                }
                let kind = *page.kind.lock().unwrap();
                let status = match kind {
                    EntryKind::NotFound => StatusCode::NOT_FOUND,
                    EntryKind::Uncacheable => StatusCode::SERVICE_UNAVAILABLE,
                    _ => StatusCode::OK,
                };
                Ok(OriginResponse {
                    tags: page.tags.clone(),
                    kind,
                    expires_at: *page.expires_at.lock().unwrap(),
                    ..OriginResponse::uncacheable(status, Bytes::from(text), HTML)
                })
            })
        }
    }
}

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

pub(crate) const VISITOR: Visitor =
    Visitor { locale: Locale::EnUs, platform: Platform::Pc, theme: Theme::Auto };

pub(crate) fn key(path: &str) -> Key {
    Key::new(Kind::Page, &VISITOR, path, [])
}

/// A client of the same Redis, to inspect what the caches store.
pub(crate) struct Probe(redis::aio::MultiplexedConnection);

impl Probe {
    pub(crate) async fn of(redis: &Redis) -> Probe {
        let client = redis::Client::open(redis.url()).unwrap();
        Probe(client.get_multiplexed_async_connection().await.unwrap())
    }

    /// Subscribes to a channel.
    pub(crate) async fn messages(redis: &Redis, channel: &str) -> redis::aio::PubSubStream {
        let client = redis::Client::open(redis.url()).unwrap();
        let mut messages = client.get_async_pubsub().await.unwrap();
        messages.subscribe(channel).await.unwrap();
        messages.into_on_message()
    }

    pub(crate) async fn keys(&mut self, pattern: &str) -> Vec<String> {
        redis::cmd("KEYS").arg(pattern).query_async(&mut self.0).await.unwrap()
    }

    pub(crate) async fn ttl_ms(&mut self, key: &str) -> i64 {
        redis::cmd("PTTL").arg(key).query_async(&mut self.0).await.unwrap()
    }

    pub(crate) async fn run(&mut self, command: &[&str]) {
        let mut call = redis::cmd(command[0]);
        call.arg(&command[1..]);
        call.query_async::<()>(&mut self.0).await.unwrap();
    }

    /// How often a command was executed since the server started.
    pub(crate) async fn command_count(&mut self, command: &str) -> u64 {
        let mut info = redis::cmd("INFO");
        let statistics: String = info.arg("commandstats").query_async(&mut self.0).await.unwrap();
        let calls = |line: &str| -> Option<u64> {
            let of = line.strip_prefix("cmdstat_")?.strip_prefix(command)?;
            of.strip_prefix(":calls=")?.split(',').next()?.parse().ok()
        };
        statistics.lines().find_map(calls).unwrap_or(0)
    }

    /// The result of a script.
    pub(crate) async fn eval_number(&mut self, script: &str) -> u64 {
        redis::cmd("EVAL").arg(script).arg(0).query_async(&mut self.0).await.unwrap()
    }

    pub(crate) async fn members(&mut self, key: &str) -> Vec<String> {
        redis::cmd("ZRANGE").arg(key).arg(0).arg(-1).query_async(&mut self.0).await.unwrap()
    }

    /// Waits until this number of pages is stored.
    pub(crate) async fn wait_for_pages(&mut self, count: usize) {
        let began = Instant::now();
        while self.keys("sahm:page:*").await.len() != count {
            assert!(began.elapsed() < TIMEOUT, "{:?}", self.keys("*").await);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
