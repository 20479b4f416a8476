//! Answering from the cache: a stored page, a fill that is shared with others, or a stale page while a fill
//! runs in the background.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use sahm_chassis::rpc::{deadline, with_deadline};
use tokio::time::{timeout, timeout_at};
use tracing::Instrument;

use super::{
    cache::{Inner, Lookup, PageCache},
    entry::{Bodies, Entry},
    fill::{
        Fill,
        origin::{FillContext, Origin, OriginError, OriginResponse},
        single_flight::{FillResult, Outcome, Role},
    },
    key::Key,
    status::{CacheStatus, Served},
};
use crate::content_encoding::ContentEncoding;

/// Time limit of a page, from its request to its response (docs/limits-and-timeouts.md).
pub(crate) const PAGE_TIME: Duration = Duration::from_secs(3);
/// Fills that one request waits for before it gives up.
const MAX_FILLS: u32 = 3;
/// How long a visitor waits for the refresh of an overdue page before the stale one is served.
const OVERDUE_WAIT: Duration = Duration::from_secs(1);
/// Time that a fill leaves for its result to reach the requests that wait for it.
const HANDOVER: Duration = Duration::from_millis(50);

impl PageCache {
    /// Returns the page of a key: a stored one, or the response of `origin`.
    ///
    /// `origin` runs in a task of its own and serves every request for the key meanwhile, so it may depend on
    /// nothing but the key. Its time limit is the caller's deadline ([`with_deadline`]), at most [`PAGE_TIME`].
    ///
    /// # Errors
    /// The origin failed or was not done in time, and there is no stale page.
    pub async fn fetch<M>(&self, key: &Key, origin: M) -> Result<Served, OriginError>
    where
        M: Fn(FillContext) -> BoxFuture<'static, Result<OriginResponse, OriginError>>
            + Send
            + Sync
            + 'static,
    {
        let (began, ends) = (Instant::now(), deadline_of_page());
        let inner = &self.inner;
        let now = inner.clock.now();
        let fallback = match inner.lookup(key.text(), now) {
            Lookup::Fresh(entry) => return Ok(inner.hit(key.text(), entry, now, began)),
            Lookup::Stale { entry, due } => {
                if due {
                    inner.refresh(key, Arc::new(origin), entry.clone());
                }
                let result = FillResult { entry, cache_status: CacheStatus::Stale };
                return Ok(inner.served(result, false, began));
            }
            Lookup::Overdue(entry) => Some(entry),
            Lookup::Miss => None,
        };
        let Some(entry) = fallback else {
            let fill = inner.fill_or_join(key, Arc::new(origin), None, began, ends);
            return timeout_at(ends, fill).await.unwrap_or(Err(OriginError::Late));
        };
        let fill = inner.fill_or_join(key, Arc::new(origin), Some(entry.clone()), began, ends);
        match timeout(OVERDUE_WAIT, fill).await {
            Ok(result) => result,
            // The fill continues in its task.
            Err(_) => Ok(inner.served(
                FillResult { entry, cache_status: CacheStatus::Stale },
                false,
                began,
            )),
        }
    }

    /// Whether this process has a page to serve for a key.
    pub(crate) fn holds(&self, key: &Key) -> bool {
        !matches!(self.inner.lookup(key.text(), self.inner.clock.now()), Lookup::Miss)
    }

    /// Returns a page that is never stored: members' pages, searches, cursors. Only the requested encoding is
    /// produced.
    ///
    /// # Errors
    /// The origin failed or was not done within [`PAGE_TIME`].
    pub async fn bypass(
        &self,
        coding: ContentEncoding,
        origin: impl Future<Output = Result<OriginResponse, OriginError>>,
    ) -> Result<Served, OriginError> {
        let began = Instant::now();
        let inner = &self.inner;
        inner.metrics.bypasses.add(1);
        // A panic costs this page only.
        let outcome = with_deadline(PAGE_TIME, AssertUnwindSafe(origin).catch_unwind()).await;
        let Ok(Ok(response)) = outcome else { return Err(OriginError::Late) };
        let response = response?;
        let mut bodies = inner.encoder.one(response.body.clone(), coding).await;
        if bodies == Bodies::default() {
            bodies.identity = Some(response.body.clone());
        }
        Ok(inner.uncacheable(response, bodies, began))
    }

    /// Wraps a response that is there already: neither stored nor compressed.
    pub(crate) fn uncached(&self, response: OriginResponse) -> Served {
        let bodies = Bodies { identity: Some(response.body.clone()), ..Bodies::default() };
        self.inner.uncacheable(response, bodies, Instant::now())
    }

    /// Wraps a response whose body is in an encoding already: not stored either.
    pub(crate) fn encoded(
        &self,
        response: OriginResponse,
        coding: ContentEncoding,
        began: Instant,
    ) -> Served {
        self.inner.metrics.bypasses.add(1);
        let (body, mut bodies) = (Some(response.body.clone()), Bodies::default());
        match coding {
            ContentEncoding::Brotli => bodies.brotli = body,
            ContentEncoding::Gzip => bodies.gzip = body,
            ContentEncoding::Identity => bodies.identity = body,
        }
        self.inner.uncacheable(response, bodies, began)
    }
}

/// The deadline of a page that is requested now.
fn deadline_of_page() -> tokio::time::Instant {
    let own = tokio::time::Instant::now() + PAGE_TIME;
    deadline().map_or(own, |around| around.min(own))
}

impl Inner {
    /// Refreshes a page in the background, unless its refresh runs already or too many do.
    fn refresh(self: &Arc<Self>, key: &Key, origin: Arc<Origin>, entry: Arc<Entry>) {
        let Ok(permit) = self.refreshes.clone().try_acquire_owned() else { return };
        let Role::Leader(leader) = self.fills.join(key.text()) else { return };
        let fill = Fill {
            inner: self.clone(),
            leader,
            key_kind: key.kind(),
            key_tags: key.tags(),
            origin,
            fallback: Some(entry),
            background: true,
            ends: tokio::time::Instant::now() + PAGE_TIME,
            _permit: Some(permit),
        };
        tokio::spawn(fill.run().in_current_span());
    }

    /// Joins the key's fill, or starts it.
    async fn fill_or_join(
        self: &Arc<Self>,
        key: &Key,
        origin: Arc<Origin>,
        fallback: Option<Arc<Entry>>,
        began: Instant,
        ends: tokio::time::Instant,
    ) -> Result<Served, OriginError> {
        for _ in 0..MAX_FILLS {
            let (mut waiter, collapsed) = match self.fills.join(key.text()) {
                Role::Waiter(waiter) => (waiter, true),
                Role::Leader(leader) => {
                    let waiter = leader.waiter();
                    // Another fill may have completed since the lookup.
                    if fallback.is_none()
                        && let Lookup::Fresh(entry) = self.lookup(key.text(), self.clock.now())
                    {
                        return Ok(self.hit(key.text(), entry, self.clock.now(), began));
                    }
                    let fill = Fill {
                        inner: self.clone(),
                        leader,
                        key_kind: key.kind(),
                        key_tags: key.tags(),
                        origin: origin.clone(),
                        fallback: fallback.clone(),
                        background: false,
                        ends: ends - HANDOVER,
                        _permit: None,
                    };
                    tokio::spawn(fill.run().in_current_span());
                    (waiter, false)
                }
            };
            let outcome: Option<Outcome> =
                waiter.wait_for(Option::is_some).await.ok().and_then(|outcome| outcome.clone());
            // None: the fill's task ended without a result. Another one starts.
            if let Some(outcome) = outcome {
                return outcome.map(|result| self.served(result, collapsed, began));
            }
        }
        Err(OriginError::Late)
    }
}
