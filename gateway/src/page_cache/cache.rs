//! The state of the cache: both stores, the purge index, the fills in progress; and the lookup in it.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use arc_swap::ArcSwapOption;
use sahm_chassis::{ServiceName, clock::Clock, telemetry::Observed};
use tokio::sync::Semaphore;

use super::{
    compress::Encoder,
    entry::{
        Bodies, Entry, EntryData, EntryKind, Freshness, Lifetimes, LogPosition, LogState, Times,
    },
    fill::{
        origin::OriginResponse,
        single_flight::{FillResult, SingleFlight},
    },
    invalidation::index::{PurgeIndex, Validity},
    metrics::Metrics,
    recompress::queue::RecompressionQueue,
    status::{CacheStatus, Served},
    store::{local::LocalStore, remote::RemoteStore},
};
use crate::redis_connection::Redis;

/// After a failed refresh of a page the next one waits this long, milliseconds.
pub(super) const RETRY_PAUSE_MS: u64 = 2000;
/// After a soft purge the refreshes of pages are spread by this much each, within three quarters of
/// [`Lifetimes::soft`].
const SPREAD: Duration = Duration::from_millis(25);

/// The page cache. Clones are the same cache.
#[derive(Clone, Debug)]
pub struct PageCache {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) local: LocalStore,
    pub(super) index: Arc<PurgeIndex>,
    pub(super) remote: Option<RemoteStore>,
    pub(super) previous_build: ArcSwapOption<String>,
    pub(super) fills: SingleFlight,
    pub(super) encoder: Encoder,
    pub(super) recompression: RecompressionQueue,
    pub(super) refreshes: Arc<Semaphore>,
    pub(super) lifetimes: Lifetimes,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
}

/// What this process has stored for a key.
pub(super) enum Lookup {
    Fresh(Arc<Entry>),
    /// Serve it; refresh it if `due`.
    Stale {
        entry: Arc<Entry>,
        due: bool,
    },
    /// Softly purged too long ago: refresh first, serve it if that fails.
    Overdue(Arc<Entry>),
    Miss,
}

impl PageCache {
    /// Waits until every change log has answered or its replica is used instead: less than a second, whatever is
    /// unavailable.
    pub async fn ready(&self) {
        self.inner.index.ready().await;
    }

    /// The connection to Redis, if one is configured.
    pub(crate) fn redis(&self) -> Option<Arc<Redis>> {
        self.inner.remote.as_ref().map(|remote| remote.redis().clone())
    }

    /// The position of a service's log: what is read from the service from now on is at least as new. For
    /// [`OriginResponse::read_at`]. `None` while the log is unknown.
    pub fn position(&self, service: ServiceName) -> Option<LogPosition> {
        self.inner.index.position(service.as_str())
    }

    /// The state of a service's log.
    pub(crate) fn log_state(&self, service: ServiceName) -> LogState {
        let is_followed = self.inner.index.connected(service.as_str());
        LogState { position: self.position(service), is_followed }
    }
}

impl Inner {
    pub(super) fn uncacheable(
        &self,
        response: OriginResponse,
        bodies: Bodies,
        began: Instant,
    ) -> Served {
        let (now, kind) = (self.clock.now(), EntryKind::Uncacheable);
        let entry = Entry::new(EntryData {
            status: response.status,
            content_type: response.content_type,
            bodies,
            // What is not stored has no entity tag.
            hash: [0; 16],
            fill_id: [0; 16],
            kind,
            own: true,
            times: Times::of(kind, now, None, &self.lifetimes),
            tags: [].into(),
            positions: [].into(),
        });
        let took = began.elapsed();
        Served {
            entry: Arc::new(entry),
            cache_status: CacheStatus::Bypass,
            collapsed: false,
            now,
            took,
        }
    }

    pub(super) fn lookup(&self, text: &str, now: u32) -> Lookup {
        let Some(entry) = self.local.get(text) else { return Lookup::Miss };
        let validity = self.index.validate(&entry);
        let freshness = entry.freshness(now);
        match (validity, freshness) {
            (Validity::Unknown, _) => Lookup::Miss,
            (Validity::Purged, _) | (_, Freshness::Expired) => {
                self.local.remove(text, &entry.fill_id);
                Lookup::Miss
            }
            (Validity::Valid, Freshness::Fresh) if entry.kind != EntryKind::PreviousBuild => {
                Lookup::Fresh(entry)
            }
            (Validity::Valid, _) => {
                let due = self.retry_is_due(&entry);
                Lookup::Stale { entry, due }
            }
            (Validity::SoftPurged(at), _) => {
                let elapsed = at.elapsed();
                let due = self.retry_is_due(&entry);
                if due && elapsed >= self.lifetimes.soft {
                    return Lookup::Overdue(entry);
                }
                Lookup::Stale { due: due && elapsed >= self.turn(text), entry }
            }
        }
    }

    /// Whether a stale page may be served where there is no fresh one (RFC 5861 `stale-if-error`).
    pub(super) fn may_serve_stale(&self, entry: &Entry) -> bool {
        matches!(self.index.validate(entry), Validity::Valid | Validity::SoftPurged(_))
            && entry.freshness(self.clock.now()) != Freshness::Expired
    }

    fn retry_is_due(&self, entry: &Entry) -> bool {
        let retry_at = entry.stats.retry_at.load(Ordering::Relaxed);
        let now = self.clock.now_millis();
        // A pause that ends later than that began before the clock was set back.
        retry_at == 0 || now >= retry_at || retry_at > now + RETRY_PAUSE_MS
    }

    /// How long after a soft purge a key is refreshed: the more entries, the further apart.
    fn turn(&self, text: &str) -> Duration {
        let entries = u32::try_from(self.local.len()).unwrap_or(u32::MAX);
        let spread = SPREAD.saturating_mul(entries).min(self.lifetimes.soft * 3 / 4);
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
        spread.mul_f64((hash % 1024) as f64 / 1024.0)
    }

    pub(super) fn hit(&self, key: &str, entry: Arc<Entry>, now: u32, began: Instant) -> Served {
        let cache_status = match entry.kind {
            EntryKind::Partial | EntryKind::Uncacheable => {
                self.metrics.bypasses.add(1);
                CacheStatus::Bypass
            }
            _ => {
                self.count_hit(key, &entry, now);
                CacheStatus::Hit
            }
        };
        Served { entry, cache_status, collapsed: false, now, took: began.elapsed() }
    }

    pub(super) fn count_hit(&self, key: &str, entry: &Arc<Entry>, now: u32) {
        self.metrics.hits.add(1);
        self.metrics.hit_age.add(entry.age(now).into());
        self.recompression.count(key, entry);
    }

    pub(super) fn served(&self, result: FillResult, collapsed: bool, began: Instant) -> Served {
        let now = self.clock.now();
        let FillResult { entry, cache_status } = result;
        let count = match cache_status {
            CacheStatus::Hit => &self.metrics.hits,
            CacheStatus::Miss => &self.metrics.misses,
            CacheStatus::Bypass => &self.metrics.bypasses,
            CacheStatus::Stale => &self.metrics.stale,
        };
        count.add(1);
        match cache_status {
            CacheStatus::Hit => {
                self.metrics.hit_age.add(entry.age(now).into());
            }
            CacheStatus::Stale => self.metrics.stale_age.record(f64::from(entry.age(now)), &[]),
            CacheStatus::Miss | CacheStatus::Bypass => {}
        }
        Served { entry, cache_status, collapsed, now, took: began.elapsed() }
    }

    /// Registers the gauges.
    pub(super) fn show(self: &Arc<Self>) {
        type Read = fn(&Inner) -> u64;
        let gauges: [(Observed<'_>, Read); 3] = [
            (
                Observed::of("page_cache.size", "Bytes of entries in process").in_unit("By"),
                |inner| inner.local.bytes(),
            ),
            (Observed::of("page_cache.entries", "Entries in process"), |inner| {
                inner.local.len() as u64
            }),
            (Observed::of("page_cache.flights", "Fills in progress"), |inner| {
                inner.fills.len() as u64
            }),
        ];
        for (gauge, read) in gauges {
            gauge.gauge(Arc::downgrade(self), read);
        }
        if let Some(remote) = &self.remote {
            Observed::of("redis.up", "1 while Redis answers")
                .gauge(Arc::downgrade(remote.redis()), |redis| u64::from(redis.is_up()));
            Observed::of("page_cache.redis_errors", "Calls of Redis that failed or came late")
                .counter(Arc::downgrade(remote.redis()), Redis::errors);
        }
    }
}
