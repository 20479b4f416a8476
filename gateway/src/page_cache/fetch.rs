//! Asking for a page: first level, flight, or something past its time.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use sahm_chassis::rpc::{deadline, with_deadline};
use tokio::time::{timeout, timeout_at};
use tracing::Instrument;

use super::{
    Inner, PAGE_TIME, PageCache,
    accept::Coding,
    entry::{Bodies, Class, Entry, Freshness, Parts, Times, hash_of},
    flights::{Board, Landing, Outcome},
    key::Key,
    made::{FlightContext, How, Made, Make, MakeError, Served},
    making::{Flight, PAUSE_MS},
    purge::Verdict,
};

/// Flights that one request takes part in before it gives up.
const FLIGHTS: u32 = 3;
/// A visitor waits so long for a page that a soft purge made pressing, then gets it as it is.
const PRESSING: Duration = Duration::from_secs(1);
/// Soft purges are spread by this much for each page, within three quarters of their time.
const SPREAD: Duration = Duration::from_millis(25);
/// What a flight's end takes on its way to those who wait for it.
const LANDING: Duration = Duration::from_millis(50);

/// What the first level has.
pub(super) enum Look {
    Fresh(Arc<Entry>),
    /// Serve it, and make it anew if it is due.
    Stale {
        entry: Arc<Entry>,
        due: bool,
    },
    /// To be made anew first; serve it if that fails.
    Pressing(Arc<Entry>),
    Nothing,
}

impl PageCache {
    /// The page of a key, made by `make` where there is none that may be used.
    ///
    /// `make` runs in a task of its own and serves all who ask for the key meanwhile, so it may
    /// depend on nothing but the key. It takes as long as the work around it has left
    /// ([`with_deadline`]), and no longer than a page may. Errors: it failed, or is not done by then.
    pub async fn fetch<M>(&self, key: &Key, make: M) -> Result<Served, MakeError>
    where
        M: Fn(FlightContext) -> BoxFuture<'static, Result<Made, MakeError>> + Send + Sync + 'static,
    {
        let (began, ends) = (Instant::now(), ends());
        let inner = &self.inner;
        let now = inner.clock.now();
        let fallback = match inner.look(key.text(), now) {
            Look::Fresh(entry) => return Ok(inner.hit(key.text(), entry, now, began)),
            Look::Stale { entry, due } => {
                if due {
                    inner.refresh(key, Arc::new(make), entry.clone());
                }
                let landing = Landing { entry, how: How::Stale };
                return Ok(inner.served(landing, false, began));
            }
            Look::Pressing(entry) => Some(entry),
            Look::Nothing => None,
        };
        let Some(entry) = fallback else {
            let flight = inner.fly(key, Arc::new(make), None, began, ends);
            return timeout_at(ends, flight).await.unwrap_or(Err(MakeError::Late));
        };
        let flight = inner.fly(key, Arc::new(make), Some(entry.clone()), began, ends);
        match timeout(PRESSING, flight).await {
            Ok(result) => result,
            // Let go, the flight goes on.
            Err(_) => Ok(inner.served(Landing { entry, how: How::Stale }, false, began)),
        }
    }

    /// Whether the first level has something to serve for a key.
    pub(crate) fn holds(&self, key: &Key) -> bool {
        !matches!(self.inner.look(key.text(), self.inner.clock.now()), Look::Nothing)
    }

    /// A page that never enters the cache: members' pages, searches, cursors. Only the asked
    /// coding is made.
    ///
    /// Errors: `make` failed, or is not done within the time of a page.
    pub async fn bypass(
        &self,
        coding: Coding,
        make: impl Future<Output = Result<Made, MakeError>>,
    ) -> Result<Served, MakeError> {
        let began = Instant::now();
        let inner = &self.inner;
        inner.metrics.bypasses.add(1);
        // A maker that panics costs its page, as a lost flight does.
        let making = with_deadline(PAGE_TIME, AssertUnwindSafe(make).catch_unwind()).await;
        let Ok(Ok(made)) = making else { return Err(MakeError::Late) };
        let made = made?;
        let mut bodies = inner.encoder.one(made.body.clone(), coding).await;
        if bodies == Bodies::default() {
            bodies.identity = Some(made.body.clone());
        }
        Ok(inner.unkept(made, bodies, began))
    }

    /// A page that is at hand and needs no making, in no coding; kept nowhere.
    pub(crate) fn at_hand(&self, made: Made) -> Served {
        let bodies = Bodies { identity: Some(made.body.clone()), ..Bodies::default() };
        self.inner.unkept(made, bodies, Instant::now())
    }
}

/// When a page that is asked for now has to be there.
fn ends() -> tokio::time::Instant {
    let own = tokio::time::Instant::now() + PAGE_TIME;
    deadline().map_or(own, |around| around.min(own))
}

impl Inner {
    fn unkept(&self, made: Made, bodies: Bodies, began: Instant) -> Served {
        let (now, class) = (self.clock.now(), Class::Unkept);
        let entry = Entry::new(Parts {
            status: made.status,
            content_type: made.content_type,
            bodies,
            hash: hash_of(made.status, &made.body),
            stamp: [0; 16],
            class,
            own: true,
            times: Times::of(class, now, None, &self.lifetimes),
            tags: [].into(),
            positions: [].into(),
        });
        let took = began.elapsed();
        Served { entry: Arc::new(entry), how: How::Bypass, collapsed: false, now, took }
    }

    pub(super) fn look(&self, text: &str, now: u32) -> Look {
        let Some(entry) = self.memory.get(text) else { return Look::Nothing };
        let verdict = self.index.judge(&entry);
        let freshness = entry.freshness(now);
        match (verdict, freshness) {
            (Verdict::Unknown, _) => Look::Nothing,
            (Verdict::Gone, _) | (_, Freshness::Over) => {
                self.memory.remove(text, &entry.stamp);
                Look::Nothing
            }
            (Verdict::Good, Freshness::Fresh) if entry.class != Class::Former => Look::Fresh(entry),
            (Verdict::Good, _) => {
                let due = self.retry_is_due(&entry);
                Look::Stale { entry, due }
            }
            (Verdict::Soft(at), _) => {
                let elapsed = at.elapsed();
                let due = self.retry_is_due(&entry);
                if due && elapsed >= self.lifetimes.soft {
                    return Look::Pressing(entry);
                }
                Look::Stale { due: due && elapsed >= self.turn(text), entry }
            }
        }
    }

    /// Whether a page past its time may be served for want of a better one.
    pub(super) fn may_stand_in(&self, entry: &Entry) -> bool {
        matches!(self.index.judge(entry), Verdict::Good | Verdict::Soft(_))
            && entry.freshness(self.clock.now()) != Freshness::Over
    }

    fn retry_is_due(&self, entry: &Entry) -> bool {
        let retry_at = entry.uses.retry_at.load(Ordering::Relaxed);
        let now = self.clock.now_millis();
        // A pause that lies further ahead began before the clock went back.
        retry_at == 0 || now >= retry_at || retry_at > now + PAUSE_MS
    }

    /// When after a soft purge it is a key's turn: the more entries, the further apart.
    fn turn(&self, text: &str) -> Duration {
        let entries = u32::try_from(self.memory.len()).unwrap_or(u32::MAX);
        let spread = SPREAD.saturating_mul(entries).min(self.lifetimes.soft * 3 / 4);
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(text);
        spread.mul_f64((hash % 1024) as f64 / 1024.0)
    }

    fn hit(&self, key: &str, entry: Arc<Entry>, now: u32, began: Instant) -> Served {
        let how = match entry.class {
            Class::Partial | Class::Unkept => {
                self.metrics.bypasses.add(1);
                How::Bypass
            }
            _ => {
                self.count_hit(key, &entry, now);
                How::Hit
            }
        };
        Served { entry, how, collapsed: false, now, took: began.elapsed() }
    }

    pub(super) fn count_hit(&self, key: &str, entry: &Arc<Entry>, now: u32) {
        self.metrics.hits.add(1);
        self.metrics.hit_age.add(entry.age(now).into());
        self.improver.count(key, entry);
    }

    fn served(&self, landing: Landing, collapsed: bool, began: Instant) -> Served {
        let now = self.clock.now();
        let Landing { entry, how } = landing;
        let count = match how {
            How::Hit => &self.metrics.hits,
            How::Miss => &self.metrics.misses,
            How::Bypass => &self.metrics.bypasses,
            How::Stale => &self.metrics.stale,
        };
        count.add(1);
        match how {
            How::Hit => {
                self.metrics.hit_age.add(entry.age(now).into());
            }
            How::Stale => self.metrics.stale_age.record(f64::from(entry.age(now)), &[]),
            How::Miss | How::Bypass => {}
        }
        Served { entry, how, collapsed, now, took: began.elapsed() }
    }

    /// Makes a page anew behind its visitors, if a place is free and nobody does yet.
    fn refresh(self: &Arc<Self>, key: &Key, make: Arc<Make>, entry: Arc<Entry>) {
        let Ok(place) = self.refreshes.clone().try_acquire_owned() else { return };
        let Board::Lead(pilot) = self.flights.board(key.text()) else { return };
        let flight = Flight {
            inner: self.clone(),
            pilot,
            kind: key.kind(),
            key_tags: key.tags(),
            make,
            fallback: Some(entry),
            background: true,
            ends: tokio::time::Instant::now() + PAGE_TIME,
            _place: Some(place),
        };
        tokio::spawn(flight.run().in_current_span());
    }

    /// Takes part in the key's flight, or begins it.
    async fn fly(
        self: &Arc<Self>,
        key: &Key,
        make: Arc<Make>,
        fallback: Option<Arc<Entry>>,
        began: Instant,
        ends: tokio::time::Instant,
    ) -> Result<Served, MakeError> {
        for _ in 0..FLIGHTS {
            let (mut seat, collapsed) = match self.flights.board(key.text()) {
                Board::Join(seat) => (seat, true),
                Board::Lead(pilot) => {
                    let seat = pilot.seat();
                    // Between the look and this place another flight may have landed.
                    if fallback.is_none()
                        && let Look::Fresh(entry) = self.look(key.text(), self.clock.now())
                    {
                        return Ok(self.hit(key.text(), entry, self.clock.now(), began));
                    }
                    let flight = Flight {
                        inner: self.clone(),
                        pilot,
                        kind: key.kind(),
                        key_tags: key.tags(),
                        make: make.clone(),
                        fallback: fallback.clone(),
                        background: false,
                        ends: ends - LANDING,
                        _place: None,
                    };
                    tokio::spawn(flight.run().in_current_span());
                    (seat, false)
                }
            };
            let outcome: Option<Outcome> =
                seat.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
            // None: the flight was lost, another one begins.
            if let Some(outcome) = outcome {
                return outcome.map(|landing| self.served(landing, collapsed, began));
            }
        }
        Err(MakeError::Late)
    }
}
