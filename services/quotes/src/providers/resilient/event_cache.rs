//! Caches corporate events, which change rarely and are requested by many pages.

use std::{collections::HashMap, sync::Arc};

use sahm_chassis::error::{Error, Result};
use tokio::sync::Mutex;

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

#[derive(Debug)]
struct Entry {
    /// `None` if no request has succeeded yet.
    events: Option<Vec<CorporateEvent>>,
    /// Epoch seconds.
    valid_until: u32,
}

/// The events by request.
#[derive(Debug, Default)]
pub(super) struct EventCache {
    /// Locked while the provider is called, so that concurrent callers share one request.
    entries: Mutex<HashMap<Key, Entry>>,
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
        let key: Key = (codes, range);
        let mut entries = self.entries.lock().await;
        let known = entries.get(&key);
        if let Some(entry) = known.filter(|entry| now < entry.valid_until) {
            return entry.events.clone().ok_or_else(unknown);
        }
        let entry = match provider.corporate_events(securities, range).await {
            Ok(events) => Entry { events: Some(events), valid_until: now + LIFETIME },
            Err(error) => {
                error.log();
                let events = known.and_then(|entry| entry.events.clone());
                Entry { events, valid_until: now + RETRY_DELAY }
            }
        };
        let events = entry.events.clone();
        entries.retain(|_, entry| now < entry.valid_until);
        if entries.len() >= MAX_ENTRIES {
            entries.clear();
        }
        entries.insert(key, entry);
        events.ok_or_else(unknown)
    }
}

fn unknown() -> Error {
    Error::unavailable("no corporate event is known")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use futures_util::future::BoxFuture;
    use jiff::{ToSpan, civil::date};

    use super::*;
    use crate::domain::Quote;

    const NOW: u32 = 1_795_186_800;

    /// A provider without events that counts its requests and can fail.
    #[derive(Default)]
    struct Scripted {
        requests: AtomicUsize,
        fails: AtomicBool,
    }

    impl QuoteProvider for Scripted {
        fn quotes(&self, _: Vec<Arc<Security>>) -> BoxFuture<'_, Result<Vec<Quote>>> {
            Box::pin(std::future::ready(Ok(Vec::new())))
        }

        fn corporate_events(
            &self,
            _: Vec<Arc<Security>>,
            _: DateRange,
        ) -> BoxFuture<'_, Result<Vec<CorporateEvent>>> {
            self.requests.fetch_add(1, Ordering::SeqCst);
            let fails = self.fails.load(Ordering::SeqCst);
            let events = if fails { Err(Error::unavailable("scripted")) } else { Ok(Vec::new()) };
            Box::pin(std::future::ready(events))
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
            assert!(cache.entries.lock().await.len() <= MAX_ENTRIES);
        }
    }
}
