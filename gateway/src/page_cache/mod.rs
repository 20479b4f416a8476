//! The page cache (docs/page-cache.md): two levels, one making a key, purged by the services' change logs.
//!
//! - `key`: what a page depends on. `entry`, `wire`: a stored page, and its bytes in Redis.
//! - `memory`: the first level. `shared`: the second, in Redis, and the leases.
//! - `flights`, `making`: one making a key, in this process and over all gateways.
//! - `purge`, `follow`, `mirror`: what was purged, where that is read, where it is kept for others.
//! - `encode`, `improve`: compression, now and better later.
//! - `accept`, `respond`: answers; `ready`: those of hits. `admin`: an operator's view. `metrics`: figures.

pub mod accept;
mod admin;
mod encode;
mod entry;
mod fetch;
mod flights;
mod follow;
mod improve;
mod key;
mod made;
mod making;
mod memory;
mod metrics;
mod mirror;
mod purge;
mod ready;
mod respond;
mod shared;
mod wire;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use arc_swap::ArcSwapOption;
use sahm_chassis::{Context, ServiceName, clock::Clock, rpc::Transport, telemetry::Observed};
use tokio::sync::{Notify, Semaphore};

pub use self::{
    accept::Coding,
    admin::{Explanation, Figures},
    entry::{Bodies, BodyHash, Class, Entry, Freshness, Lifetimes, LogPosition, Stamp, Times},
    key::{ALL_PAGES, Key, Kind, key_tag, path_tag},
    made::{FlightContext, How, Keep, Made, Make, MakeError, Served},
};
pub(crate) use self::{encode::Encoder, entry::LogState};
use self::{
    flights::Flights, follow::Follower, improve::Improver, memory::Memory, metrics::Metrics,
    purge::PurgeIndex, shared::Shared,
};
use crate::redis_connection::Redis;

/// A page in all, from its request to its answer (docs/limits-and-timeouts.md).
pub(crate) const PAGE_TIME: Duration = Duration::from_secs(3);
/// A service that has not answered so long after the start is away, and the mirror counts.
const SERVICE_WAIT: Duration = Duration::from_millis(700);
/// Of which Redis may take so long to say what the mirror holds.
const MIRROR_WAIT: Duration = Duration::from_millis(200);
/// Refreshes that run at once; visitors who wait find the renderer's queue never full of them.
const REFRESHES: usize = 4;
/// The names of builds in Redis are renewed this often.
const REGISTER: Duration = Duration::from_secs(3600);

/// What the cache needs to know.
#[derive(Clone, Debug)]
pub struct CacheConfig {
    /// The build of pages and documents; entries of one build are never another's.
    pub build: String,
    /// Bound of the first level, bytes (`SAHM_PAGE_CACHE_BYTES`).
    pub memory_bytes: u64,
    /// How long entries live.
    pub lifetimes: Lifetimes,
    /// Where the time comes from.
    pub clock: Clock,
}

impl CacheConfig {
    /// The contract's lifetimes and the system's clock.
    pub fn new(build: impl Into<String>, memory_bytes: u64) -> Self {
        Self {
            build: build.into(),
            memory_bytes,
            lifetimes: Lifetimes::default(),
            clock: Clock::system(),
        }
    }
}

/// The page cache. Clones are the same cache.
#[derive(Clone, Debug)]
pub struct PageCache {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    memory: Memory,
    index: Arc<PurgeIndex>,
    shared: Option<Shared>,
    former: ArcSwapOption<String>,
    flights: Flights,
    encoder: Encoder,
    improver: Improver,
    refreshes: Arc<Semaphore>,
    lifetimes: Lifetimes,
    clock: Clock,
    metrics: Arc<Metrics>,
}

impl PageCache {
    /// Starts the cache: follows `logs`, uses Redis where an address is given.
    ///
    /// Neither has to answer now or ever. Errors: the address is none.
    pub fn start(
        config: CacheConfig,
        redis_url: Option<&str>,
        logs: Vec<(ServiceName, Transport)>,
        ctx: &Context,
    ) -> anyhow::Result<PageCache> {
        let metrics = Metrics::new();
        let redis = redis_url
            .map(|url| Redis::new(url).context("SAHM_REDIS_URL"))
            .transpose()?
            .map(Arc::new);
        let services = logs.iter().map(|(service, _)| Arc::from(service.as_str()));
        let index = Arc::new(PurgeIndex::new(services, config.clock.now()));
        let (improver, improvements) = Improver::new();
        let inner = Arc::new(Inner {
            memory: Memory::new(config.memory_bytes),
            index: index.clone(),
            shared: redis.clone().map(|redis| Shared::new(redis, &config.build)),
            former: ArcSwapOption::empty(),
            flights: Flights::default(),
            encoder: Encoder::new(),
            improver,
            refreshes: Arc::new(Semaphore::new(REFRESHES)),
            lifetimes: config.lifetimes,
            clock: config.clock.clone(),
            metrics: metrics.clone(),
        });
        inner.show();

        let life = &ctx.lifecycle;
        if let Some(redis) = &redis {
            life.spawn_until_drain("redis connection", redis.clone().keep());
            life.spawn_until_drain("purge messages", mirror::listen(redis.clone(), index.clone()));
            life.spawn_until_drain("build registration", register(inner.clone()));
        }
        for (service, transport) in logs {
            let service: Arc<str> = service.as_str().into();
            Observed::of("change_log.followed", "1 while a service's change log is read")
                .labelled(&[("service", &service)])
                .gauge(Arc::downgrade(&index), {
                    let service = service.clone();
                    move |index| u64::from(index.connected(&service))
                });
            let changed = Arc::new(Notify::new());
            let follower = Follower {
                service: service.clone(),
                transport,
                index: index.clone(),
                changed: changed.clone(),
                clock: config.clock.clone(),
                metrics: metrics.clone(),
            };
            let mirrored = redis.clone();
            let adopting = index.clone();
            life.spawn_until_drain("change log", async move {
                if let Some(redis) = mirrored {
                    adopt(&redis, &adopting, &follower.service).await;
                }
                follower.run().await;
            });
            if let Some(redis) = redis.clone() {
                let index = index.clone();
                let writing = mirror::write(redis, index, service, changed);
                life.spawn_until_drain("change log mirror", writing);
            }
        }
        life.spawn_until_drain("change log wait", async move {
            tokio::time::sleep(SERVICE_WAIT).await;
            index.give_up_waiting();
        });
        life.spawn_until_drain("compression", improve::run(inner.clone(), improvements));
        Ok(PageCache { inner })
    }

    /// Waits until it is known what was purged: each service answers, or is judged by the mirror.
    /// Takes less than a second, whatever is away.
    pub async fn settled(&self) {
        self.inner.index.settled().await;
    }

    /// The connection to Redis, where there is one.
    pub(crate) fn redis(&self) -> Option<Arc<Redis>> {
        self.inner.shared.as_ref().map(|shared| shared.redis().clone())
    }

    /// The position that what is read from a service from now on is at least as new as; for
    /// [`Made::read_under`]. None while the service's log is not known.
    pub fn position(&self, service: ServiceName) -> Option<LogPosition> {
        self.inner.index.position(service.as_str())
    }

    /// Where a service's log stands.
    pub(crate) fn log_state(&self, service: ServiceName) -> LogState {
        let is_followed = self.inner.index.connected(service.as_str());
        LogState { position: self.position(service), is_followed }
    }
}

impl Inner {
    /// Shows operators what is held, for as long as it is.
    fn show(self: &Arc<Self>) {
        type Read = fn(&Inner) -> u64;
        let gauges: [(Observed<'_>, Read); 3] = [
            (Observed::of("page_cache.size", "Held in process").in_unit("By"), |inner| {
                inner.memory.bytes()
            }),
            (Observed::of("page_cache.entries", "Entries in process"), |inner| {
                inner.memory.len() as u64
            }),
            (Observed::of("page_cache.flights", "Pages being made"), |inner| {
                inner.flights.len() as u64
            }),
        ];
        for (gauge, read) in gauges {
            gauge.gauge(Arc::downgrade(self), read);
        }
        if let Some(shared) = &self.shared {
            Observed::of("redis.up", "1 while Redis answers")
                .gauge(Arc::downgrade(shared.redis()), |redis| u64::from(redis.is_up()));
            Observed::of("page_cache.redis_errors", "Calls of Redis that failed or came late")
                .counter(Arc::downgrade(shared.redis()), Redis::errors);
        }
    }
}

/// Takes over what the mirror holds, if Redis says so soon.
async fn adopt(redis: &Redis, index: &PurgeIndex, service: &str) {
    let load = async {
        let mut up = redis.watch();
        up.wait_for(|up| *up).await.ok()?;
        mirror::load(redis, service).await
    };
    if let Ok(Some(snapshot)) = tokio::time::timeout(MIRROR_WAIT, load).await {
        index.adopt(service, &snapshot);
    }
}

/// Tells Redis of this build and learns of the one before it.
async fn register(inner: Arc<Inner>) {
    let Some(shared) = &inner.shared else { return };
    let mut up = shared.redis().watch();
    loop {
        if up.wait_for(|up| *up).await.is_err() {
            return;
        }
        up.mark_unchanged();
        if let Some(former) = shared.register().await
            && inner.former.load().is_none()
        {
            inner.former.store(former.map(Arc::new));
        }
        tokio::select! {
            _ = up.changed() => {}
            () = tokio::time::sleep(REGISTER) => {}
        }
    }
}
