//! One flight from its start to its end: the second level, the lease, the making, the storing
//! (docs/page-cache.md).

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

use super::{
    Inner,
    entry::{Bodies, Class, Entry, Freshness, LogPosition, Parts, Times, hash_of},
    flights::{Landing, Pilot},
    key::Kind,
    made::{FlightContext, How, Keep, Made, Make, MakeError},
    purge::Verdict,
    shared::{Approach, Lease, Shared, Stored},
};
use crate::limits::LEFT_OF_A_PAGE;

/// A flight of the process's first moments waits so long for the change logs.
const LOGS: Duration = Duration::from_millis(500);
/// Makings of one flight while purges come in between.
const ATTEMPTS: u32 = 3;
/// Another gateway's flight is looked after this often, the longer the rarer.
const LOOK: Duration = Duration::from_millis(5);
const LOOK_RARELY: Duration = Duration::from_millis(40);
/// With so much left a flight stops waiting for another gateway's: what a page's data take to load.
const ALONE: Duration = Duration::from_millis(700);
/// After a failure the next refresh waits.
pub(super) const PAUSE_MS: u64 = 2000;

/// A flight about to start.
pub(super) struct Flight {
    pub(super) inner: Arc<Inner>,
    pub(super) pilot: Pilot,
    pub(super) kind: Kind,
    pub(super) key_tags: [String; 3],
    pub(super) make: Arc<Make>,
    /// A usable page past its time, served when this flight brings nothing better.
    pub(super) fallback: Option<Arc<Entry>>,
    pub(super) background: bool,
    /// Waiting, making and with it the lease end by then (docs/limits-and-timeouts.md).
    pub(super) ends: Instant,
    /// Held by refreshes, which are bounded.
    pub(super) _place: Option<OwnedSemaphorePermit>,
}

/// How the second level lets the flight go on.
enum Cleared {
    /// It had the page.
    Landed,
    /// This flight makes it, for all gateways or (without lease) for this one.
    Make(Option<Lease>),
    /// Another gateway's flight takes longer than this one can wait.
    Waited,
}

impl Flight {
    pub(super) async fn run(mut self) {
        let _ = timeout(LOGS, self.inner.index.settled()).await;
        let (lease, renders) = match self.approach().await {
            Cleared::Landed => return,
            Cleared::Make(lease) => (lease.map(Arc::new), true),
            Cleared::Waited if self.has_fallback() => return self.fail(MakeError::Late),
            // The renderer has one render of a key at a time; what needs none of it is made here.
            Cleared::Waited => (None, false),
        };
        let _kept = lease.clone().map(|lease| {
            let inner = self.inner.clone();
            AbortOnDropHandle::new(tokio::spawn(async move {
                if let Some(shared) = &inner.shared {
                    shared.keep(&lease).await;
                }
            }))
        });
        let began = Instant::now();
        let result = match timeout_at(self.ends, self.make(renders)).await {
            Ok(result) => result,
            Err(_) => Err(MakeError::Late),
        };
        self.inner.metrics.make_time.record(began.elapsed().as_secs_f64(), &[]);
        match result {
            Ok((entry, keep)) => self.land(Arc::new(entry), keep, lease.as_deref()).await,
            Err(error) => {
                tracing::warn!(key = &**self.pilot.text(), %error, "page not made");
                self.fail(error);
                self.release(lease.as_deref(), false).await;
            }
        }
    }

    /// Looks into the second level, asks for the lease, waits while another gateway holds it.
    async fn approach(&mut self) -> Cleared {
        let inner = self.inner.clone();
        let Some(shared) = &inner.shared else { return Cleared::Make(None) };
        let text = self.pilot.text().clone();
        let former = inner.former.load_full().filter(|_| self.kind == Kind::Page);
        let mut budget = LEFT_OF_A_PAGE;
        let mut look = LOOK;
        let mut known = None;
        let mut waited = false;
        let mut late = false;
        loop {
            let called = Instant::now();
            let limit = if waited { LEFT_OF_A_PAGE } else { budget };
            let wanted = former.as_ref().filter(|_| self.fallback.is_none());
            let answer =
                shared.approach(&text, known, wanted.map(|name| name.as_str()), limit).await;
            if !waited {
                budget = budget.saturating_sub(called.elapsed());
            }
            // Late once says little while another gateway's flight is known to be under way.
            let was_late = std::mem::replace(&mut late, matches!(answer, Approach::Away));
            match answer {
                Approach::Away if waited && !was_late && self.left() >= ALONE => {
                    tokio::time::sleep(look).await;
                }
                Approach::Away => return Cleared::Make(None),
                Approach::Found(entry) => {
                    known = Some(entry.stamp);
                    if self.take(Arc::new(entry)) {
                        return Cleared::Landed;
                    }
                }
                Approach::Leased(lease, former) => {
                    self.stand_in(former);
                    return Cleared::Make(Some(lease));
                }
                Approach::Busy(former) => {
                    self.stand_in(former);
                    if !std::mem::replace(&mut waited, true) {
                        inner.metrics.lease_waits.add(1);
                    }
                    if self.left() < ALONE {
                        return Cleared::Waited;
                    }
                    tokio::time::sleep(look).await;
                    look = (look * 2).min(LOOK_RARELY);
                }
            }
        }
    }

    fn left(&self) -> Duration {
        self.ends.saturating_duration_since(Instant::now())
    }

    /// Judges an entry of the second level. True when it is all that is needed.
    fn take(&mut self, entry: Arc<Entry>) -> bool {
        let verdict = self.inner.index.judge(&entry);
        let freshness = entry.freshness(self.inner.clock.now());
        match (verdict, freshness) {
            (Verdict::Good, Freshness::Fresh) => {
                self.inner.memory.insert(self.pilot.text().clone(), entry.clone());
                self.pilot.land(Ok(Landing { entry, how: How::Hit }));
                true
            }
            (Verdict::Good, Freshness::Stale) => {
                self.fall_back_on(entry, false);
                false
            }
            (Verdict::Soft(at), Freshness::Fresh | Freshness::Stale) => {
                let pressing = at.elapsed() > self.inner.lifetimes.soft;
                self.fall_back_on(entry, pressing);
                false
            }
            _ => false,
        }
    }

    /// Lets the former build's page stand in, where there is nothing of this build.
    fn stand_in(&mut self, former: Option<Entry>) {
        let Some(former) = former.filter(|_| self.fallback.is_none()) else { return };
        if self.inner.may_stand_in(&former) {
            let entry = Entry::new(Parts { class: Class::Former, ..former.parts() });
            self.fall_back_on(Arc::new(entry), false);
        }
    }

    /// Keeps a page past its time, and serves it at once unless it has to be made anew first.
    fn fall_back_on(&mut self, entry: Arc<Entry>, pressing: bool) {
        let newer = self
            .fallback
            .as_ref()
            .is_none_or(|fallback| entry.times.made_at > fallback.times.made_at);
        if !newer {
            return;
        }
        self.inner.memory.insert(self.pilot.text().clone(), entry.clone());
        self.fallback = Some(entry.clone());
        if !pressing {
            self.pilot.land(Ok(Landing { entry, how: How::Stale }));
        }
    }

    /// Makes the page; again when it was purged meanwhile.
    async fn make(&self, renders: bool) -> Result<(Entry, Keep), MakeError> {
        let inner = &self.inner;
        let context = FlightContext { background: self.background, renders };
        let mut attempt = 1;
        loop {
            let positions = inner.index.positions();
            let made_at = inner.clock.now();
            inner.metrics.makes.add(1);
            let made = with_deadline(self.left(), (self.make)(context))
                .await
                .map_err(|_| MakeError::Late)??;
            let keep = made.kept();
            let mut parts = self.parts(&made, keep, positions, made_at);
            let purged = |parts: &Parts| {
                let entry = Entry::new(parts.clone());
                keep != Keep::Never && inner.index.judge(&entry) == Verdict::Gone
            };
            if !purged(&parts) {
                parts.bodies = self.bodies(&made, &parts).await;
                if !purged(&parts) {
                    return Ok((Entry::new(parts), keep));
                }
            }
            inner.metrics.purged_in_flight.add(1);
            if attempt == ATTEMPTS {
                // Purged as fast as it is made: for those who wait, and nobody after them.
                if parts.bodies == Bodies::default() {
                    parts.bodies = self.bodies(&made, &parts).await;
                }
                return Ok((Entry::new(Parts { class: Class::Unkept, ..parts }), Keep::Never));
            }
            attempt += 1;
        }
    }

    fn parts(
        &self,
        made: &Made,
        keep: Keep,
        mut positions: Vec<LogPosition>,
        made_at: u32,
    ) -> Parts {
        for older in &made.read_under {
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
        let class = match keep {
            Keep::Store => Class::Whole,
            Keep::Missing => Class::Missing,
            Keep::Partial => Class::Partial,
            Keep::Never => Class::Unkept,
        };
        let tags = made.tags.iter().chain(&self.key_tags);
        let mut tags: Vec<Box<str>> = tags.map(|tag| tag.as_str().into()).collect();
        tags.sort_unstable();
        tags.dedup();
        Parts {
            status: made.status,
            content_type: made.content_type.clone(),
            bodies: Bodies::default(),
            hash: hash_of(made.status, &made.body),
            stamp: rand::random(),
            class,
            own: true,
            times: Times::of(class, made_at, made.expires_at, &self.inner.lifetimes),
            tags: tags.into(),
            positions: positions.into(),
        }
    }

    /// The coded bodies; the former entry's where the page is the same as before.
    async fn bodies(&self, made: &Made, parts: &Parts) -> Bodies {
        let same = |entry: &&Arc<Entry>| entry.hash == parts.hash && entry.bodies.gzip.is_some();
        if let Some(before) = self.fallback.as_ref().filter(same) {
            return before.bodies.clone();
        }
        self.inner.metrics.compressions.add(1);
        let bodies = self.inner.encoder.quick(made.body.clone()).await;
        match bodies.gzip {
            Some(_) => bodies,
            // No place to compress in: the process is ending.
            None => Bodies { identity: Some(made.body.clone()), ..Bodies::default() },
        }
    }

    /// Brings a made page to those who wait and into the levels where it may be kept.
    async fn land(self, entry: Arc<Entry>, keep: Keep, lease: Option<&Lease>) {
        let inner = self.inner.clone();
        let text = self.pilot.text().clone();
        match keep {
            Keep::Never | Keep::Partial if self.has_fallback() => {
                self.fail(MakeError::failed("a part is away"));
                self.release(lease, false).await;
            }
            Keep::Never => {
                self.pilot.land(Ok(Landing { entry, how: How::Bypass }));
                self.release(lease, false).await;
            }
            Keep::Partial => {
                inner.memory.insert(text, entry.clone());
                self.pilot.land(Ok(Landing { entry, how: How::Bypass }));
                self.release(lease, false).await;
            }
            Keep::Missing => {
                inner.memory.insert(text, entry.clone());
                self.pilot.land(Ok(Landing { entry, how: How::Miss }));
                self.release(lease, true).await;
            }
            Keep::Store => {
                if entry.freshness(inner.clock.now()) != Freshness::Over {
                    inner.memory.insert(text.clone(), entry.clone());
                }
                self.pilot.land(Ok(Landing { entry: entry.clone(), how: How::Miss }));
                // From here on visitors find it in the first level.
                drop(self);
                if let (Some(lease), Some(shared)) = (lease, &inner.shared) {
                    store(&inner, shared, lease, &entry, &text).await;
                }
            }
        }
    }

    fn has_fallback(&self) -> bool {
        self.fallback.as_ref().is_some_and(|entry| self.inner.may_stand_in(entry))
    }

    /// Serves what there is instead of a page that was not made.
    fn fail(&self, error: MakeError) {
        // It may have been purged, or its life may have ended, while the flight was under way.
        match self.fallback.as_ref().filter(|entry| self.inner.may_stand_in(entry)) {
            Some(entry) => {
                let retry_at = self.inner.clock.now_millis() + PAUSE_MS;
                entry.uses.retry_at.store(retry_at, Ordering::Relaxed);
                self.pilot.land(Ok(Landing { entry: entry.clone(), how: How::Stale }));
            }
            None => {
                self.inner.metrics.failures.add(1);
                self.pilot.land(Err(error));
            }
        }
    }

    async fn release(self, lease: Option<&Lease>, drop_entry: bool) {
        let inner = self.inner.clone();
        drop(self);
        if let (Some(lease), Some(shared)) = (lease, &inner.shared) {
            shared.release(lease, drop_entry).await;
        }
    }
}

async fn store(inner: &Inner, shared: &Shared, lease: &Lease, entry: &Arc<Entry>, text: &str) {
    // What was made under an unknown log can be judged by nobody else.
    if entry.positions.len() < inner.index.logs() {
        return shared.release(lease, false).await;
    }
    match shared.store(lease, entry, inner.clock.now()).await {
        Stored::Purged => {
            inner.metrics.purged_in_flight.add(1);
            inner.memory.remove(text, &entry.stamp);
        }
        Stored::Yes | Stored::LeaseLost | Stored::Away => {}
    }
}
