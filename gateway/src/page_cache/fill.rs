//! A fill after a miss (docs/page-cache.md#leases): look into Redis, take the lease, call the origin, compress, store.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use sahm_chassis::rpc::with_deadline;
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, timeout, timeout_at},
};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::{
    cache::{Inner, Outcome, RETRY_PAUSE_MS},
    compress,
    entry::{Bodies, Entry, EntryData, EntryKind, Freshness, LogPosition, Times, hash_of},
    invalidation::index::Validity,
    key::{Key, Kind},
    metrics::Counter,
    origin::{FillContext, Origin, OriginError, OriginResponse},
    status::{CacheStatus, FillResult},
    store::{
        local,
        remote::{GetOrLease, Lease},
    },
};
use crate::{content_encoding::ContentEncoding, limits::REDIS_TIMEOUT_PAGE, single_flight::Leader};

/// How long a fill waits for the change logs right after the start.
const LOGS_WAIT: Duration = Duration::from_millis(500);
/// Maximum number of origin calls in one fill, if the page is purged meanwhile.
const ATTEMPTS: u32 = 3;
/// Initial interval at which Redis is polled while another gateway fills; it doubles each time.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(40);
/// With less time left, a fill stops waiting for another gateway: the time that loading page data takes.
const MIN_FILL_TIME: Duration = Duration::from_millis(700);

/// A fill in progress. The fill and its lease last at most until `ends` (docs/limits-and-timeouts.md).
pub(super) struct Fill {
    pub(super) inner: Arc<Inner>,
    pub(super) leader: Leader<Outcome>,
    pub(super) key: Key,
    pub(super) origin: Arc<Origin>,
    /// A stale page, served if the fill fails.
    pub(super) fallback: Option<Arc<Entry>>,
    pub(super) ends: Instant,
    /// The permit of a background refresh.
    pub(super) _refresh: Option<OwnedSemaphorePermit>,
}

/// Whether this gateway may fill.
enum FillAdmission {
    /// Not needed: Redis had the page.
    Done,
    /// Yes: with a lease, for all gateways; without one, for this gateway only.
    Fill(Option<Lease>),
    /// Another gateway is filling, and takes longer than this fill can wait.
    TimedOut,
}

impl Fill {
    /// Runs in a separate task.
    pub(super) fn start(self) {
        tokio::spawn(self.run().in_current_span());
    }

    async fn run(mut self) {
        let _ = timeout(LOGS_WAIT, self.inner.index.ready()).await;
        let (lease, renders) = match self.admit().await {
            FillAdmission::Done => return,
            FillAdmission::Fill(lease) => (lease.map(Arc::new), true),
            FillAdmission::TimedOut if self.usable_fallback().is_some() => {
                return self.fail(OriginError::Late);
            }
            // Only one gateway at a time renders a key; this one responds without rendering.
            FillAdmission::TimedOut => (None, false),
        };
        let _renewal = lease
            .clone()
            .map(|lease| AbortOnDropHandle::new(tokio::spawn(async move { lease.keep().await })));
        let began = Instant::now();
        let result = timeout_at(self.ends, self.call_origin(renders)).await;
        self.inner.metrics.make_time.record(began.elapsed().as_secs_f64(), &[]);
        match result.unwrap_or(Err(OriginError::Late)) {
            Ok(entry) => self.complete(Arc::new(entry), lease.as_deref()).await,
            Err(error) => {
                tracing::warn!(key = &**self.leader.key(), %error, "page not filled");
                self.fail(error);
                self.release(lease.as_deref()).await;
            }
        }
    }

    /// Looks the key up in Redis and requests the lease; waits while another gateway holds it.
    async fn admit(&mut self) -> FillAdmission {
        let inner = self.inner.clone();
        let Some(remote) = &inner.remote else { return FillAdmission::Fill(None) };
        let key = self.leader.key().clone();
        let build = inner.previous_build.load_full().filter(|_| self.key.kind() == Kind::Page);
        let redis_ends = Instant::now() + REDIS_TIMEOUT_PAGE;
        let mut poll = POLL_INTERVAL;
        let mut known = None;
        let mut waited = false;
        let mut late = false;
        loop {
            let limit = match waited {
                true => REDIS_TIMEOUT_PAGE,
                false => redis_ends.saturating_duration_since(Instant::now()),
            };
            let build = build.as_ref().filter(|_| self.fallback.is_none()).map(|build| &***build);
            let known_id = known.as_ref().map(|fill_id: &[u8; 16]| &fill_id[..]);
            let answer = remote.get_or_lease(&key, known_id, build, limit).await;
            // While another gateway is known to fill, a single late response does not mean that Redis is unavailable.
            let was_late = std::mem::replace(&mut late, matches!(answer, GetOrLease::Unavailable));
            match answer {
                GetOrLease::Unavailable if waited && !was_late && self.left() >= MIN_FILL_TIME => {
                    tokio::time::sleep(poll).await;
                }
                GetOrLease::Unavailable => return FillAdmission::Fill(None),
                GetOrLease::Found(entry) => {
                    known = Some(entry.fill_id);
                    if self.use_stored(Arc::new(entry)) {
                        return FillAdmission::Done;
                    }
                }
                GetOrLease::Leased(lease, previous) => {
                    self.use_previous_build(previous);
                    return FillAdmission::Fill(Some(lease));
                }
                GetOrLease::Busy(previous) => {
                    self.use_previous_build(previous);
                    if !std::mem::replace(&mut waited, true) {
                        inner.metrics.add(Counter::LeaseWaits, 1);
                    }
                    if self.left() < MIN_FILL_TIME {
                        return FillAdmission::TimedOut;
                    }
                    tokio::time::sleep(poll).await;
                    poll = (poll * 2).min(MAX_POLL_INTERVAL);
                }
            }
        }
    }

    fn left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Validates an entry from Redis. True if the fill is done with it.
    fn use_stored(&mut self, entry: Arc<Entry>) -> bool {
        match (self.inner.index.validate(&entry), entry.freshness(self.inner.clock.now())) {
            (Validity::Valid, Freshness::Fresh) => {
                self.inner.local.insert(self.leader.key().clone(), entry.clone());
                self.answer(entry, CacheStatus::Hit);
                return true;
            }
            (Validity::Valid, Freshness::Stale) => self.set_fallback(entry, false),
            (Validity::SoftPurged(at), Freshness::Fresh | Freshness::Stale) => {
                self.set_fallback(entry, at.elapsed() > self.inner.lifetimes.soft);
            }
            _ => {}
        }
        false
    }

    /// Uses the previous build's page if there is none of this build.
    fn use_previous_build(&mut self, previous: Option<Entry>) {
        if let Some(previous) = previous
            && self.fallback.is_none()
            && self.inner.may_serve_stale(&previous)
        {
            let data = EntryData { kind: EntryKind::PreviousBuild, ..previous.clone() };
            self.set_fallback(Arc::new(Entry::new(data)), false);
        }
    }

    /// Keeps a newer stale page as the fallback; serves it at once unless it is overdue.
    fn set_fallback(&mut self, entry: Arc<Entry>, overdue: bool) {
        let created_at = self.fallback.as_ref().map(|fallback| fallback.times.created_at);
        if created_at.is_some_and(|created_at| created_at >= entry.times.created_at) {
            return;
        }
        self.inner.local.insert(self.leader.key().clone(), entry.clone());
        self.fallback = Some(entry.clone());
        if !overdue {
            self.answer(entry, CacheStatus::Stale);
        }
    }

    fn answer(&self, entry: Arc<Entry>, cache_status: CacheStatus) {
        self.leader.complete(Ok(FillResult { entry, cache_status }));
    }

    /// Calls the origin; again if the page was purged meanwhile.
    async fn call_origin(&self, renders: bool) -> Result<Entry, OriginError> {
        let inner = &self.inner;
        let mut attempt = 1;
        loop {
            let positions = inner.index.positions();
            let created_at = inner.clock.now();
            inner.metrics.add(Counter::Makes, 1);
            let response = with_deadline(self.left(), (self.origin)(FillContext { renders }))
                .await
                .map_err(|_| OriginError::Late)??;
            let mut data = self.data(&response, positions, created_at);
            data.bodies = self.bodies(&response, &data).await;
            // The purge may have come while the body was compressed.
            let is_purged = data.kind != EntryKind::Uncacheable
                && inner.index.validate_data(&data) == Validity::Purged;
            if !is_purged {
                return Ok(Entry::new(data));
            }
            inner.metrics.add(Counter::PurgedInFlight, 1);
            if attempt == ATTEMPTS {
                // Purged as fast as it is produced: served to the waiting requests, but not stored.
                return Ok(Entry::new(EntryData { kind: EntryKind::Uncacheable, ..data }));
            }
            attempt += 1;
        }
    }

    fn data(
        &self,
        response: &OriginResponse,
        positions: Vec<LogPosition>,
        created_at: u32,
    ) -> EntryData {
        let kind = response.kind();
        let key_tags = self.key.tags();
        let tags = response.tags.iter().chain(&key_tags);
        let mut tags: Vec<Box<str>> = tags.map(|tag| tag.as_str().into()).collect();
        tags.sort_unstable();
        tags.dedup();
        EntryData {
            status: response.status,
            content_type: response.content_type.clone(),
            bodies: Bodies::default(),
            hash: hash_of(response.status, &response.body),
            fill_id: rand::random(),
            kind,
            own: true,
            times: Times::of(kind, created_at, response.expires_at, &self.inner.lifetimes),
            tags: tags.into(),
            positions: positions.into(),
        }
    }

    /// The compressed bodies; those of the fallback if the page has not changed.
    async fn bodies(&self, response: &OriginResponse, data: &EntryData) -> Bodies {
        let same = |entry: &&Arc<Entry>| entry.hash == data.hash && entry.bodies.gzip.is_some();
        if let Some(before) = self.fallback.as_ref().filter(same) {
            return before.bodies.clone();
        }
        self.inner.metrics.add(Counter::Compressions, 1);
        let bodies = compress::quick(response.body.clone()).await;
        // `None`: the process is shutting down.
        bodies.unwrap_or_else(|| Bodies::of(ContentEncoding::Identity, response.body.clone()))
    }

    /// Hands the page to the waiting requests, and stores it where its kind allows.
    async fn complete(self, entry: Arc<Entry>, lease: Option<&Lease>) {
        let (inner, kind) = (self.inner.clone(), entry.kind);
        let is_whole = !matches!(kind, EntryKind::Partial | EntryKind::Uncacheable);
        if !is_whole && self.usable_fallback().is_some() {
            self.fail(OriginError::Failed("a part is unavailable".into()));
            return self.release(lease).await;
        }
        let now = inner.clock.now();
        let key = self.leader.key().clone();
        if kind != EntryKind::Uncacheable && entry.freshness(now) != Freshness::Expired {
            inner.local.insert(key.clone(), entry.clone());
        }
        let cache_status = if is_whole { CacheStatus::Miss } else { CacheStatus::Bypass };
        self.answer(entry.clone(), cache_status);
        // From here on requests find it in this process.
        drop(self);
        let Some(lease) = lease else { return };
        // Other gateways cannot validate a page that was produced while a log was unknown.
        if !entry.is_complete() || entry.positions.len() < inner.index.logs() {
            return lease.release(kind == EntryKind::NotFound).await;
        }
        if lease.store(&entry, now).await {
            inner.metrics.add(Counter::PurgedInFlight, 1);
            local::remove(&inner.local, &key, &entry.fill_id);
        }
    }

    /// The fallback, unless it was purged or has expired meanwhile.
    fn usable_fallback(&self) -> Option<&Arc<Entry>> {
        self.fallback.as_ref().filter(|entry| self.inner.may_serve_stale(entry))
    }

    /// Completes with the fallback (RFC 5861 `stale-if-error`), or with the error if there is none.
    fn fail(&self, error: OriginError) {
        match self.usable_fallback() {
            Some(entry) => {
                let retry_at = self.inner.clock.now_millis() + RETRY_PAUSE_MS;
                entry.stats.retry_at.store(retry_at, Ordering::Relaxed);
                self.answer(entry.clone(), CacheStatus::Stale);
            }
            None => {
                self.inner.metrics.add(Counter::Failures, 1);
                self.leader.complete(Err(error));
            }
        }
    }

    /// Ends the fill, then releases the lease.
    async fn release(self, lease: Option<&Lease>) {
        drop(self);
        if let Some(lease) = lease {
            lease.release(false).await;
        }
    }
}
