//! Assets of recent builds in Redis, so that a rollout in either direction breaks no page
//! (docs/redirects.md).

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use redis::{
    RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use sahm_chassis::{clock, lifecycle::Lifecycle};
use tokio::time::{Instant, sleep, timeout};

use super::{
    answer::File,
    file_cache::{FileCache, file_cache},
    static_assets::FileMap,
};
use crate::limits::REDIS_TIME_PAGE;

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
    connection: ConnectionManager,
    others: Arc<FileCache>,
}

impl SharedAssets {
    /// Connects lazily.
    ///
    /// Errors: the address is not one of Redis.
    pub(super) fn new(url: &str) -> RedisResult<Self> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(START))
            .set_response_timeout(Some(COMMAND));
        let connection =
            ConnectionManager::new_lazy_with_config(redis::Client::open(url)?, config)?;
        Ok(Self { connection, others: Arc::new(file_cache(MEMORY)) })
    }

    /// Publishes the own build's assets, now if Redis answers at once, else as soon as it does,
    /// and keeps them there; takes what other builds publish into memory.
    pub(super) async fn publish(&self, own: Arc<FileMap>, lifecycle: &Lifecycle) {
        let answers = timeout(START, self.missing(&own)).await.is_ok_and(|count| count.is_ok());
        let mut renewed = None;
        if answers && self.put(&own).await.is_ok() {
            renewed = Some(Instant::now());
        } else {
            tracing::warn!("redis does not answer, assets are published later");
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
                match shared.missing(&own).await {
                    Ok(0) if !due => {}
                    Ok(_) => {
                        if shared.put(&own).await.is_ok() {
                            renewed = Some(Instant::now());
                        }
                    }
                    Err(_) => {}
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
        timeout(REDIS_TIME_PAGE, self.load(name)).await.ok()?.ok()?
    }

    async fn load(&self, name: &str) -> RedisResult<Option<Arc<File>>> {
        let mut connection = self.connection.clone();
        let mut command = redis::cmd("HGETALL");
        command.arg(key(name));
        let mut fields = command.query_async::<HashMap<String, Vec<u8>>>(&mut connection).await?;
        let Some(body) = fields.remove("body") else { return Ok(None) };
        let mut file = File::new(name, body.into());
        file.br = fields.remove("br").map(Bytes::from);
        file.gzip = fields.remove("gzip").map(Bytes::from);
        let file = Arc::new(file);
        self.others.insert(name.to_owned(), file.clone());
        Ok(Some(file))
    }

    /// Takes other builds' assets into memory before they are asked for: while two builds stand
    /// beside each other, a page of one is followed at once by its styles at a gateway of the
    /// other, and a request waits too little for a Redis that is slow.
    async fn follow(&self, own: &FileMap) {
        let mut seen = Published::default();
        loop {
            if let Ok(published) = self.published().await
                && published != seen
                && self.take_ahead(own).await.is_ok()
            {
                seen = published;
            }
            sleep(LOOKED).await;
        }
    }

    async fn published(&self) -> RedisResult<Published> {
        let mut ask = redis::pipe();
        ask.cmd("ZCARD").arg(NAMES);
        ask.cmd("ZRANGE").arg(NAMES).arg(0).arg(0).arg("REV").arg("WITHSCORES");
        let (count, last) = ask.query_async(&mut self.connection.clone()).await?;
        Ok(Published { count, last })
    }

    /// Loads what is not in memory, the last published first.
    async fn take_ahead(&self, own: &FileMap) -> RedisResult<()> {
        let mut names = redis::cmd("ZRANGE");
        names.arg(NAMES).arg(0).arg(-1).arg("REV");
        let names = names.query_async::<Vec<String>>(&mut self.connection.clone()).await?;
        let mut bytes = 0;
        for name in names.iter().filter(|name| !own.contains_key(*name)) {
            let file = match self.known(name) {
                Some(file) => Some(file),
                None => self.load(name).await?,
            };
            bytes += file.map_or(0, |file| file.weight() as u64);
            if bytes > AHEAD {
                break;
            }
        }
        Ok(())
    }

    /// How many of the own assets Redis lacks.
    async fn missing(&self, own: &FileMap) -> RedisResult<usize> {
        if own.is_empty() {
            return Ok(0);
        }
        let mut command = redis::cmd("EXISTS");
        own.keys().for_each(|name| {
            command.arg(key(name));
        });
        let there = command.query_async::<usize>(&mut self.connection.clone()).await?;
        Ok(own.len().saturating_sub(there))
    }

    /// Writes the missing assets and extends the expiry of every asset.
    async fn put(&self, own: &FileMap) -> RedisResult<()> {
        let mut connection = self.connection.clone();
        for (name, file) in own {
            let mut renew = redis::cmd("EXPIRE");
            renew.arg(key(name)).arg(KEPT);
            if renew.query_async::<bool>(&mut connection).await? {
                continue;
            }
            let mut fields = vec![("body", file.identity.as_ref())];
            fields.extend(file.br.as_deref().map(|body| ("br", body)));
            fields.extend(file.gzip.as_deref().map(|body| ("gzip", body)));
            let mut write = redis::pipe();
            write.atomic();
            write.hset_multiple(key(name), &fields).ignore();
            write.cmd("EXPIRE").arg(key(name)).arg(KEPT).ignore();
            write.query_async::<()>(&mut connection).await?;
        }
        self.name(own).await?;
        tracing::info!(assets = own.len(), "assets published");
        Ok(())
    }

    /// Tells the gateways of other builds what there is.
    async fn name(&self, own: &FileMap) -> RedisResult<()> {
        if own.is_empty() {
            return Ok(());
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
        write.query_async::<()>(&mut self.connection.clone()).await
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
