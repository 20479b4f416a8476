//! A fill on a miss (docs/page-cache.md): look into Redis, take the lease, call the origin, compress, store.

pub(in crate::page_cache) mod origin;
pub(in crate::page_cache) mod single_flight;

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

use self::{
    origin::{FillContext, Origin, OriginError, OriginResponse},
    single_flight::{FillResult, Leader},
};
use super::{
    cache::{Inner, RETRY_PAUSE_MS},
    entry::{Bodies, Entry, EntryData, EntryKind, Freshness, LogPosition, Times, hash_of},
    invalidation::index::Validity,
    key::Kind,
    status::CacheStatus,
    store::remote::{GetOrLease, Lease, RemoteStore, Stored},
};
use crate::limits::REDIS_TIME_PAGE;

/// How long a fill waits for the change logs right after the start.
const LOGS_WAIT: Duration = Duration::from_millis(500);
/// Calls of the origin in one fill, when purges outrun it.
const ATTEMPTS: u32 = 3;
/// How often Redis is polled while another gateway fills: from POLL_INTERVAL, doubling.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(40);
/// With less time left, a fill stops waiting for another gateway: the time that loading page data takes.
const MIN_FILL_TIME: Duration = Duration::from_millis(700);

/// A fill about to start.
pub(in crate::page_cache) struct Fill {
    pub(in crate::page_cache) inner: Arc<Inner>,
    pub(in crate::page_cache) leader: Leader,
    pub(in crate::page_cache) key_kind: Kind,
    pub(in crate::page_cache) key_tags: [String; 3],
    pub(in crate::page_cache) origin: Arc<Origin>,
    /// A stale page, served if the fill fails.
    pub(in crate::page_cache) fallback: Option<Arc<Entry>>,
    pub(in crate::page_cache) background: bool,
    /// The deadline of waiting and filling; the lease ends with it (docs/limits-and-timeouts.md).
    pub(in crate::page_cache) ends: Instant,
    /// The permit of a background refresh.
    pub(in crate::page_cache) _permit: Option<OwnedSemaphorePermit>,
}

/// Whether this gateway may fill.
enum Admission {
    /// No need: Redis had the page.
    Done,
    /// Yes: for all gateways with a lease, for this one only without.
    Fill(Option<Lease>),
    /// Another gateway fills, and takes longer than this fill can wait.
    TimedOut,
}

impl Fill {
    pub(in crate::page_cache) async fn run(mut self) {
        let _ = timeout(LOGS_WAIT, self.inner.index.ready()).await;
        let (lease, renders) = match self.admit().await {
            Admission::Done => return,
            Admission::Fill(lease) => (lease.map(Arc::new), true),
            Admission::TimedOut if self.has_fallback() => return self.fail(OriginError::Late),
            // The renderer renders a key for one gateway at a time; this one answers without it.
            Admission::TimedOut => (None, false),
        };
        let _renewal = lease.clone().map(|lease| {
            let inner = self.inner.clone();
            AbortOnDropHandle::new(tokio::spawn(async move {
                if let Some(remote) = &inner.remote {
                    remote.keep(&lease).await;
                }
            }))
        });
        let began = Instant::now();
        let result = match timeout_at(self.ends, self.call_origin(renders)).await {
            Ok(result) => result,
            Err(_) => Err(OriginError::Late),
        };
        self.inner.metrics.make_time.record(began.elapsed().as_secs_f64(), &[]);
        match result {
            Ok(entry) => self.complete(Arc::new(entry), lease.as_deref()).await,
            Err(error) => {
                tracing::warn!(key = &**self.leader.text(), %error, "page not filled");
                self.fail(error);
                self.release(lease.as_deref(), false).await;
            }
        }
    }

    /// Looks into Redis and asks for the lease; waits while another gateway holds it.
    async fn admit(&mut self) -> Admission {
        let inner = self.inner.clone();
        let Some(remote) = &inner.remote else { return Admission::Fill(None) };
        let text = self.leader.text().clone();
        let previous_build =
            inner.previous_build.load_full().filter(|_| self.key_kind == Kind::Page);
        let mut budget = REDIS_TIME_PAGE;
        let mut poll = POLL_INTERVAL;
        let mut known = None;
        let mut waited = false;
        let mut late = false;
        loop {
            let called = Instant::now();
            let limit = if waited { REDIS_TIME_PAGE } else { budget };
            let wanted = previous_build.as_ref().filter(|_| self.fallback.is_none());
            let answer =
                remote.get_or_lease(&text, known, wanted.map(|name| name.as_str()), limit).await;
            if !waited {
                budget = budget.saturating_sub(called.elapsed());
            }
            // One late response says little while another gateway is known to fill.
            let was_late = std::mem::replace(&mut late, matches!(answer, GetOrLease::Unavailable));
            match answer {
                GetOrLease::Unavailable if waited && !was_late && self.left() >= MIN_FILL_TIME => {
                    tokio::time::sleep(poll).await;
                }
                GetOrLease::Unavailable => return Admission::Fill(None),
                GetOrLease::Found(entry) => {
                    known = Some(entry.fill_id);
                    if self.take(Arc::new(entry)) {
                        return Admission::Done;
                    }
                }
                GetOrLease::Leased(lease, previous_build) => {
                    self.use_previous_build(previous_build);
                    return Admission::Fill(Some(lease));
                }
                GetOrLease::Busy(previous_build) => {
                    self.use_previous_build(previous_build);
                    if !std::mem::replace(&mut waited, true) {
                        inner.metrics.lease_waits.add(1);
                    }
                    if self.left() < MIN_FILL_TIME {
                        return Admission::TimedOut;
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
    fn take(&mut self, entry: Arc<Entry>) -> bool {
        let validity = self.inner.index.validate(&entry);
        let freshness = entry.freshness(self.inner.clock.now());
        match (validity, freshness) {
            (Validity::Valid, Freshness::Fresh) => {
                self.inner.local.insert(self.leader.text().clone(), entry.clone());
                self.leader.complete(Ok(FillResult { entry, cache_status: CacheStatus::Hit }));
                true
            }
            (Validity::Valid, Freshness::Stale) => {
                self.set_fallback(entry, false);
                false
            }
            (Validity::SoftPurged(at), Freshness::Fresh | Freshness::Stale) => {
                let overdue = at.elapsed() > self.inner.lifetimes.soft;
                self.set_fallback(entry, overdue);
                false
            }
            _ => false,
        }
    }

    /// Uses the previous build's page where there is none of this build.
    fn use_previous_build(&mut self, previous_build: Option<Entry>) {
        let Some(previous_build) = previous_build.filter(|_| self.fallback.is_none()) else {
            return;
        };
        if self.inner.may_serve_stale(&previous_build) {
            let entry =
                Entry::new(EntryData { kind: EntryKind::PreviousBuild, ..previous_build.parts() });
            self.set_fallback(Arc::new(entry), false);
        }
    }

    /// Keeps a stale page as the fallback; serves it at once unless it is overdue.
    fn set_fallback(&mut self, entry: Arc<Entry>, overdue: bool) {
        let newer = self
            .fallback
            .as_ref()
            .is_none_or(|fallback| entry.times.created_at > fallback.times.created_at);
        if !newer {
            return;
        }
        self.inner.local.insert(self.leader.text().clone(), entry.clone());
        self.fallback = Some(entry.clone());
        if !overdue {
            self.leader.complete(Ok(FillResult { entry, cache_status: CacheStatus::Stale }));
        }
    }

    /// Calls the origin; again if the page was purged meanwhile.
    async fn call_origin(&self, renders: bool) -> Result<Entry, OriginError> {
        let inner = &self.inner;
        let context = FillContext { background: self.background, renders };
        let mut attempt = 1;
        loop {
            let positions = inner.index.positions();
            let created_at = inner.clock.now();
            inner.metrics.makes.add(1);
            let produced = with_deadline(self.left(), (self.origin)(context))
                .await
                .map_err(|_| OriginError::Late)??;
            let mut parts = self.parts(&produced, positions, created_at);
            let purged = |parts: &EntryData| {
                let entry = Entry::new(parts.clone());
                entry.kind != EntryKind::Uncacheable
                    && inner.index.validate(&entry) == Validity::Purged
            };
            if !purged(&parts) {
                parts.bodies = self.bodies(&produced, &parts).await;
                if !purged(&parts) {
                    return Ok(Entry::new(parts));
                }
            }
            inner.metrics.purged_in_flight.add(1);
            if attempt == ATTEMPTS {
                // Purged as fast as it is produced: for the requests that wait, and no others.
                if parts.bodies == Bodies::default() {
                    parts.bodies = self.bodies(&produced, &parts).await;
                }
                return Ok(Entry::new(EntryData { kind: EntryKind::Uncacheable, ..parts }));
            }
            attempt += 1;
        }
    }

    fn parts(
        &self,
        produced: &OriginResponse,
        mut positions: Vec<LogPosition>,
        created_at: u32,
    ) -> EntryData {
        for older in &produced.read_at {
            let same = |position: &&mut LogPosition| position.service == older.service;
            let older_than = |position: &LogPosition| {
                position.log_id != older.log_id || older.sequence < position.sequence
            };
            if let Some(position) = positions.iter_mut().find(same)
                && older_than(position)
            {
                *position = older.clone();
            }
        }
        let kind = produced.kind();
        let tags = produced.tags.iter().chain(&self.key_tags);
        let mut tags: Vec<Box<str>> = tags.map(|tag| tag.as_str().into()).collect();
        tags.sort_unstable();
        tags.dedup();
        EntryData {
            status: produced.status,
            content_type: produced.content_type.clone(),
            bodies: Bodies::default(),
            hash: hash_of(produced.status, &produced.body),
            fill_id: rand::random(),
            kind,
            own: true,
            times: Times::of(kind, created_at, produced.expires_at, &self.inner.lifetimes),
            tags: tags.into(),
            positions: positions.into(),
        }
    }

    /// The compressed bodies; those of the fallback where the page has not changed.
    async fn bodies(&self, produced: &OriginResponse, parts: &EntryData) -> Bodies {
        let same = |entry: &&Arc<Entry>| entry.hash == parts.hash && entry.bodies.gzip.is_some();
        if let Some(before) = self.fallback.as_ref().filter(same) {
            return before.bodies.clone();
        }
        self.inner.metrics.compressions.add(1);
        let bodies = self.inner.encoder.quick(produced.body.clone()).await;
        match bodies.gzip {
            Some(_) => bodies,
            // The process is ending.
            None => Bodies { identity: Some(produced.body.clone()), ..Bodies::default() },
        }
    }

    /// Hands the page to the requests that wait, and stores it where it may be.
    async fn complete(self, entry: Arc<Entry>, lease: Option<&Lease>) {
        let inner = self.inner.clone();
        let text = self.leader.text().clone();
        match entry.kind {
            EntryKind::Uncacheable | EntryKind::Partial if self.has_fallback() => {
                self.fail(OriginError::failed("a part is unavailable"));
                self.release(lease, false).await;
            }
            EntryKind::Uncacheable => {
                self.leader.complete(Ok(FillResult { entry, cache_status: CacheStatus::Bypass }));
                self.release(lease, false).await;
            }
            EntryKind::Partial => {
                inner.local.insert(text, entry.clone());
                self.leader.complete(Ok(FillResult { entry, cache_status: CacheStatus::Bypass }));
                self.release(lease, false).await;
            }
            EntryKind::NotFound => {
                inner.local.insert(text, entry.clone());
                self.leader.complete(Ok(FillResult { entry, cache_status: CacheStatus::Miss }));
                self.release(lease, true).await;
            }
            EntryKind::Complete | EntryKind::PreviousBuild => {
                if entry.freshness(inner.clock.now()) != Freshness::Expired {
                    inner.local.insert(text.clone(), entry.clone());
                }
                self.leader.complete(Ok(FillResult {
                    entry: entry.clone(),
                    cache_status: CacheStatus::Miss,
                }));
                // From here on requests find it in this process.
                drop(self);
                if let (Some(lease), Some(remote)) = (lease, &inner.remote) {
                    store(&inner, remote, lease, &entry, &text).await;
                }
            }
        }
    }

    fn has_fallback(&self) -> bool {
        self.fallback.as_ref().is_some_and(|entry| self.inner.may_serve_stale(entry))
    }

    /// Completes with the fallback, or with the error where there is none.
    fn fail(&self, error: OriginError) {
        // It may have been purged or have expired meanwhile.
        match self.fallback.as_ref().filter(|entry| self.inner.may_serve_stale(entry)) {
            Some(entry) => {
                let retry_at = self.inner.clock.now_millis() + RETRY_PAUSE_MS;
                entry.stats.retry_at.store(retry_at, Ordering::Relaxed);
                self.leader.complete(Ok(FillResult {
                    entry: entry.clone(),
                    cache_status: CacheStatus::Stale,
                }));
            }
            None => {
                self.inner.metrics.failures.add(1);
                self.leader.complete(Err(error));
            }
        }
    }

    async fn release(self, lease: Option<&Lease>, drop_entry: bool) {
        let inner = self.inner.clone();
        drop(self);
        if let (Some(lease), Some(remote)) = (lease, &inner.remote) {
            remote.release(lease, drop_entry).await;
        }
    }
}

async fn store(inner: &Inner, remote: &RemoteStore, lease: &Lease, entry: &Arc<Entry>, text: &str) {
    // Other gateways cannot validate a page that was produced while a log was unknown.
    if entry.positions.len() < inner.index.logs() {
        return remote.release(lease, false).await;
    }
    match remote.store(lease, entry, inner.clock.now()).await {
        Stored::Purged => {
            inner.metrics.purged_in_flight.add(1);
            inner.local.remove(text, &entry.fill_id);
        }
        Stored::Yes | Stored::LeaseLost | Stored::Unavailable => {}
    }
}
