//! Purges pages from the CDN in front of the gateway (docs/operations/cdn.md#purges).
//!
//! Every gateway sends the tags of each change after it has applied the change itself. This removes what the CDN
//! fetched from it before. The call is repeated to remove responses that were in transit to the CDN.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use http::{HeaderValue, header};
use opentelemetry::{
    KeyValue,
    metrics::{Counter, Histogram},
};
use sahm_chassis::{
    outbound::Outbound,
    settings::Endpoint,
    telemetry::{self, Observed},
};
use tokio::{
    sync::Notify,
    time::{Instant, sleep, sleep_until},
};

use crate::page_cache::{cdn::SURROGATE_KEY, key::ALL_PAGES};

/// Maximum size of the tags in one call, bytes: proxies limit the size of a header.
const MAX_CALL_BYTES: usize = 4096;
/// Maximum number of waiting tags; beyond it, all pages are purged instead.
const MAX_WAITING: usize = 1000;
/// Interval between two calls.
const MIN_INTERVAL: Duration = Duration::from_millis(200);
/// Delay before a successful purge is repeated: longer than a response takes to reach the CDN.
const REPEAT_AFTER: Duration = Duration::from_secs(2);
const CALL_TIMEOUT: Duration = Duration::from_secs(5);
const MIN_BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(10);
/// Changes that precede the start by more than this are not sent: no CDN stores a page for longer. Covers the lifetime
/// of a page and clock skew.
const MAX_AGE_SECONDS: u32 = 600;

/// The purges that the CDN has not confirmed.
#[derive(Debug)]
pub(crate) struct CdnPurges {
    outbound: Outbound,
    url: String,
    authorization: Option<HeaderValue>,
    /// Changes before this time affect no page in the CDN, epoch seconds.
    earliest: u32,
    queue: Mutex<Queue>,
    added: Notify,
    calls: Counter<u64>,
    delay: Histogram<f64>,
}

/// A tag to purge.
#[derive(Clone, Copy, Debug, Default)]
struct Purge {
    /// When it was purged here; `None` for a repetition.
    at: Option<Instant>,
    /// The same for the call in progress.
    sent_at: Option<Instant>,
    /// The tag is not sent before this time; `None` while a call with it is in progress.
    due: Option<Instant>,
}

impl Purge {
    /// When the oldest change was purged here that the CDN has not confirmed.
    fn oldest(&self) -> Option<Instant> {
        self.sent_at.or(self.at)
    }
}

#[derive(Debug, Default)]
struct Queue(BTreeMap<Box<str>, Purge>);

impl Queue {
    fn add(&mut self, tag: &str, now: Instant) {
        let purge = self.0.entry(tag.into()).or_default();
        // Keeps the earliest time.
        purge.at.get_or_insert(now);
        purge.due = Some(now);
        if self.0.values().filter_map(Purge::oldest).count() > MAX_WAITING {
            let all = Purge { at: self.oldest(), sent_at: None, due: Some(now) };
            self.0 = [(ALL_PAGES.into(), all)].into();
            tracing::warn!("too many tags to purge from the CDN: all pages are purged");
        }
    }

    /// The tags of the next call, as a header value.
    fn next(&mut self) -> String {
        let (mut text, now) = (String::new(), Instant::now());
        for (tag, purge) in &mut self.0 {
            let is_first = text.is_empty();
            let fits = is_first || text.len() + tag.len() < MAX_CALL_BYTES;
            if fits && purge.due.is_some_and(|due| due <= now) {
                if !is_first {
                    text.push(' ');
                }
                text.push_str(tag);
                purge.sent_at = purge.at.take();
                purge.due = None;
            }
        }
        text
    }

    /// Makes the tags of a failed call due again.
    fn restore(&mut self) {
        for purge in self.0.values_mut() {
            purge.at = purge.sent_at.take().or(purge.at);
            purge.due.get_or_insert_with(Instant::now);
        }
    }

    /// Ends a successful call, and makes its repetition due. Returns when the oldest of its tags was purged here.
    fn confirm(&mut self) -> Option<Instant> {
        let mut sent = Vec::new();
        let repeated = Instant::now() + REPEAT_AFTER;
        // A tag that was purged again during the call is due already.
        self.0.retain(|_, purge| {
            let (sent_at, is_due) = (purge.sent_at.take(), purge.due.is_some());
            purge.due.get_or_insert(repeated);
            sent.extend(sent_at);
            is_due || sent_at.is_some()
        });
        sent.into_iter().min()
    }

    fn oldest(&self) -> Option<Instant> {
        self.0.values().filter_map(Purge::oldest).min()
    }
}

impl CdnPurges {
    /// Purges by calls of this endpoint; `started_at` is the start of this process, epoch seconds.
    ///
    /// # Errors
    /// The token is not a valid header value, or the system's root certificates cannot be read.
    pub(crate) fn new(endpoint: &Endpoint, started_at: u32) -> anyhow::Result<Arc<Self>> {
        let authorization = endpoint.token.as_ref().map(|token| {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose()))?;
            value.set_sensitive(true);
            anyhow::Ok(value)
        });
        let purges = Arc::new(Self {
            outbound: Outbound::new("cdn", CALL_TIMEOUT)?,
            url: endpoint.url.clone(),
            authorization: authorization.transpose().context("SAHM_CDN_PURGE_TOKEN")?,
            earliest: started_at.saturating_sub(MAX_AGE_SECONDS),
            queue: Mutex::default(),
            added: Notify::new(),
            calls: telemetry::counter("cdn.purge_calls", "Calls that purge pages from the CDN"),
            delay: telemetry::seconds("cdn.purge_delay", "From a purge here to the CDN's response"),
        });
        Observed::of("cdn.purge_age", "Age of the oldest purge that the CDN has not confirmed")
            .in_unit("s")
            .gauge(Arc::downgrade(&purges), |purges| {
                purges.queue().oldest().map_or(0, |at| at.elapsed().as_secs())
            });
        Ok(purges)
    }

    /// Purges the tags of a change that was committed at `time`, epoch seconds.
    pub(crate) fn add(&self, tags: &[String], time: u32) {
        if time < self.earliest {
            return;
        }
        let (mut queue, now) = (self.queue(), Instant::now());
        for tag in tags {
            queue.add(tag, now);
        }
        drop(queue);
        self.added.notify_one();
    }

    /// Purges all pages.
    pub(crate) fn add_all(&self) {
        self.add(&[ALL_PAGES.to_owned()], u32::MAX);
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends purges for as long as the process runs.
    pub(crate) async fn run(self: Arc<Self>) {
        let mut retry = MIN_BACKOFF;
        loop {
            let tags = self.queue().next();
            if tags.is_empty() {
                self.wait().await;
                continue;
            }
            let result = self.call(&tags).await;
            let outcome = if result.is_ok() { "success" } else { "failure" };
            self.calls.add(1, &[KeyValue::new("outcome", outcome)]);
            match result {
                Ok(()) => {
                    retry = MIN_BACKOFF;
                    if let Some(oldest) = self.queue().confirm() {
                        self.delay.record(oldest.elapsed().as_secs_f64(), &[]);
                    }
                    sleep(MIN_INTERVAL).await;
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    tracing::warn!(error, "pages are not purged from the CDN, trying again");
                    self.queue().restore();
                    sleep(rand::random_range(retry / 2..retry)).await;
                    retry = (retry * 2).min(MAX_BACKOFF);
                }
            }
        }
    }

    /// Waits for a purge, or for a repetition to be due.
    async fn wait(&self) {
        let due = self.queue().0.values().filter_map(|purge| purge.due).min();
        let Some(due) = due else { return self.added.notified().await };
        tokio::select! {
            () = self.added.notified() => {}
            () = sleep_until(due) => {}
        }
    }

    async fn call(&self, tags: &str) -> anyhow::Result<()> {
        let mut request = self.outbound.post(&self.url).header(SURROGATE_KEY, tags);
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let response = self.outbound.send(request).await?;
        ensure!(response.status.is_success(), "the CDN returned {}", response.status);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn times(queue: &Queue) -> Vec<(&str, Option<Instant>)> {
        queue.0.iter().map(|(tag, purge)| (&**tag, purge.at)).collect()
    }

    #[test]
    fn a_call_takes_as_many_tags_as_fit_a_header() {
        let mut queue = Queue::default();
        for number in 0..600 {
            queue.add(&format!("news:{number:05}"), Instant::now());
        }
        let calls = [queue.next(), queue.next(), queue.next()];
        assert!(calls.iter().all(|call| call.len() <= MAX_CALL_BYTES));
        // With separators, 600 tags are 6,599 bytes.
        let tags = format!("{} {}", calls[0], calls[1]);
        let expected = (0..600).map(|number| format!("news:{number:05}")).collect::<Vec<_>>();
        assert_eq!((tags, &*calls[2]), (expected.join(" "), ""));
    }

    #[tokio::test]
    async fn changes_that_no_stored_page_can_predate_are_not_sent() {
        let endpoint = Endpoint { url: "http://cdn.test/purge".to_owned(), token: None };
        let purges = CdnPurges::new(&endpoint, 10_000).unwrap();
        let tags = |tag: &str| [tag.to_owned()];
        purges.add(&tags("news:1"), 10_000 - MAX_AGE_SECONDS - 1);
        purges.add(&tags("news:2"), 10_000 - MAX_AGE_SECONDS);
        assert_eq!(purges.queue().next(), "news:2");
    }

    #[test]
    fn too_many_tags_become_one_that_every_page_has() {
        let (mut queue, at) = (Queue::default(), Instant::now());
        for number in 0..=MAX_WAITING {
            queue.add(&format!("news:{number}"), at);
        }
        assert_eq!(times(&queue), [(ALL_PAGES, Some(at))]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_failed_call_keeps_its_tags_and_their_age() {
        let (mut queue, first) = (Queue::default(), Instant::now());
        queue.add("news:1", first);
        assert_eq!(queue.next(), "news:1");
        assert_eq!(queue.oldest(), Some(first));
        queue.restore();
        sleep(Duration::from_secs(1)).await;
        queue.add("news:1", Instant::now());
        assert_eq!(times(&queue), [("news:1", Some(first))]);
        assert_eq!(queue.next(), "news:1");
    }

    #[tokio::test(start_paused = true)]
    async fn a_confirmed_call_is_repeated_once() {
        let (mut queue, first) = (Queue::default(), Instant::now());
        queue.add("news:1", first);
        queue.add("news:2", first);
        assert_eq!(queue.next(), "news:1 news:2");
        // Purged again during the call, which may have removed only what was fetched before.
        sleep(Duration::from_secs(1)).await;
        let second = Instant::now();
        queue.add("news:2", second);
        assert_eq!(queue.oldest(), Some(first));
        assert_eq!(queue.confirm(), Some(first));
        assert_eq!(times(&queue), [("news:1", None), ("news:2", Some(second))]);
        assert_eq!(queue.next(), "news:2");
        assert_eq!((queue.confirm(), queue.next()), (Some(second), String::new()));
        sleep(REPEAT_AFTER).await;
        // A repetition never hides an unconfirmed change.
        queue.add("news:1", first);
        assert_eq!(times(&queue)[0], ("news:1", Some(first)));
        assert_eq!(queue.next(), "news:1 news:2");
        assert_eq!(queue.confirm(), Some(first));
        sleep(REPEAT_AFTER).await;
        assert_eq!((queue.next(), queue.confirm(), queue.0.len()), ("news:1".to_owned(), None, 0));
    }
}
