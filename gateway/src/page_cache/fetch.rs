//! Serves requests from the cache: a stored page, a shared fill, or a stale page while a fill runs in the background.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use sahm_chassis::rpc::{deadline, with_deadline};
use tokio::time::{timeout, timeout_at};

use super::{
    cache::{Inner, Lookup, PageCache},
    compress,
    entry::{Bodies, Entry, EntryData, EntryKind, Times},
    fill::Fill,
    key::Key,
    metrics::Counter,
    origin::{FillContext, Origin, OriginError, OriginResponse},
    status::{CacheStatus, FillResult, ServedPage},
};
use crate::{content_encoding::ContentEncoding, single_flight::Role};

/// Time limit of a page, from its request to its response (docs/limits-and-timeouts.md).
pub(crate) const PAGE_TIME: Duration = Duration::from_secs(3);
/// Maximum number of fills that one request waits for.
const MAX_FILLS: u32 = 3;
/// How long a visitor waits for the refresh of an overdue page before the stale one is served.
const OVERDUE_WAIT: Duration = Duration::from_secs(1);
/// Time that a fill reserves for handing its result to the waiting requests.
const HANDOVER: Duration = Duration::from_millis(50);

impl PageCache {
    /// Returns the page of a key: a stored one, or the response of `origin`.
    ///
    /// `origin` runs in a separate task and serves every concurrent request for the key, so it must depend on the key
    /// only. Its time limit is the caller's deadline ([`with_deadline`]), at most [`PAGE_TIME`].
    ///
    /// # Errors
    /// The origin failed or timed out, and there is no stale page.
    pub async fn fetch<M>(&self, key: &Key, origin: M) -> Result<ServedPage, OriginError>
    where
        M: Fn(FillContext) -> BoxFuture<'static, Result<OriginResponse, OriginError>>
            + Send
            + Sync
            + 'static,
    {
        let (inner, began, ends) = (&self.inner, Instant::now(), deadline_of_page());
        let stale = |entry| FillResult { entry, cache_status: CacheStatus::Stale };
        match inner.lookup(key.text(), inner.clock.now()) {
            Lookup::Fresh(entry) => Ok(inner.hit(key.text(), entry, began)),
            Lookup::Stale { entry, due } => {
                if due {
                    inner.refresh(key, Arc::new(origin), entry.clone());
                }
                Ok(inner.served(stale(entry), false, began))
            }
            Lookup::Overdue(entry) => {
                let fill =
                    inner.fill_or_join(key, Arc::new(origin), Some(entry.clone()), began, ends);
                // The fill continues in its task.
                let late = |_| Ok(inner.served(stale(entry), false, began));
                timeout(OVERDUE_WAIT, fill).await.unwrap_or_else(late)
            }
            Lookup::Miss => {
                let fill = inner.fill_or_join(key, Arc::new(origin), None, began, ends);
                timeout_at(ends, fill).await.unwrap_or(Err(OriginError::Late))
            }
        }
    }

    /// Whether this process has a page to serve for a key.
    pub(crate) fn holds(&self, key: &Key) -> bool {
        !matches!(self.inner.lookup(key.text(), self.inner.clock.now()), Lookup::Miss)
    }

    /// Returns a page that is never stored: members' pages, searches, cursors. Its body is compressed unless it is in
    /// `coding` already.
    ///
    /// # Errors
    /// The origin failed or did not finish within [`PAGE_TIME`].
    pub async fn bypass(
        &self,
        coding: ContentEncoding,
        origin: impl Future<Output = Result<OriginResponse, OriginError>>,
    ) -> Result<ServedPage, OriginError> {
        let began = Instant::now();
        self.inner.metrics.add(Counter::Bypasses, 1);
        // A panic fails this page only.
        let outcome = with_deadline(PAGE_TIME, AssertUnwindSafe(origin).catch_unwind()).await;
        let Ok(Ok(page)) = outcome else { return Err(OriginError::Late) };
        let mut page = page?;
        if page.coding == ContentEncoding::Identity
            && let Some(encoded) = compress::one(page.body.clone(), coding).await
        {
            (page.body, page.coding) = (encoded, coding);
        }
        Ok(self.uncacheable(page, began))
    }

    /// Wraps a complete response, which is neither stored nor compressed.
    pub(crate) fn uncached(&self, response: OriginResponse) -> ServedPage {
        self.uncacheable(response, Instant::now())
    }

    fn uncacheable(&self, response: OriginResponse, began: Instant) -> ServedPage {
        let Inner { clock, lifetimes, .. } = &*self.inner;
        let (now, kind) = (clock.now(), EntryKind::Uncacheable);
        let entry = Entry::new(EntryData {
            status: response.status,
            content_type: response.content_type,
            bodies: Bodies::of(response.coding, response.body),
            // Responses that are not stored have no entity tag.
            hash: [0; 16],
            fill_id: [0; 16],
            kind,
            own: true,
            times: Times::of(kind, now, None, lifetimes),
            tags: [].into(),
            positions: [].into(),
        });
        let result = FillResult { entry: Arc::new(entry), cache_status: CacheStatus::Bypass };
        ServedPage::new(result, false, now, began)
    }
}

/// The deadline of a page that is requested now.
fn deadline_of_page() -> tokio::time::Instant {
    let own = tokio::time::Instant::now() + PAGE_TIME;
    deadline().map_or(own, |around| around.min(own))
}

impl Inner {
    /// Refreshes a page in the background, unless it is already being refreshed or too many refreshes run.
    fn refresh(self: &Arc<Self>, key: &Key, origin: Arc<Origin>, entry: Arc<Entry>) {
        let Ok(permit) = self.refreshes.clone().try_acquire_owned() else { return };
        let Role::Leader(leader) = self.fills.join(key.text()) else { return };
        let fill = Fill {
            inner: self.clone(),
            leader,
            key: key.clone(),
            origin,
            fallback: Some(entry),
            ends: tokio::time::Instant::now() + PAGE_TIME,
            _refresh: Some(permit),
        };
        fill.start();
    }

    /// Joins the key's fill, or starts it.
    async fn fill_or_join(
        self: &Arc<Self>,
        key: &Key,
        origin: Arc<Origin>,
        fallback: Option<Arc<Entry>>,
        began: Instant,
        ends: tokio::time::Instant,
    ) -> Result<ServedPage, OriginError> {
        for _ in 0..MAX_FILLS {
            let (waiter, collapsed) = match self.fills.join(key.text()) {
                Role::Waiter(waiter) => (waiter, true),
                Role::Leader(leader) => {
                    let waiter = leader.waiter();
                    // Another fill may have completed since the lookup.
                    if fallback.is_none()
                        && let Lookup::Fresh(entry) = self.lookup(key.text(), self.clock.now())
                    {
                        return Ok(self.hit(key.text(), entry, began));
                    }
                    let fill = Fill {
                        inner: self.clone(),
                        leader,
                        key: key.clone(),
                        origin: origin.clone(),
                        fallback: fallback.clone(),
                        ends: ends - HANDOVER,
                        _refresh: None,
                    };
                    fill.start();
                    (waiter, false)
                }
            };
            // `None`: the fill's task ended without a result, so another one starts.
            if let Some(outcome) = waiter.result().await {
                return outcome.map(|result| self.served(result, collapsed, began));
            }
        }
        Err(OriginError::Late)
    }
}
