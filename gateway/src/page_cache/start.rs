//! Starts the cache and its background tasks.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use arc_swap::ArcSwapOption;
use sahm_chassis::{
    Context, ServiceName,
    clock::Clock,
    rpc::Transport,
    settings::{Endpoint, RedisSettings},
    telemetry::Observed,
};
use tokio::sync::{Notify, Semaphore, mpsc};

use super::{
    cache::{Inner, PageCache},
    entry::Lifetimes,
    invalidation::{cdn_purges::CdnPurges, index::PurgeIndex, replica, subscriber::Subscriber},
    metrics::Metrics,
    recompress,
    store::{local::local_store, remote::RemoteStore},
};
use crate::{redis_connection::Redis, single_flight::SingleFlight};

/// A service that has not answered this long after the start counts as unavailable; the replica of its log is used
/// instead.
const SERVICE_WAIT: Duration = Duration::from_millis(700);
/// The part of that time that loading the replica from Redis may take.
const REPLICA_WAIT: Duration = Duration::from_millis(200);
/// Maximum number of concurrent background refreshes; they never fill the renderer's queue.
const MAX_REFRESHES: usize = 4;
/// Interval at which the names of builds in Redis are renewed.
const REGISTRATION_INTERVAL: Duration = Duration::from_secs(3600);

/// The configuration of the cache.
#[derive(Clone, Debug)]
pub struct CacheConfig {
    /// The build of pages and page data; entries of different builds are separate.
    pub build: String,
    /// Capacity of the local store, bytes (`SAHM_PAGE_CACHE_BYTES`).
    pub memory_bytes: u64,
    pub lifetimes: Lifetimes,
    pub clock: Clock,
    /// The endpoint that purges pages from the CDN (`SAHM_CDN_PURGE_URL`).
    pub cdn_purge: Option<Endpoint>,
}

impl CacheConfig {
    /// The lifetimes of docs/page-cache.md and the system clock; no CDN.
    pub fn new(build: impl Into<String>, memory_bytes: u64) -> Self {
        Self {
            build: build.into(),
            memory_bytes,
            lifetimes: Lifetimes::default(),
            clock: Clock::system(),
            cdn_purge: None,
        }
    }
}

impl PageCache {
    /// Starts the cache: follows the change logs, and uses Redis if it is configured. Neither has to be
    /// available, now or later.
    ///
    /// # Errors
    /// The URL of Redis or the token of the CDN cannot be used.
    pub fn start(
        config: CacheConfig,
        redis: Option<&RedisSettings>,
        logs: Vec<(ServiceName, Transport)>,
        ctx: &Context,
    ) -> anyhow::Result<PageCache> {
        let metrics = Metrics::new();
        let redis = redis.map(Redis::new).transpose().context("SAHM_REDIS_URL")?.map(Arc::new);
        let services = logs.iter().map(|(service, _)| Arc::from(service.as_str()));
        let index = Arc::new(PurgeIndex::new(services, config.clock.now()));
        let cdn = config.cdn_purge.as_ref();
        let cdn = cdn.map(|endpoint| CdnPurges::new(endpoint, config.clock.now())).transpose()?;
        let (recompression, recompressions) = mpsc::channel(recompress::CAPACITY);
        let inner = Arc::new(Inner {
            local: local_store(config.memory_bytes),
            index: index.clone(),
            remote: redis.clone().map(|redis| Arc::new(RemoteStore::new(redis, &config.build))),
            cdn_purges: cdn.clone(),
            previous_build: ArcSwapOption::empty(),
            fills: SingleFlight::default(),
            recompression,
            refreshes: Arc::new(Semaphore::new(MAX_REFRESHES)),
            lifetimes: config.lifetimes,
            clock: config.clock.clone(),
            metrics: metrics.clone(),
        });
        observe(&inner);

        let life = &ctx.lifecycle;
        if let Some(redis) = &redis {
            life.spawn_until_drain("redis connection", redis.clone().run());
            life.spawn_until_drain(
                "purge messages",
                replica::subscribe(redis.clone(), index.clone()),
            );
            life.spawn_until_drain("build registration", register(inner.clone()));
        }
        for (service, transport) in logs {
            let service: Arc<str> = service.as_str().into();
            let followed = service.clone();
            Observed::of("change_log.followed", "1 while a service's change log is read")
                .labelled(&[("service", &service)])
                .gauge(Arc::downgrade(&index), move |index| u64::from(index.connected(&followed)));
            let changed = Arc::new(Notify::new());
            let subscriber = Subscriber {
                service: service.clone(),
                transport,
                index: index.clone(),
                changed: changed.clone(),
                cdn: cdn.clone(),
                clock: config.clock.clone(),
                metrics: metrics.clone(),
            };
            let replica = redis.clone();
            life.spawn_until_drain("change log", async move {
                if let Some(redis) = replica {
                    restore(&redis, &subscriber.index, &subscriber.service).await;
                }
                subscriber.run().await;
            });
            if let Some(redis) = redis.clone() {
                let writing = replica::write(redis, index.clone(), service, changed);
                life.spawn_until_drain("change log replica", writing);
            }
        }
        if let Some(cdn) = cdn {
            life.spawn_until_drain("purges of the CDN", cdn.run());
        }
        life.spawn_until_drain("change log wait", async move {
            tokio::time::sleep(SERVICE_WAIT).await;
            index.end_start_wait();
        });
        life.spawn_until_drain("compression", recompress::run(inner.clone(), recompressions));
        Ok(PageCache { inner })
    }
}

/// Registers the gauges.
fn observe(inner: &Arc<Inner>) {
    let source = || Arc::downgrade(inner);
    Observed::of("page_cache.size", "Bytes of entries in process")
        .in_unit("By")
        .gauge(source(), |inner| inner.local.weight());
    Observed::of("page_cache.entries", "Entries in process")
        .gauge(source(), |inner| inner.local.len() as u64);
    Observed::of("page_cache.fills_in_flight", "Fills in flight")
        .gauge(source(), |inner| inner.fills.len() as u64);
    if let Some(remote) = &inner.remote {
        let source = || Arc::downgrade(remote.redis());
        Observed::of("redis.up", "1 while Redis answers")
            .gauge(source(), |redis| u64::from(redis.is_up()));
        Observed::of("page_cache.redis_errors", "Calls of Redis that failed or came late")
            .counter(source(), Redis::errors);
    }
}

/// Restores the index from the replica, if Redis responds in time.
async fn restore(redis: &Redis, index: &PurgeIndex, service: &str) {
    let load = async {
        let mut up = redis.watch();
        up.wait_for(|up| *up).await.ok()?;
        replica::load(redis, service).await
    };
    if let Ok(Some(snapshot)) = tokio::time::timeout(REPLICA_WAIT, load).await {
        index.restore(service, &snapshot);
    }
}

/// Registers this build in Redis and reads the name of the previous one.
async fn register(inner: Arc<Inner>) {
    let Some(remote) = &inner.remote else { return };
    let mut up = remote.redis().watch();
    loop {
        if up.wait_for(|up| *up).await.is_err() {
            return;
        }
        up.mark_unchanged();
        if let Some(previous_build) = remote.register().await
            && inner.previous_build.load().is_none()
        {
            inner.previous_build.store(previous_build.map(Arc::new));
        }
        tokio::select! {
            _ = up.changed() => {}
            () = tokio::time::sleep(REGISTRATION_INTERVAL) => {}
        }
    }
}
