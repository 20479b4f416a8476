//! Assets of recent builds in Redis, so that a rollout in either direction breaks no page
//! (docs/redirects.md).

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use redis::aio::MultiplexedConnection;
use sahm_chassis::{clock, lifecycle::Lifecycle};
use tokio::time::{Instant, sleep, timeout};

use super::{
    answer::File,
    file_cache::{FileCache, file_cache},
    static_assets::FileMap,
};
use crate::{limits::REDIS_TIME_PAGE, redis_connection::Redis};

/// How long Redis keeps an asset, in seconds.
const KEPT: i64 = 7 * 24 * 3600;
/// Interval at which the expiry is extended.
const RENEWED: Duration = Duration::from_secs(24 * 3600);
/// How often it is looked whether they are still there: a Redis may have been emptied.
const CHECKED: Duration = Duration::from_secs(30);
/// How often it is looked whether another build has published.
const LOOKED: Duration = Duration::from_secs(1);
/// A sorted set of the names of all builds' assets, by the epoch second they were published last.
const NAMES: &str = "sahm:assets";
/// What the start waits for Redis to answer.
const START: Duration = Duration::from_secs(1);
/// One command of a publication.
const COMMAND: Duration = Duration::from_secs(5);
/// Other builds' assets kept in memory, in bytes; those published last are taken ahead.
const MEMORY: u64 = 32 << 20;
const AHEAD: u64 = MEMORY / 2;

/// Assets of this and other builds, as far as Redis has them.
#[derive(Clone)]
pub(super) struct SharedAssets {
    redis: Arc<Redis>,
    others: Arc<FileCache>,
}

impl SharedAssets {
    pub(super) fn new(redis: Arc<Redis>) -> Self {
        Self { redis, others: Arc::new(file_cache(MEMORY)) }
    }

    /// Publishes the own build's assets, now if Redis answers at once, else as soon as it does,
    /// and keeps them there; takes what other builds publish into memory.
    pub(super) async fn publish(&self, own: Arc<FileMap>, lifecycle: &Lifecycle) {
        let mut is_up = self.redis.watch();
        let is_up = timeout(START, is_up.wait_for(|is_up| *is_up)).await.is_ok_and(|up| up.is_ok());
        let mut renewed = None;
        if is_up && self.put(&own).await.is_some() {
            renewed = Some(Instant::now());
        } else {
            tracing::warn!("redis is unavailable, assets are published later");
        }
        let (shared, ours) = (self.clone(), own.clone());
        lifecycle.spawn_until_drain("other builds' assets", async move {
            shared.follow(&ours).await;
        });
        let shared = self.clone();
        lifecycle.spawn_until_drain("shared assets", async move {
            loop {
                sleep(if renewed.is_some() { CHECKED } else { START }).await;
                let due = renewed.is_none_or(|at: Instant| at.elapsed() >= RENEWED);
                let is_complete = shared.missing(&own).await.map(|missing| missing == 0 && !due);
                if is_complete == Some(false) && shared.put(&own).await.is_some() {
                    renewed = Some(Instant::now());
                }
            }
        });
    }

    /// An asset of another build that was found before.
    pub(super) fn known(&self, name: &str) -> Option<Arc<File>> {
        self.others.get(name)
    }

    /// An asset of another build; nothing when Redis does not answer in time.
    pub(super) async fn find(&self, name: &str) -> Option<Arc<File>> {
        self.load(name, REDIS_TIME_PAGE).await?
    }

    async fn load(&self, name: &str, limit: Duration) -> Option<Option<Arc<File>>> {
        let mut command = redis::cmd("HGETALL");
        command.arg(key(name));
        let load = async |redis: &mut MultiplexedConnection| {
            command.query_async::<HashMap<String, Vec<u8>>>(redis).await
        };
        let mut fields = self.redis.call(limit, load).await?;
        let Some(body) = fields.remove("body") else { return Some(None) };
        let mut file = File::new(name, body.into());
        file.br = fields.remove("br").map(Bytes::from);
        file.gzip = fields.remove("gzip").map(Bytes::from);
        let file = Arc::new(file);
        self.others.insert(name.to_owned(), file.clone());
        Some(Some(file))
    }

    /// Takes other builds' assets into memory before they are asked for: while two builds stand
    /// beside each other, a page of one is followed at once by its styles at a gateway of the
    /// other, and a request waits too little for a Redis that is slow.
    async fn follow(&self, own: &FileMap) {
        let mut seen = Published::default();
        loop {
            if let Some(published) = self.published().await
                && published != seen
                && self.take_ahead(own).await.is_some()
            {
                seen = published;
            }
            sleep(LOOKED).await;
        }
    }

    async fn published(&self) -> Option<Published> {
        let mut ask = redis::pipe();
        ask.cmd("ZCARD").arg(NAMES);
        ask.cmd("ZRANGE").arg(NAMES).arg(0).arg(0).arg("REV").arg("WITHSCORES");
        let (count, last) =
            self.redis.call(COMMAND, async |redis| ask.query_async(redis).await).await?;
        Some(Published { count, last })
    }

    /// Loads what is not in memory, the last published first.
    async fn take_ahead(&self, own: &FileMap) -> Option<()> {
        let mut names = redis::cmd("ZRANGE");
        names.arg(NAMES).arg(0).arg(-1).arg("REV");
        let list =
            async |redis: &mut MultiplexedConnection| names.query_async::<Vec<String>>(redis).await;
        let names = self.redis.call(COMMAND, list).await?;
        let mut bytes = 0;
        for name in names.iter().filter(|name| !own.contains_key(*name)) {
            let file = match self.known(name) {
                Some(file) => Some(file),
                None => self.load(name, COMMAND).await?,
            };
            bytes += file.map_or(0, |file| file.weight() as u64);
            if bytes > AHEAD {
                break;
            }
        }
        Some(())
    }

    /// How many of the own assets Redis lacks.
    async fn missing(&self, own: &FileMap) -> Option<usize> {
        if own.is_empty() {
            return Some(0);
        }
        let mut command = redis::cmd("EXISTS");
        own.keys().for_each(|name| {
            command.arg(key(name));
        });
        let count =
            async |redis: &mut MultiplexedConnection| command.query_async::<usize>(redis).await;
        let there = self.redis.call(COMMAND, count).await?;
        Some(own.len().saturating_sub(there))
    }

    /// Writes the missing assets and extends the expiry of every asset.
    async fn put(&self, own: &FileMap) -> Option<()> {
        for (name, file) in own {
            let mut renew = redis::cmd("EXPIRE");
            renew.arg(key(name)).arg(KEPT);
            let renew =
                async |redis: &mut MultiplexedConnection| renew.query_async::<bool>(redis).await;
            if self.redis.call(COMMAND, renew).await? {
                continue;
            }
            let mut fields = vec![("body", file.identity.as_ref())];
            fields.extend(file.br.as_deref().map(|body| ("br", body)));
            fields.extend(file.gzip.as_deref().map(|body| ("gzip", body)));
            let mut write = redis::pipe();
            write.atomic();
            write.hset_multiple(key(name), &fields).ignore();
            write.cmd("EXPIRE").arg(key(name)).arg(KEPT).ignore();
            self.redis.call(COMMAND, async |redis| write.query_async::<()>(redis).await).await?;
        }
        self.name(own).await?;
        tracing::info!(assets = own.len(), "assets published");
        Some(())
    }

    /// Tells the gateways of other builds what there is.
    async fn name(&self, own: &FileMap) -> Option<()> {
        if own.is_empty() {
            return Some(());
        }
        let now = i64::from(clock::now());
        let mut add = redis::cmd("ZADD");
        add.arg(NAMES);
        for name in own.keys() {
            add.arg(now).arg(name);
        }
        let mut write = redis::pipe();
        write.add_command(add).ignore();
        write.cmd("ZREMRANGEBYSCORE").arg(NAMES).arg("-inf").arg(now - KEPT).ignore();
        write.cmd("EXPIRE").arg(NAMES).arg(KEPT).ignore();
        self.redis.call(COMMAND, async |redis| write.query_async::<()>(redis).await).await
    }
}

/// What changes with each publication: how many names there are, and the last one with its time.
#[derive(Debug, Default, PartialEq)]
struct Published {
    count: u64,
    last: Vec<(String, f64)>,
}

fn key(name: &str) -> String {
    format!("sahm:asset:{name}")
}
