//! Assets of recent builds in Redis, so that pages work during rollouts in either direction (docs/redirects.md).

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use redis::{AsyncCommands, FromRedisValue, Pipeline, aio::MultiplexedConnection};
use sahm_chassis::{clock, lifecycle::Lifecycle, settings::Secret};
use tokio::time::{Instant, sleep, timeout};

use super::{
    asset_signer::AssetSigner,
    file_cache::{FileCache, file_cache},
    response::File,
    static_assets::FileMap,
};
use crate::{
    limits::REDIS_TIMEOUT_PAGE,
    redis_connection::{Redis, RedisCall},
};

/// Time to live of an asset in Redis.
const TTL_SECONDS: i64 = 7 * 24 * 3600;
/// Interval at which the time to live is renewed.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(24 * 3600);
/// Interval of the check that Redis still has the assets; it may have been flushed.
const CHECK_INTERVAL: Duration = Duration::from_secs(30);
/// Interval of polling for assets that other builds have published.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Key of the sorted set with the asset names of all builds; the score is the epoch second of the last publication.
const NAMES_KEY: &str = "sahm:assets";
/// How long startup waits for Redis.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(1);
/// Timeout of a command that no request waits for.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);
/// Capacity of the cache of other builds' assets, in bytes.
const CACHE_BYTES: u64 = 32 << 20;
/// Maximum size of the prefetched assets, in bytes.
const MAX_PREFETCH_BYTES: u64 = CACHE_BYTES / 2;

/// The assets of this and other builds in Redis.
#[derive(Clone)]
pub(super) struct SharedAssets {
    redis: Arc<Redis>,
    signer: Arc<AssetSigner>,
    others: Arc<FileCache>,
}

impl SharedAssets {
    /// `keys` are the session keys.
    pub(super) fn new(redis: Arc<Redis>, keys: Vec<Secret<String>>) -> Self {
        let signer = Arc::new(AssetSigner::new(keys));
        Self { redis, signer, others: Arc::new(file_cache(CACHE_BYTES)) }
    }

    /// Publishes this build's assets as soon as Redis responds, renews their time to live, and prefetches the assets
    /// that other builds publish.
    pub(super) async fn publish(&self, own: Arc<FileMap>, lifecycle: &Lifecycle) {
        let mut is_up = self.redis.watch();
        let is_up = timeout(STARTUP_TIMEOUT, is_up.wait_for(|is_up| *is_up))
            .await
            .is_ok_and(|up| up.is_ok());
        let mut renewed = None;
        if is_up && self.upload(&own).await.is_some() {
            renewed = Some(Instant::now());
        } else {
            tracing::warn!("redis is unavailable, assets are published later");
        }
        let (shared, ours) = (self.clone(), own.clone());
        lifecycle.spawn_until_drain("other builds' assets", async move {
            shared.prefetch_published(&ours).await;
        });
        let shared = self.clone();
        lifecycle.spawn_until_drain("shared assets", async move {
            loop {
                sleep(if renewed.is_some() { CHECK_INTERVAL } else { STARTUP_TIMEOUT }).await;
                let due = renewed.is_none_or(|at: Instant| at.elapsed() >= RENEWAL_INTERVAL);
                let is_complete = shared.missing(&own).await.map(|missing| missing == 0 && !due);
                if is_complete == Some(false) && shared.upload(&own).await.is_some() {
                    renewed = Some(Instant::now());
                }
            }
        });
    }

    /// A cached asset of another build.
    pub(super) fn known(&self, name: &str) -> Option<Arc<File>> {
        self.others.get(name)
    }

    /// An asset of another build; also `None` if Redis does not respond in time.
    pub(super) async fn find(&self, name: &str) -> Option<Arc<File>> {
        self.load(name, REDIS_TIMEOUT_PAGE).await?
    }

    async fn load(&self, name: &str, limit: Duration) -> Option<Option<Arc<File>>> {
        let load = |mut redis: MultiplexedConnection| async move { redis.hgetall(key(name)).await };
        let fields = self.redis.call(RedisCall::Command("HGETALL"), limit, load);
        let mut fields: HashMap<String, Vec<u8>> = fields.await?;
        let Some(body) = fields.remove("body") else { return Some(None) };
        let mut file = File::new(name, body.into());
        file.br = fields.remove("br").map(Bytes::from);
        file.gzip = fields.remove("gzip").map(Bytes::from);
        let mac = fields.remove("mac").unwrap_or_default();
        if !self.signer.verify(name, &file, &mac) {
            tracing::warn!(name, "an asset in redis without a valid signature is ignored");
            return Some(None);
        }
        let file = Arc::new(file);
        self.others.insert(name.to_owned(), file.clone());
        Some(Some(file))
    }

    /// Prefetches other builds' assets after each publication. During a rollout, the request for the styles of a page
    /// may reach a gateway of the other build, and its timeout is too short for a slow Redis.
    async fn prefetch_published(&self, own: &FileMap) {
        let mut prefetched = Published::default();
        loop {
            if let Some(published) = self.published().await
                && published != prefetched
                && self.prefetch(own).await.is_some()
            {
                prefetched = published;
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    async fn published(&self) -> Option<Published> {
        let mut pipeline = redis::pipe();
        pipeline.zcard(NAMES_KEY);
        pipeline.cmd("ZRANGE").arg(NAMES_KEY).arg(0).arg(0).arg("REV").arg("WITHSCORES");
        self.pipeline("PIPELINE", pipeline).await
    }

    /// Loads assets of other builds that are not cached, the most recently published first.
    async fn prefetch(&self, own: &FileMap) -> Option<()> {
        let mut names = redis::cmd("ZRANGE");
        names.arg(NAMES_KEY).arg(0).arg(-1).arg("REV");
        let list = |mut redis| async move { names.query_async(&mut redis).await };
        let names: Vec<String> =
            self.redis.call(RedisCall::Command("ZRANGE"), COMMAND_TIMEOUT, list).await?;
        let mut bytes = 0;
        for name in names.iter().filter(|name| !own.contains_key(*name)) {
            let file = match self.known(name) {
                Some(file) => Some(file),
                None => self.load(name, COMMAND_TIMEOUT).await?,
            };
            bytes += file.map_or(0, |file| file.weight() as u64);
            if bytes > MAX_PREFETCH_BYTES {
                break;
            }
        }
        Some(())
    }

    /// The number of this build's assets that are missing in Redis.
    async fn missing(&self, own: &FileMap) -> Option<usize> {
        if own.is_empty() {
            return Some(0);
        }
        let names = own.keys().map(|name| key(name)).collect::<Vec<_>>();
        let count = |mut redis: MultiplexedConnection| async move { redis.exists(names).await };
        let there: usize =
            self.redis.call(RedisCall::Command("EXISTS"), COMMAND_TIMEOUT, count).await?;
        Some(own.len().saturating_sub(there))
    }

    /// Writes assets that are missing or not signed with the newest key, and renews the time to live of all assets.
    async fn upload(&self, own: &FileMap) -> Option<()> {
        for (name, file) in own {
            let mac = self.signer.sign(name, file);
            let mut renew = redis::pipe();
            renew.hget(key(name), "mac").expire(key(name), TTL_SECONDS).ignore();
            let (stored,): (Option<Vec<u8>>,) = self.pipeline("PIPELINE", renew).await?;
            if stored.is_some_and(|stored| stored == mac) {
                continue;
            }
            let mut fields = vec![("mac", &*mac), ("body", file.identity.as_ref())];
            fields.extend(file.br.as_deref().map(|body| ("br", body)));
            fields.extend(file.gzip.as_deref().map(|body| ("gzip", body)));
            let mut write = redis::pipe();
            write.atomic().del(key(name)).ignore();
            write.hset_multiple(key(name), &fields).ignore();
            write.expire(key(name), TTL_SECONDS).ignore();
            self.pipeline::<()>("MULTI", write).await?;
        }
        self.publish_names(own).await?;
        tracing::info!(assets = own.len(), "assets published");
        Some(())
    }

    /// Adds the names of the assets to the sorted set that gateways of other builds poll.
    async fn publish_names(&self, own: &FileMap) -> Option<()> {
        if own.is_empty() {
            return Some(());
        }
        let now = i64::from(clock::now());
        let names = own.keys().map(|name| (now, name)).collect::<Vec<_>>();
        let mut write = redis::pipe();
        write.zadd_multiple(NAMES_KEY, &names).ignore();
        write.zrembyscore(NAMES_KEY, "-inf", now - TTL_SECONDS).ignore();
        write.expire(NAMES_KEY, TTL_SECONDS).ignore();
        self.pipeline("PIPELINE", write).await
    }

    async fn pipeline<T: FromRedisValue>(&self, name: &'static str, calls: Pipeline) -> Option<T> {
        let send = |mut redis| async move { calls.query_async(&mut redis).await };
        self.redis.call(RedisCall::Command(name), COMMAND_TIMEOUT, send).await
    }
}

/// State of the sorted set, which each publication changes: its size, and the last name with its time.
type Published = (u64, Vec<(String, f64)>);

fn key(name: &str) -> String {
    format!("sahm:asset:{name}")
}
