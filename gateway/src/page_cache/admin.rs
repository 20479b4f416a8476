//! An operator's view: what is stored, why it is or is not used, and purging by key.
//!
//! Keys are purged like anything else, through a service's change log
//! (`ChangeLogService.PurgeTags` with [`key_tag`](super::key_tag), [`path_tag`](super::path_tag)
//! or [`ALL_PAGES`](super::ALL_PAGES)), so that it reaches every gateway and both levels.

use std::collections::BTreeSet;

use sahm_chassis::rpc::Transport;
use sahm_proto::changes::v1::{
    PurgeTagsRequest, change_log_service_client::ChangeLogServiceClient,
};

use super::{
    PageCache,
    entry::{Class, Entry, Freshness, LogPosition, Times},
    purge::Verdict,
};

/// The most tags of one `PurgeTags` call.
const TAGS: usize = 1000;

/// The cache's figures since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Fresh pages from a level.
    pub hits: u64,
    /// Pages past their time.
    pub stale: u64,
    /// Pages made for a visitor.
    pub misses: u64,
    /// Pages not kept.
    pub bypasses: u64,
    /// Flights that brought nothing.
    pub failures: u64,
    /// Calls of makers.
    pub makes: u64,
    /// Bodies compressed.
    pub compressions: u64,
    /// Flights that waited for another gateway's.
    pub lease_waits: u64,
    /// Makings that a purge outran.
    pub purged_in_flight: u64,
    /// Calls of Redis that failed or came too late.
    pub redis_errors: u64,
    /// Entries in process.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// One stored entry and what is thought of it.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Stored in this process, else in Redis.
    pub in_process: bool,
    /// What it is.
    pub class: Class,
    /// Its moments.
    pub times: Times,
    /// By its time alone.
    pub freshness: Freshness,
    /// What purges make of it: `good`, `soft`, `gone` or `unknown`.
    pub purges: &'static str,
    /// Its tags.
    pub tags: Vec<String>,
    /// What it was made under.
    pub positions: Vec<LogPosition>,
    /// Bytes of brotli and gzip.
    pub bytes: (usize, usize),
}

impl PageCache {
    /// Figures since the start.
    pub fn figures(&self) -> Figures {
        let (metrics, memory) = (&self.inner.metrics, &self.inner.memory);
        Figures {
            hits: metrics.hits.get(),
            stale: metrics.stale.get(),
            misses: metrics.misses.get(),
            bypasses: metrics.bypasses.get(),
            failures: metrics.failures.get(),
            makes: metrics.makes.get(),
            compressions: metrics.compressions.get(),
            lease_waits: metrics.lease_waits.get(),
            purged_in_flight: metrics.purged_in_flight.get(),
            redis_errors: self.inner.shared.as_ref().map_or(0, |shared| shared.redis().errors()),
            entries: memory.len() as u64,
            bytes: memory.bytes(),
        }
    }

    /// Whether Redis answers, as far as is known; false without one.
    pub fn redis_answers(&self) -> bool {
        self.inner.shared.as_ref().is_some_and(|shared| shared.redis().is_up())
    }

    /// The build whose pages stand in where this one has none yet.
    pub fn former_build(&self) -> Option<String> {
        self.inner.former.load_full().map(|former| (*former).clone())
    }

    /// Key texts in either level that contain `part`, sorted; at most `limit`.
    pub async fn list(&self, part: &str, limit: usize) -> Vec<String> {
        let own = self.inner.memory.list().into_iter().map(|(text, _)| text.to_string());
        let mut texts: BTreeSet<String> = own.collect();
        if let Some(shared) = &self.inner.shared {
            texts.extend(shared.list(limit.saturating_mul(10).max(10_000)).await);
        }
        texts.into_iter().filter(|text| text.contains(part)).take(limit).collect()
    }

    /// What each level holds under a key text.
    pub async fn explain(&self, text: &str) -> Vec<Explanation> {
        let own = self.inner.memory.peek(text);
        let mut found: Vec<_> = own.iter().map(|entry| self.explanation(entry, true)).collect();
        if let Some(shared) = &self.inner.shared
            && let Some(entry) = shared.peek(text).await
        {
            found.push(self.explanation(&entry, false));
        }
        found
    }

    /// Purges tags everywhere, through the change log behind `log`.
    ///
    /// Errors: the service's status.
    pub async fn purge_tags(
        log: Transport,
        tags: &[String],
        soft: bool,
    ) -> Result<(), tonic::Status> {
        let mut client = ChangeLogServiceClient::new(log);
        for tags in tags.chunks(TAGS) {
            client.purge_tags(PurgeTagsRequest { tags: tags.to_vec(), soft }).await?;
        }
        Ok(())
    }

    fn explanation(&self, entry: &Entry, in_process: bool) -> Explanation {
        let length = |body: &Option<bytes::Bytes>| body.as_ref().map_or(0, |body| body.len());
        Explanation {
            in_process,
            class: entry.class,
            times: entry.times,
            freshness: entry.freshness(self.inner.clock.now()),
            purges: match self.inner.index.judge(entry) {
                Verdict::Good => "good",
                Verdict::Soft(_) => "soft",
                Verdict::Gone => "gone",
                Verdict::Unknown => "unknown",
            },
            tags: entry.tags.iter().map(|tag| tag.to_string()).collect(),
            positions: entry.positions.to_vec(),
            bytes: (length(&entry.bodies.brotli), length(&entry.bodies.gzip)),
        }
    }
}
