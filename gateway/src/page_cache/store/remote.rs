//! The store in Redis, shared by all gateways: complete pages, and the leases by which one gateway at a time fills a
//! key (docs/page-cache.md#leases).
//!
//! Every Redis key expires by itself. A page is stored by a script that refuses when the lease has passed to another
//! gateway (the lease's token is a fencing token), or when the replica of a change log has a later purge of one of its
//! tags.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use redis::{
    AsyncCommands, FromRedisValue, ScanOptions, Script, ScriptInvocation,
    aio::MultiplexedConnection,
};

use super::codec;
use crate::{
    limits::REDIS_TIMEOUT_PAGE,
    page_cache::entry::{Entry, FillId},
    redis_connection::{REDIS_TIMEOUT_BACKGROUND, Redis, RedisCall},
};

/// Lifetime of a lease that is not renewed.
const LEASE_TTL: Duration = Duration::from_millis(700);
/// Interval at which a fill renews its lease.
const LEASE_RENEWAL_INTERVAL: Duration = Duration::from_millis(200);
/// Timeout of listing keys, for an operator.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);
/// Lifetime of the names of builds: longer than that of any entry.
const BUILDS_TTL: Duration = Duration::from_secs(26 * 3600);

const PAGE_KEY_PREFIX: &str = "sahm:page:";
const LEASE_KEY_PREFIX: &str = "sahm:lease:";
const BUILDS_KEY: &str = "sahm:builds";

/// The keys of a change log's replica: a hash with the log's id and position, and the sorted sets of hard and of soft
/// purges, with tags by sequence.
pub(crate) fn log_keys(service: &str) -> [String; 3] {
    let head = format!("sahm:log:{service}");
    [head.clone(), format!("{head}:hard"), format!("{head}:soft")]
}

/// The result of [`RemoteStore::get_or_lease`].
#[derive(Debug)]
pub(crate) enum GetOrLease {
    /// An entry, not yet validated.
    Found(Entry),
    /// No entry of this build, so the caller fills. With the previous build's entry, if there is one.
    Leased(Lease, Option<Entry>),
    /// Another gateway is filling the key.
    Busy(Option<Entry>),
    /// Redis does not respond.
    Unavailable,
}

/// The right to fill a key, fenced by its token.
#[derive(Debug)]
pub(crate) struct Lease {
    store: Arc<RemoteStore>,
    key: Arc<str>,
    token: FillId,
}

/// The entries of one build in Redis.
#[derive(Debug)]
pub(crate) struct RemoteStore {
    redis: Arc<Redis>,
    build: String,
    get_or_lease: Script,
    store: Script,
    renew: Script,
    release: Script,
    replace_bodies: Script,
    register: Script,
}

impl RemoteStore {
    pub(crate) fn new(redis: Arc<Redis>, build: &str) -> Self {
        Self {
            redis,
            build: build.to_owned(),
            get_or_lease: Script::new(include_str!("scripts/get_or_lease.lua")),
            store: Script::new(include_str!("scripts/store.lua")),
            renew: Script::new(include_str!("scripts/renew.lua")),
            release: Script::new(include_str!("scripts/release.lua")),
            replace_bodies: Script::new(include_str!("scripts/replace_bodies.lua")),
            register: Script::new(include_str!("scripts/register.lua")),
        }
    }

    pub(crate) fn redis(&self) -> &Arc<Redis> {
        &self.redis
    }

    /// Registers this build and returns the previous one.
    pub(crate) async fn register(&self) -> Option<Option<String>> {
        let mut script = self.register.key(BUILDS_KEY);
        script.arg(&self.build).arg(BUILDS_TTL.as_secs());
        self.invoke("register", REDIS_TIMEOUT_BACKGROUND, &script).await
    }

    /// Returns the entry of a key, unless its fill id is the `known` one; otherwise tries to take the lease.
    pub(crate) async fn get_or_lease(
        self: &Arc<Self>,
        key: &Arc<str>,
        known: Option<&[u8]>,
        previous_build: Option<&str>,
        limit: Duration,
    ) -> GetOrLease {
        let token: FillId = rand::random();
        let mut script = self.get_or_lease.key(self.page(key));
        script.key(self.lease(key));
        if let Some(previous_build) = previous_build {
            script.key(format!("{PAGE_KEY_PREFIX}{previous_build}:{key}"));
        }
        script.arg(known.unwrap_or(b"-")).arg(&token).arg(LEASE_TTL.as_millis() as u64);
        let response =
            self.invoke::<(Option<Vec<u8>>, Option<Vec<u8>>, bool)>("get_or_lease", limit, &script);
        let Some((value, previous, leased)) = response.await else {
            return GetOrLease::Unavailable;
        };
        if let Some(value) = value.map(Bytes::from) {
            let Some(entry) = codec::decode(value.clone()) else {
                tracing::warn!(
                    key = &**key,
                    "damaged entry or one of another format is filled again"
                );
                let known = codec::fill_id(&value);
                return Box::pin(self.get_or_lease(key, Some(&known), previous_build, limit)).await;
            };
            return GetOrLease::Found(entry);
        }
        let previous = previous.and_then(|value| codec::decode(value.into()));
        match leased {
            true => {
                GetOrLease::Leased(Lease { store: self.clone(), key: key.clone(), token }, previous)
            }
            false => GetOrLease::Busy(previous),
        }
    }

    /// Reads an entry without taking the lease.
    pub(crate) async fn peek(&self, key: &str) -> Option<Entry> {
        let get = |mut redis: MultiplexedConnection| async move { redis.get(self.page(key)).await };
        let value = self.redis.call(RedisCall::Command("GET"), REDIS_TIMEOUT_BACKGROUND, get);
        let value: Option<Vec<u8>> = value.await?;
        codec::decode(value?.into())
    }

    /// Replaces the bodies of the entry, if it still is of the same fill.
    pub(crate) async fn replace_bodies(&self, key: &str, entry: &Entry) {
        let Some(value) = codec::encode(entry) else { return };
        let mut script = self.replace_bodies.key(self.page(key));
        script.arg(&entry.fill_id).arg(value);
        self.invoke::<()>("replace_bodies", REDIS_TIMEOUT_BACKGROUND, &script).await;
    }

    /// Keys of this build's entries that contain `part`, at most `limit`, in no order.
    pub(crate) async fn list(&self, part: &str, limit: usize) -> Vec<String> {
        let prefix = self.page("");
        let pattern = format!("{}*{}*", escape_pattern(&prefix), escape_pattern(part));
        let options = ScanOptions::default().with_pattern(pattern).with_count(1000);
        let scan = |mut redis: MultiplexedConnection| async move {
            redis.scan_options::<String>(options).await?.take(limit).try_collect::<Vec<_>>().await
        };
        let keys = self.redis.call(RedisCall::Command("SCAN"), LIST_TIMEOUT, scan).await;
        let keys = keys.unwrap_or_default().into_iter();
        keys.filter_map(|key| Some(key.strip_prefix(&prefix)?.to_owned())).collect()
    }

    fn page(&self, key: &str) -> String {
        format!("{PAGE_KEY_PREFIX}{}:{key}", self.build)
    }

    fn lease(&self, key: &str) -> String {
        format!("{LEASE_KEY_PREFIX}{}:{key}", self.build)
    }

    async fn invoke<T: FromRedisValue>(
        &self,
        name: &'static str,
        limit: Duration,
        script: &ScriptInvocation<'_>,
    ) -> Option<T> {
        let send = |mut redis| async move { script.invoke_async(&mut redis).await };
        self.redis.call(RedisCall::Script(name), limit, send).await
    }
}

impl Lease {
    /// Stores a complete page and releases the lease. Returns true if Redis refused the page because it was purged
    /// meanwhile; if the lease is lost, the page is dropped silently.
    pub(crate) async fn store(&self, entry: &Entry, now: u32) -> bool {
        let lifetime = u64::from(entry.times.stale_until.saturating_sub(now)) * 1000;
        let Some(value) = codec::encode(entry).filter(|_| lifetime > 0) else {
            self.release(false).await;
            return false;
        };
        let mut script = self.store.store.key(self.store.page(&self.key));
        script.key(self.store.lease(&self.key));
        script.arg(&self.token).arg(value).arg(lifetime).arg(entry.positions.len());
        for position in &entry.positions {
            let [head, hard, _] = log_keys(&position.service);
            script.key(head).key(hard);
            script.arg(&*position.log_id).arg(position.sequence);
        }
        for tag in &entry.tags {
            script.arg(tag.as_ref());
        }
        const PURGED: u8 = 2;
        self.store.invoke("store", REDIS_TIMEOUT_BACKGROUND, &script).await == Some(PURGED)
    }

    /// Releases the lease without storing; with `drop_entry` the stored entry is deleted.
    pub(crate) async fn release(&self, drop_entry: bool) {
        let mut script = self.store.release.key(self.store.lease(&self.key));
        script.key(self.store.page(&self.key)).arg(&self.token).arg(u8::from(drop_entry));
        self.store.invoke::<()>("release", REDIS_TIMEOUT_BACKGROUND, &script).await;
    }

    /// Renews the lease until it is lost.
    pub(crate) async fn keep(&self) {
        let mut ticks = tokio::time::interval(LEASE_RENEWAL_INTERVAL);
        ticks.reset();
        loop {
            ticks.tick().await;
            let mut script = self.store.renew.key(self.store.lease(&self.key));
            script.arg(&self.token).arg(LEASE_TTL.as_millis() as u64);
            if self.store.invoke("renew", REDIS_TIMEOUT_PAGE, &script).await == Some(false) {
                return;
            }
        }
    }
}

/// Escapes the pattern characters of `MATCH`.
fn escape_pattern(text: &str) -> String {
    let special = |letter| matches!(letter, '*' | '?' | '[' | ']' | '\\');
    text.chars()
        .flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter]))
        .collect()
}
