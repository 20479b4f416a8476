//! The state of the cache: both stores, the purge index, the fills in progress; and the lookup in it.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use arc_swap::ArcSwapOption;
use sahm_chassis::{ServiceName, clock::Clock};
use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};

use super::{
    cdn::CacheScope,
    entry::{Entry, EntryKind, Freshness, Lifetimes, LogPosition, LogState},
    invalidation::{
        cdn_purges::CdnPurges,
        index::{PurgeIndex, Validity},
    },
    metrics::{Counter, Metrics},
    origin::OriginError,
    status::{CacheStatus, FillResult, ServedPage},
    store::{
        local::{self, LocalStore},
        remote::RemoteStore,
    },
};
use crate::{redis_connection::Redis, single_flight::SingleFlight};

/// Bound of the wait for change logs at startup.
const MAX_READY_WAIT: Duration = Duration::from_secs(1);
/// Minimum time between a failed refresh of a page and the next one, milliseconds.
pub(super) const RETRY_PAUSE_MS: u64 = 2000;
/// Interval between the refreshes of pages after a soft purge, within three quarters of [`Lifetimes::soft`].
const REFRESH_SPREAD_INTERVAL: Duration = Duration::from_millis(25);
/// Hits after which a page is worth better compression.
const RECOMPRESSION_HITS: u32 = 16;

/// The page cache. Clones are the same cache.
#[derive(Clone, Debug)]
pub struct PageCache {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) local: LocalStore,
    pub(super) index: Arc<PurgeIndex>,
    pub(super) remote: Option<Arc<RemoteStore>>,
    /// `None` if no CDN stores pages.
    pub(super) cdn_purges: Option<Arc<CdnPurges>>,
    pub(super) previous_build: ArcSwapOption<String>,
    pub(super) fills: SingleFlight<Outcome>,
    pub(super) recompression: mpsc::Sender<Recompression>,
    /// Permits of background refreshes.
    pub(super) refreshes: Arc<Semaphore>,
    pub(super) lifetimes: Lifetimes,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
}

/// How a fill ended.
pub(super) type Outcome = Result<FillResult, OriginError>;

/// A page that is worth better compression.
pub(super) type Recompression = (Arc<str>, Arc<Entry>);

/// The result of a lookup in this process.
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
    /// Waits until every change log is read or its replica is used instead: at most a second, even if services or Redis
    /// are unavailable or a service hangs after its first message.
    pub async fn ready(&self) {
        let _ = timeout(MAX_READY_WAIT, self.inner.index.ready()).await;
    }

    /// The connection to Redis, if one is configured.
    pub(crate) fn redis(&self) -> Option<Arc<Redis>> {
        self.inner.remote.as_ref().map(|remote| remote.redis().clone())
    }

    /// Purges all pages from the CDN, if there is one, after a change that the pages' tags do not cover.
    pub(crate) fn purge_cdn(&self) {
        if let Some(purges) = &self.inner.cdn_purges {
            purges.add_all();
        }
    }

    /// The position of a service's log: data read from the service from now on is at least as new. `None` while the log
    /// is unknown.
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
    pub(super) fn lookup(&self, key: &str, now: u32) -> Lookup {
        let Some(entry) = self.local.get(key) else { return Lookup::Miss };
        match (self.index.validate(&entry), entry.freshness(now)) {
            (Validity::Unknown, _) => Lookup::Miss,
            (Validity::Purged, _) | (_, Freshness::Expired) => {
                local::remove(&self.local, key, &entry.fill_id);
                Lookup::Miss
            }
            (Validity::Valid, Freshness::Fresh) if entry.kind != EntryKind::PreviousBuild => {
                Lookup::Fresh(entry)
            }
            (Validity::Valid, _) => Lookup::Stale { due: self.retry_is_due(&entry), entry },
            (Validity::SoftPurged(at), _) => {
                let elapsed = at.elapsed();
                let due = self.retry_is_due(&entry);
                if due && elapsed >= self.lifetimes.soft {
                    return Lookup::Overdue(entry);
                }
                let delay = refresh_delay(key, self.local.len(), self.lifetimes.soft);
                Lookup::Stale { due: due && elapsed >= delay, entry }
            }
        }
    }

    /// The scope of a response from this entry. Only entries that every gateway can purge are shared: a page that was
    /// produced while a log was unknown is dropped without a purge.
    pub(super) fn scope_of(&self, entry: &Entry, requested: CacheScope) -> CacheScope {
        let is_purgeable = || {
            entry.positions.len() >= self.index.logs()
                && self.index.validate(entry) == Validity::Valid
        };
        match requested {
            CacheScope::Shared if is_purgeable() => CacheScope::Shared,
            _ => CacheScope::Private,
        }
    }

    /// Whether a stale page may be served if there is no fresh one (RFC 5861 `stale-if-error`).
    pub(super) fn may_serve_stale(&self, entry: &Entry) -> bool {
        matches!(self.index.validate(entry), Validity::Valid | Validity::SoftPurged(_))
            && entry.freshness(self.clock.now()) != Freshness::Expired
    }

    fn retry_is_due(&self, entry: &Entry) -> bool {
        let retry_at = entry.stats.retry_at.load(Ordering::Relaxed);
        let now = self.clock.now_millis();
        // A later `retry_at` dates from before the clock was set back.
        retry_at == 0 || now >= retry_at || retry_at > now + RETRY_PAUSE_MS
    }

    /// Serves a fresh entry of this process.
    pub(super) fn hit(&self, key: &str, entry: Arc<Entry>, began: Instant) -> ServedPage {
        let cache_status = match entry.kind {
            EntryKind::Partial => CacheStatus::Bypass,
            _ => CacheStatus::Hit,
        };
        if cache_status == CacheStatus::Hit {
            self.count_for_recompression(key, &entry);
        }
        self.served(FillResult { entry, cache_status }, false, began)
    }

    /// Queues the page for better compression once it is requested often.
    pub(super) fn count_for_recompression(&self, key: &str, entry: &Arc<Entry>) {
        let hits = entry.stats.hits.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        if hits == RECOMPRESSION_HITS && !entry.bodies.brotli_best && entry.is_complete() {
            // A full queue holds pages that became popular earlier.
            let _ = self.recompression.try_send((key.into(), entry.clone()));
        }
    }

    pub(super) fn count(&self, cache_status: CacheStatus, age: u32) {
        let metrics = &self.metrics;
        match cache_status {
            CacheStatus::Hit => {
                metrics.add(Counter::Hits, 1);
                metrics.add(Counter::HitAge, age.into());
            }
            CacheStatus::Stale => {
                metrics.add(Counter::Stale, 1);
                metrics.stale_age.record(age.into(), &[]);
            }
            CacheStatus::Miss => metrics.add(Counter::Misses, 1),
            CacheStatus::Bypass => metrics.add(Counter::Bypasses, 1),
        }
    }

    pub(super) fn served(&self, result: FillResult, collapsed: bool, began: Instant) -> ServedPage {
        let now = self.clock.now();
        self.count(result.cache_status, result.entry.age(now));
        ServedPage::new(result, collapsed, now, began)
    }
}

/// The delay between a soft purge and the refresh of a key: the more entries, the wider the spread.
fn refresh_delay(key: &str, entries: usize, soft: Duration) -> Duration {
    let entries = u32::try_from(entries).unwrap_or(u32::MAX);
    let spread = REFRESH_SPREAD_INTERVAL.saturating_mul(entries).min(soft * 3 / 4);
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
    spread.mul_f64((hash % 1024) as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refreshes_after_a_soft_purge_are_spread_evenly_over_at_most_three_quarters_of_its_time() {
        struct Row {
            entries: usize,
            spread: Duration,
        }
        let soft = Duration::from_secs(60);
        for Row { entries, spread } in [
            Row { entries: 4, spread: Duration::from_millis(100) },
            Row { entries: 1_000, spread: Duration::from_secs(25) },
            Row { entries: 1_000_000, spread: Duration::from_secs(45) },
        ] {
            let delays = (0..1_000).map(|n| refresh_delay(&format!("/{n}"), entries, soft));
            let mut tenths = [0; 10];
            for delay in delays {
                assert!(delay < spread, "{entries}: {delay:?}");
                tenths[(delay.as_secs_f64() / spread.as_secs_f64() * 10.0) as usize] += 1;
            }
            assert!(tenths.iter().all(|count| (60..140).contains(count)), "{entries}: {tenths:?}");
        }
    }
}
