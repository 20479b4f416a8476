//! The store in Redis, shared by all gateways: complete pages, and the leases by which one gateway at a time fills a
//! key (docs/page-cache.md).
//!
//! Every Redis key expires by itself. A page is stored by a script that refuses when the lease has passed to
//! another gateway, or when the replica of a change log contains a later purge of one of its tags.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use redis::Script;

use super::{codec, redis_keys};
use crate::{
    limits::REDIS_TIME_PAGE,
    page_cache::entry::{Entry, EntryKind, FillId},
    redis_connection::{BEHIND, Redis},
};

/// Lifetime of a lease that is not renewed.
const LEASE: Duration = Duration::from_millis(700);
/// How often a fill renews its lease.
const RENEW: Duration = Duration::from_millis(200);
/// Lifetime of the names of builds: longer than that of any entry.
const BUILDS_KEPT: Duration = Duration::from_secs(26 * 3600);

const PAGES: &str = "sahm:page:";
const LEASES: &str = "sahm:lease:";
const BUILDS: &str = "sahm:builds";

const GET_OR_LEASE: &str = include_str!("scripts/get_or_lease.lua");
const STORE: &str = include_str!("scripts/store.lua");
const KEEP: &str = include_str!("scripts/keep.lua");
const RELEASE: &str = include_str!("scripts/release.lua");
const REPLACE_BODIES: &str = include_str!("scripts/replace_bodies.lua");
const REGISTER: &str = include_str!("scripts/register.lua");
/// The result of [`RemoteStore::get_or_lease`].
#[derive(Debug)]
pub(in crate::page_cache) enum GetOrLease {
    /// An entry, not yet validated.
    Found(Entry),
    /// No entry of this build: the caller fills. With the previous build's entry, if there is one.
    Leased(Lease, Option<Entry>),
    /// Another gateway fills.
    Busy(Option<Entry>),
    /// Redis does not answer.
    Unavailable,
}

/// The result of [`RemoteStore::store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::page_cache) enum Stored {
    Yes,
    /// The lease has passed to another gateway.
    LeaseLost,
    /// The page was purged meanwhile.
    Purged,
    /// Redis does not answer.
    Unavailable,
}

/// The right to fill a key, fenced by its token.
#[derive(Debug)]
pub(in crate::page_cache) struct Lease {
    text: Arc<str>,
    token: FillId,
}

/// The entries of one build in Redis.
#[derive(Debug)]
pub(in crate::page_cache) struct RemoteStore {
    redis: Arc<Redis>,
    build: String,
    scripts: Scripts,
}

#[derive(Debug)]
struct Scripts {
    get_or_lease: Script,
    store: Script,
    keep: Script,
    release: Script,
    replace_bodies: Script,
    register: Script,
}

impl RemoteStore {
    pub(in crate::page_cache) fn new(redis: Arc<Redis>, build: &str) -> Self {
        let scripts = Scripts {
            get_or_lease: Script::new(GET_OR_LEASE),
            store: Script::new(STORE),
            keep: Script::new(KEEP),
            release: Script::new(RELEASE),
            replace_bodies: Script::new(REPLACE_BODIES),
            register: Script::new(REGISTER),
        };
        Self { redis, build: build.to_owned(), scripts }
    }

    pub(in crate::page_cache) fn redis(&self) -> &Arc<Redis> {
        &self.redis
    }

    /// Registers this build and returns the previous one.
    pub(in crate::page_cache) async fn register(&self) -> Option<Option<String>> {
        let mut script = self.scripts.register.key(BUILDS);
        script.arg(&self.build).arg(BUILDS_KEPT.as_secs());
        self.redis.call(BEHIND, async |redis| script.invoke_async(redis).await).await
    }

    /// Returns the entry of a key, unless it is the `known` one; otherwise tries to take the lease.
    pub(in crate::page_cache) async fn get_or_lease(
        &self,
        text: &Arc<str>,
        known: Option<FillId>,
        previous_build: Option<&str>,
        limit: Duration,
    ) -> GetOrLease {
        let token: FillId = rand::random();
        let mut script = self.scripts.get_or_lease.key(self.page(text));
        script.key(self.lease(text));
        if let Some(previous_build) = previous_build {
            script.key(format!("{PAGES}{previous_build}:{text}"));
        }
        script.arg(known.as_ref().map_or(&b"-"[..], |fill_id| fill_id)).arg(&token);
        script.arg(LEASE.as_millis() as u64);
        let answer = self
            .redis
            .call(limit.min(REDIS_TIME_PAGE), async |redis| {
                script.invoke_async::<(Option<Vec<u8>>, Option<Vec<u8>>, u8)>(redis).await
            })
            .await;
        let Some((value, previous_build, leased)) = answer else { return GetOrLease::Unavailable };
        if let Some(value) = value {
            return match codec::decode(Bytes::from(value)) {
                Some(entry) => GetOrLease::Found(entry),
                None => self.drop_damaged(text, limit).await,
            };
        }
        let previous_build =
            previous_build.and_then(|previous_build| codec::decode(Bytes::from(previous_build)));
        match leased {
            1 => GetOrLease::Leased(Lease { text: text.clone(), token }, previous_build),
            _ => GetOrLease::Busy(previous_build),
        }
    }

    /// Removes a damaged entry and asks again.
    async fn drop_damaged(&self, text: &Arc<str>, limit: Duration) -> GetOrLease {
        tracing::warn!(key = &**text, "damaged entry dropped");
        let page = self.page(text);
        let dropped = self
            .redis
            .call(limit, async |redis| redis::cmd("DEL").arg(page).query_async::<()>(redis).await)
            .await;
        match dropped {
            Some(()) => Box::pin(self.get_or_lease(text, None, None, limit)).await,
            None => GetOrLease::Unavailable,
        }
    }

    /// Reads an entry without taking the lease.
    pub(in crate::page_cache) async fn peek(&self, text: &str) -> Option<Entry> {
        let page = self.page(text);
        let value = self
            .redis
            .call(BEHIND, async |redis| {
                redis::cmd("GET").arg(page).query_async::<Option<Vec<u8>>>(redis).await
            })
            .await??;
        codec::decode(Bytes::from(value))
    }

    /// Stores a complete page and releases the lease.
    pub(in crate::page_cache) async fn store(
        &self,
        lease: &Lease,
        entry: &Entry,
        now: u32,
    ) -> Stored {
        let lifetime = u64::from(entry.times.stale_until.saturating_sub(now)) * 1000;
        let value = match (entry.kind, lifetime) {
            (EntryKind::Complete, 1..) => codec::encode(entry),
            _ => None,
        };
        let Some(value) = value else {
            self.release(lease, false).await;
            return Stored::LeaseLost;
        };
        let mut script = self.scripts.store.key(self.page(&lease.text));
        script.key(self.lease(&lease.text));
        script.arg(&lease.token).arg(value).arg(lifetime).arg(entry.positions.len());
        for position in &entry.positions {
            script.key(redis_keys::head_key(&position.service));
            script.key(redis_keys::hard_key(&position.service));
            script.arg(&*position.log_id).arg(position.sequence);
        }
        for tag in &entry.tags {
            script.arg(tag.as_ref());
        }
        let answer = self.redis.call(BEHIND, async |redis| script.invoke_async(redis).await).await;
        match answer {
            Some(0u8) => Stored::Yes,
            Some(1) => Stored::LeaseLost,
            Some(_) => Stored::Purged,
            None => Stored::Unavailable,
        }
    }

    /// Releases the lease without storing; with `drop_entry` the stored entry is deleted.
    pub(in crate::page_cache) async fn release(&self, lease: &Lease, drop_entry: bool) {
        let mut script = self.scripts.release.key(self.lease(&lease.text));
        script.key(self.page(&lease.text));
        script.arg(&lease.token).arg(u8::from(drop_entry));
        self.redis.call(BEHIND, async |redis| script.invoke_async::<u8>(redis).await).await;
    }

    /// Renews the lease until it is lost.
    pub(in crate::page_cache) async fn keep(&self, lease: &Lease) {
        let mut ticks = tokio::time::interval(RENEW);
        ticks.reset();
        loop {
            ticks.tick().await;
            let mut script = self.scripts.keep.key(self.lease(&lease.text));
            script.arg(&lease.token).arg(LEASE.as_millis() as u64);
            let kept = self
                .redis
                .call(REDIS_TIME_PAGE, async |redis| script.invoke_async::<u8>(redis).await);
            if kept.await == Some(0) {
                return;
            }
        }
    }

    /// Replaces the bodies of the entry, if it still is of the same fill.
    pub(in crate::page_cache) async fn replace_bodies(&self, text: &str, entry: &Entry) {
        let Some(value) = codec::encode(entry) else { return };
        let mut script = self.scripts.replace_bodies.key(self.page(text));
        script.arg(&entry.fill_id).arg(value);
        self.redis.call(BEHIND, async |redis| script.invoke_async::<u8>(redis).await).await;
    }

    /// Key texts of this build's entries, at most `limit`, in no order.
    pub(in crate::page_cache) async fn list(&self, limit: usize) -> Vec<String> {
        let prefix = self.page("");
        let pattern = format!("{}*", escape_pattern(&prefix));
        let mut texts = Vec::new();
        let mut cursor = 0u64;
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(1000);
            let answer = self
                .redis
                .call(BEHIND, async |redis| scan.query_async::<(u64, Vec<String>)>(redis).await)
                .await;
            let Some((next, keys)) = answer else { break };
            texts
                .extend(keys.iter().filter_map(|key| key.strip_prefix(&prefix)).map(str::to_owned));
            cursor = next;
            if cursor == 0 || texts.len() >= limit {
                break;
            }
        }
        texts.truncate(limit);
        texts
    }

    fn page(&self, text: &str) -> String {
        format!("{PAGES}{}:{text}", self.build)
    }

    fn lease(&self, text: &str) -> String {
        format!("{LEASES}{}:{text}", self.build)
    }
}

fn escape_pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '*' | '?' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
