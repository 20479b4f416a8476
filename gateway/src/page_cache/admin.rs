//! Cache administration: metrics, stored entries, why they are or are not used, and purges by key.
//!
//! Keys are purged like anything else, through a service's change log
//! (`ChangeLogService.PurgeTags` with [`key_tag`](super::key_tag), [`path_tag`](super::path_tag)
//! or [`ALL_PAGES`](super::ALL_PAGES)), so that a purge reaches every gateway and both levels.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use sahm_chassis::rpc::Transport;
use sahm_proto::changes::v1::{
    PurgeTagsRequest, change_log_service_client::ChangeLogServiceClient,
};

use super::{
    cache::PageCache,
    entry::{Entry, Freshness},
};

/// Maximum number of tags in one `PurgeTags` call.
const MAX_TAGS: usize = 1000;

/// One stored entry and whether it is used.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Stored in this process, else in Redis.
    pub in_process: bool,
    pub entry: Arc<Entry>,
    /// Its freshness by lifetime alone.
    pub freshness: Freshness,
    /// Its validity by the purges: `valid`, `soft-purged`, `purged` or `unknown`.
    pub validity: &'static str,
}

impl PageCache {
    /// The counters since the start and the current sizes, by their names in the cache admin API.
    pub fn metrics(&self) -> BTreeMap<&'static str, u64> {
        let inner = &self.inner;
        let mut metrics = inner.metrics.by_name();
        let redis_errors = inner.remote.as_ref().map_or(0, |remote| remote.redis().errors());
        metrics.insert("redisErrors", redis_errors);
        metrics.insert("entries", inner.local.len() as u64);
        metrics.insert("bytes", inner.local.weight());
        metrics
    }

    /// Whether this gateway is connected to Redis; false without Redis.
    pub fn is_redis_up(&self) -> bool {
        self.inner.remote.as_ref().is_some_and(|remote| remote.redis().is_up())
    }

    /// The build whose pages are served until this build has rendered its own.
    pub fn previous_build(&self) -> Option<String> {
        self.inner.previous_build.load().as_deref().cloned()
    }

    /// Keys in either store that contain `part`, sorted; at most `limit`.
    pub async fn list(&self, part: &str, limit: usize) -> Vec<String> {
        let local = self.inner.local.iter();
        let mut keys: BTreeSet<String> = local.map(|(key, _)| key.to_string()).collect();
        if let Some(remote) = &self.inner.remote {
            keys.extend(remote.list(part, limit).await);
        }
        keys.into_iter().filter(|key| key.contains(part)).take(limit).collect()
    }

    /// The entry under a key in each store.
    pub async fn explain(&self, key: &str) -> Vec<Explanation> {
        let local = self.inner.local.peek(key).map(|entry| (true, entry));
        let remote = match &self.inner.remote {
            Some(remote) => remote.peek(key).await.map(|entry| (false, Arc::new(entry))),
            None => None,
        };
        let explanation = |(in_process, entry): (bool, Arc<Entry>)| Explanation {
            in_process,
            freshness: entry.freshness(self.inner.clock.now()),
            validity: self.inner.index.validate(&entry).into(),
            entry,
        };
        local.into_iter().chain(remote).map(explanation).collect()
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
        for tags in tags.chunks(MAX_TAGS) {
            client.purge_tags(PurgeTagsRequest { tags: tags.to_vec(), soft }).await?;
        }
        Ok(())
    }
}
