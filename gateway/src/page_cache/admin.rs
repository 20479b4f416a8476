//! The operators' view: what is stored, why it is or is not used, and purges by key.
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
    cache::PageCache,
    entry::{Entry, EntryKind, Freshness, LogPosition, Times},
    invalidation::index::Validity,
};

/// The most tags of one `PurgeTags` call.
const TAGS: usize = 1000;

/// The counters of the cache since its start, and its present size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CacheMetrics {
    /// Fresh stored pages.
    pub hits: u64,
    /// Stale pages.
    pub stale: u64,
    /// Pages produced for a request.
    pub misses: u64,
    /// Pages not stored.
    pub bypasses: u64,
    /// Fills that failed.
    pub failures: u64,
    /// Calls of the origin.
    pub makes: u64,
    /// Bodies compressed.
    pub compressions: u64,
    /// Fills that waited for another gateway.
    pub lease_waits: u64,
    /// Responses of the origin that were purged meanwhile.
    pub purged_in_flight: u64,
    /// Calls of Redis that failed or came too late.
    pub redis_errors: u64,
    /// Entries in process.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// One stored entry and whether it is used.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Stored in this process, else in Redis.
    pub in_process: bool,
    /// Where it may be stored.
    pub kind: EntryKind,
    /// Its moments.
    pub times: Times,
    /// By its time alone.
    pub freshness: Freshness,
    /// What purges make of it: `good`, `soft`, `gone` or `unknown`.
    pub validity: &'static str,
    /// Its tags.
    pub tags: Vec<String>,
    /// The log positions at its creation.
    pub positions: Vec<LogPosition>,
    /// Bytes of brotli and gzip.
    pub bytes: (usize, usize),
}

impl PageCache {
    /// Counters and size.
    pub fn metrics(&self) -> CacheMetrics {
        let (metrics, local) = (&self.inner.metrics, &self.inner.local);
        CacheMetrics {
            hits: metrics.hits.get(),
            stale: metrics.stale.get(),
            misses: metrics.misses.get(),
            bypasses: metrics.bypasses.get(),
            failures: metrics.failures.get(),
            makes: metrics.makes.get(),
            compressions: metrics.compressions.get(),
            lease_waits: metrics.lease_waits.get(),
            purged_in_flight: metrics.purged_in_flight.get(),
            redis_errors: self.inner.remote.as_ref().map_or(0, |remote| remote.redis().errors()),
            entries: local.len() as u64,
            bytes: local.bytes(),
        }
    }

    /// Whether Redis answers, as far as is known; false without one.
    pub fn redis_answers(&self) -> bool {
        self.inner.remote.as_ref().is_some_and(|remote| remote.redis().is_up())
    }

    /// The build whose pages are served where this one has none yet.
    pub fn previous_build(&self) -> Option<String> {
        self.inner.previous_build.load_full().map(|previous_build| (*previous_build).clone())
    }

    /// Key texts in either store that contain `part`, sorted; at most `limit`.
    pub async fn list(&self, part: &str, limit: usize) -> Vec<String> {
        let own = self.inner.local.list().into_iter().map(|(text, _)| text.to_string());
        let mut texts: BTreeSet<String> = own.collect();
        if let Some(remote) = &self.inner.remote {
            texts.extend(remote.list(limit.saturating_mul(10).max(10_000)).await);
        }
        texts.into_iter().filter(|text| text.contains(part)).take(limit).collect()
    }

    /// What each store holds under a key text.
    pub async fn explain(&self, text: &str) -> Vec<Explanation> {
        let own = self.inner.local.peek(text);
        let mut found: Vec<_> = own.iter().map(|entry| self.explanation(entry, true)).collect();
        if let Some(remote) = &self.inner.remote
            && let Some(entry) = remote.peek(text).await
        {
            found.push(self.explanation(&entry, false));
        }
        found
    }

    /// Purges tags everywhere, through the change log behind `log`.
    ///
    /// # Errors
    /// The service's status.
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
            kind: entry.kind,
            times: entry.times,
            freshness: entry.freshness(self.inner.clock.now()),
            validity: match self.inner.index.validate(entry) {
                Validity::Valid => "valid",
                Validity::SoftPurged(_) => "soft-purged",
                Validity::Purged => "purged",
                Validity::Unknown => "unknown",
            },
            tags: entry.tags.iter().map(|tag| tag.to_string()).collect(),
            positions: entry.positions.to_vec(),
            bytes: (length(&entry.bodies.brotli), length(&entry.bodies.gzip)),
        }
    }
}
