//! Caches corporate events, which change rarely and are requested by many pages.

use std::{convert::Infallible, sync::Arc};

use quick_cache::sync::Cache;
use sahm_chassis::error::{Error, Result};

use crate::{
    domain::{CorporateEvent, DateRange, Security, SecurityCode},
    providers::QuoteProvider,
};

/// How long, in seconds, events are reused.
const LIFETIME: u32 = 600;

/// How long, in seconds, the provider is not called again after a failure.
const RETRY_DELAY: u32 = 30;

/// Maximum number of requests whose events are stored.
const MAX_ENTRIES: usize = 64;

type Key = (Vec<SecurityCode>, DateRange);

#[derive(Debug, Default)]
struct Entry {
    /// `None` if no request has succeeded yet.
    events: Option<Vec<CorporateEvent>>,
    /// Epoch seconds.
    valid_until: u32,
}

/// An entry, locked while the provider is called, so that concurrent callers share one request
/// unless the entry is evicted meanwhile.
type SharedEntry = Arc<tokio::sync::Mutex<Entry>>;

/// The events by request.
#[derive(Debug)]
pub(super) struct EventCache(Cache<Key, SharedEntry>);

impl Default for EventCache {
    fn default() -> EventCache {
        EventCache(Cache::new(MAX_ENTRIES))
    }
}

impl EventCache {
    /// Returns cached events. Expired ones are requested again, and returned stale if that fails.
    pub(super) async fn get(
        &self,
        provider: &dyn QuoteProvider,
        securities: Vec<Arc<Security>>,
        range: DateRange,
        now: u32,
    ) -> Result<Vec<CorporateEvent>> {
        let codes = securities.iter().map(|security| security.code.clone()).collect();
        let Ok(entry) = self
            .0
            .get_or_insert_with(&(codes, range), || Ok::<_, Infallible>(SharedEntry::default()));
        let mut entry = entry.lock().await;
        if now >= entry.valid_until {
            match provider.corporate_events(securities, range).await {
                Ok(events) => {
                    *entry = Entry { events: Some(events), valid_until: now + LIFETIME };
                }
                Err(error) => {
                    error.log();
                    entry.valid_until = now + RETRY_DELAY;
                }
            }
        }
        let unknown = || Error::unavailable("no corporate event is known");
        entry.events.clone().ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use futures_util::{FutureExt, poll};
    use jiff::{ToSpan, civil::date};

    use super::*;
    use crate::domain::Quote;

    const NOW: u32 = 1_795_186_800;

    /// A provider without events that counts its requests, and can fail and hang.
    #[derive(Default)]
    struct Scripted {
        requests: AtomicUsize,
        fails: AtomicBool,
        hangs: AtomicBool,
    }

    #[tonic::async_trait]
    impl QuoteProvider for Scripted {
        async fn quotes(&self, _: Vec<Arc<Security>>) -> Result<Vec<Quote>> {
            Ok(Vec::new())
        }

        async fn corporate_events(
            &self,
            _: Vec<Arc<Security>>,
            _: DateRange,
        ) -> Result<Vec<CorporateEvent>> {
            self.requests.fetch_add(1, Ordering::SeqCst);
            if self.hangs.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            let fails = self.fails.load(Ordering::SeqCst);
            if fails { Err(Error::unavailable("scripted")) } else { Ok(Vec::new()) }
        }
    }

    #[tokio::test]
    async fn provider_is_called_every_ten_minutes_and_less_often_while_it_fails() {
        struct Step {
            after: u32,
            fails: bool,
            requests: usize,
            is_known: bool,
        }
        let (cache, provider) = (EventCache::default(), Scripted::default());
        let range = DateRange { from: date(2026, 11, 26), to: date(2026, 12, 26) };
        for Step { after, fails, requests, is_known } in [
            Step { after: 0, fails: true, requests: 1, is_known: false },
            Step { after: 29, fails: false, requests: 1, is_known: false },
            Step { after: 30, fails: false, requests: 2, is_known: true },
            Step { after: 629, fails: true, requests: 2, is_known: true },
            Step { after: 630, fails: true, requests: 3, is_known: true },
            Step { after: 659, fails: false, requests: 3, is_known: true },
            Step { after: 660, fails: true, requests: 4, is_known: true },
        ] {
            provider.fails.store(fails, Ordering::SeqCst);
            let events = cache.get(&provider, Vec::new(), range, NOW + after).await;
            assert_eq!(events.is_ok(), is_known, "{after}");
            assert_eq!(provider.requests.load(Ordering::SeqCst), requests, "{after}");
        }
    }

    #[tokio::test]
    async fn stored_requests_are_bounded() {
        let (cache, provider) = (EventCache::default(), Scripted::default());
        for day in date(2026, 1, 1).series(1.day()).take(MAX_ENTRIES * 2) {
            let range = DateRange { from: day, to: day };
            cache.get(&provider, Vec::new(), range, NOW).await.unwrap();
            assert!(cache.0.len() <= MAX_ENTRIES);
        }
    }

    #[tokio::test]
    async fn requests_neither_wait_for_nor_replace_each_other() {
        let (cache, provider) = (EventCache::default(), Scripted::default());
        let [first, second] = [26, 27].map(|day| {
            let day = date(2026, 11, day);
            DateRange { from: day, to: day }
        });
        let get = |range, now| cache.get(&provider, Vec::new(), range, now);
        get(first, NOW).await.unwrap();
        provider.hangs.store(true, Ordering::SeqCst);
        let mut hanging = Box::pin(get(second, NOW));
        assert!(poll!(&mut hanging).is_pending());
        assert!(get(first, NOW).now_or_never().unwrap().is_ok());
        drop(hanging);
        provider.hangs.store(false, Ordering::SeqCst);
        get(second, NOW).await.unwrap();
        // Both are returned stale.
        provider.fails.store(true, Ordering::SeqCst);
        for range in [first, second, first] {
            assert!(get(range, NOW + LIFETIME).await.is_ok());
        }
    }
}
