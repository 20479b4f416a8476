//! The second level: whole pages in Redis, shared by all gateways, and the leases by which one of
//! them at a time makes a page (docs/page-cache.md).
//!
//! Every key has a lifetime of its own. A page is stored by one script that refuses when the lease
//! is no longer the maker's, or when the mirror knows a later purge of one of its tags.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use redis::Script;

use super::{
    entry::{Class, Entry, Stamp},
    mirror, wire,
};
use crate::{
    limits::LEFT_OF_A_PAGE,
    redis_connection::{BEHIND, Redis},
};

/// A lease ends by itself after this time.
const LEASE: Duration = Duration::from_millis(700);
/// A living flight renews its lease this often.
const RENEW: Duration = Duration::from_millis(200);
/// How long the names of builds are kept; longer than any entry lives.
const BUILDS_KEPT: Duration = Duration::from_secs(26 * 3600);

const PAGES: &str = "sahm:page:";
const LEASES: &str = "sahm:lease:";
const BUILDS: &str = "sahm:builds";

/// Keys: entry, lease, former build's entry (or none). Arguments: stamp of an entry that is known
/// already, token, lease ms. Answer: entry, former entry, 1 when the lease was given.
const APPROACH: &str = "
local value = redis.call('GET', KEYS[1])
if value and string.sub(value, 4, 19) ~= ARGV[1] then return {value, false, 0} end
local former = false
if KEYS[3] then former = redis.call('GET', KEYS[3]) end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return {false, former, 1} end
return {false, former, 0}";

/// Keys: entry, lease, then each log's head and hard purges. Arguments: token, value, lifetime ms,
/// number of logs, id and sequence of each, tags. Answer: 0 stored, 1 lease lost, 2 purged.
const STORE: &str = "
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 1 end
redis.call('DEL', KEYS[2])
local logs = tonumber(ARGV[4])
for i = 0, logs - 1 do
  local head = redis.call('HMGET', KEYS[3 + 2 * i], 'id', 'since')
  local sequence = tonumber(ARGV[6 + 2 * i])
  if head[1] then
    if head[1] ~= ARGV[5 + 2 * i] or sequence < tonumber(head[2] or '0') then return 2 end
    for t = 5 + 2 * logs, #ARGV do
      local purged = redis.call('ZSCORE', KEYS[4 + 2 * i], ARGV[t])
      if purged and tonumber(purged) > sequence then return 2 end
    end
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 0";

/// Keys: lease. Arguments: token, lease ms. Answer: 1 when it is still the caller's.
const KEEP: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1";

/// Keys: lease, entry. Arguments: token, 1 to drop the entry too.
const RELEASE: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[2] == '1' then redis.call('DEL', KEYS[2]) end
return 1";

/// Keys: entry. Arguments: stamp, value. Replaces the bodies of the same making.
const IMPROVE: &str = "
if redis.call('GETRANGE', KEYS[1], 3, 18) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1";

/// Keys: builds. Arguments: own build, lifetime in seconds. Answer: the former build.
const REGISTER: &str = "
local current = redis.call('HGET', KEYS[1], 'current')
if current ~= ARGV[1] then
  if current then redis.call('HSET', KEYS[1], 'former', current) end
  redis.call('HSET', KEYS[1], 'current', ARGV[1])
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return redis.call('HGET', KEYS[1], 'former')";

/// What the second level says of a page.
#[derive(Debug)]
pub(super) enum Approach {
    /// An entry, not yet judged.
    Found(Entry),
    /// Nothing of this build; the caller makes it. With the former build's entry, if there is one.
    Leased(Lease, Option<Entry>),
    /// Another gateway is making it.
    Busy(Option<Entry>),
    /// Redis does not answer.
    Away,
}

/// What became of a page that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    Yes,
    /// Another gateway took over.
    LeaseLost,
    /// The mirror knows a later purge.
    Purged,
    /// Redis does not answer.
    Away,
}

/// The right to make a page, fenced by its token.
#[derive(Debug)]
pub(super) struct Lease {
    text: Arc<str>,
    token: Stamp,
}

/// The second level of one build.
#[derive(Debug)]
pub(super) struct Shared {
    redis: Arc<Redis>,
    build: String,
    scripts: Scripts,
}

#[derive(Debug)]
struct Scripts {
    approach: Script,
    store: Script,
    keep: Script,
    release: Script,
    improve: Script,
    register: Script,
}

impl Shared {
    pub(super) fn new(redis: Arc<Redis>, build: &str) -> Self {
        let scripts = Scripts {
            approach: Script::new(APPROACH),
            store: Script::new(STORE),
            keep: Script::new(KEEP),
            release: Script::new(RELEASE),
            improve: Script::new(IMPROVE),
            register: Script::new(REGISTER),
        };
        Self { redis, build: build.to_owned(), scripts }
    }

    pub(super) fn redis(&self) -> &Arc<Redis> {
        &self.redis
    }

    /// Tells of this build, and says which one was there before it.
    pub(super) async fn register(&self) -> Option<Option<String>> {
        let mut script = self.scripts.register.key(BUILDS);
        script.arg(&self.build).arg(BUILDS_KEPT.as_secs());
        self.redis.call(BEHIND, async |redis| script.invoke_async(redis).await).await
    }

    /// Asks for an entry, and for the lease when there is none other than `known`.
    pub(super) async fn approach(
        &self,
        text: &Arc<str>,
        known: Option<Stamp>,
        former: Option<&str>,
        limit: Duration,
    ) -> Approach {
        let token: Stamp = rand::random();
        let mut script = self.scripts.approach.key(self.page(text));
        script.key(self.lease(text));
        if let Some(former) = former {
            script.key(format!("{PAGES}{former}:{text}"));
        }
        script.arg(known.as_ref().map_or(&b"-"[..], |stamp| stamp)).arg(&token);
        script.arg(LEASE.as_millis() as u64);
        let answer = self
            .redis
            .call(limit.min(LEFT_OF_A_PAGE), async |redis| {
                script.invoke_async::<(Option<Vec<u8>>, Option<Vec<u8>>, u8)>(redis).await
            })
            .await;
        let Some((value, former, leased)) = answer else { return Approach::Away };
        if let Some(value) = value {
            return match wire::decode(Bytes::from(value)) {
                Some(entry) => Approach::Found(entry),
                None => self.drop_damaged(text, limit).await,
            };
        }
        let former = former.and_then(|former| wire::decode(Bytes::from(former)));
        match leased {
            1 => Approach::Leased(Lease { text: text.clone(), token }, former),
            _ => Approach::Busy(former),
        }
    }

    /// What is no entry is removed and asked for again.
    async fn drop_damaged(&self, text: &Arc<str>, limit: Duration) -> Approach {
        tracing::warn!(key = &**text, "damaged entry dropped");
        let page = self.page(text);
        let dropped = self
            .redis
            .call(limit, async |redis| redis::cmd("DEL").arg(page).query_async::<()>(redis).await)
            .await;
        match dropped {
            Some(()) => Box::pin(self.approach(text, None, None, limit)).await,
            None => Approach::Away,
        }
    }

    /// Looks at an entry without asking for anything.
    pub(super) async fn peek(&self, text: &str) -> Option<Entry> {
        let page = self.page(text);
        let value = self
            .redis
            .call(BEHIND, async |redis| {
                redis::cmd("GET").arg(page).query_async::<Option<Vec<u8>>>(redis).await
            })
            .await??;
        wire::decode(Bytes::from(value))
    }

    /// Stores a whole page and gives the lease back.
    pub(super) async fn store(&self, lease: &Lease, entry: &Entry, now: u32) -> Stored {
        let lifetime = u64::from(entry.times.stale_until.saturating_sub(now)) * 1000;
        let value = match (entry.class, lifetime) {
            (Class::Whole, 1..) => wire::encode(entry),
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
            script.key(mirror::head_key(&position.service));
            script.key(mirror::hard_key(&position.service));
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
            None => Stored::Away,
        }
    }

    /// Gives the lease back with nothing stored; `drop_entry` when what is stored is no longer so.
    pub(super) async fn release(&self, lease: &Lease, drop_entry: bool) {
        let mut script = self.scripts.release.key(self.lease(&lease.text));
        script.key(self.page(&lease.text));
        script.arg(&lease.token).arg(u8::from(drop_entry));
        self.redis.call(BEHIND, async |redis| script.invoke_async::<u8>(redis).await).await;
    }

    /// Renews the lease until it is lost.
    pub(super) async fn keep(&self, lease: &Lease) {
        let mut ticks = tokio::time::interval(RENEW);
        ticks.reset();
        loop {
            ticks.tick().await;
            let mut script = self.scripts.keep.key(self.lease(&lease.text));
            script.arg(&lease.token).arg(LEASE.as_millis() as u64);
            let kept = self
                .redis
                .call(LEFT_OF_A_PAGE, async |redis| script.invoke_async::<u8>(redis).await);
            if kept.await == Some(0) {
                return;
            }
        }
    }

    /// Puts better bodies in place of the same making's.
    pub(super) async fn improve(&self, text: &str, entry: &Entry) {
        let Some(value) = wire::encode(entry) else { return };
        let mut script = self.scripts.improve.key(self.page(text));
        script.arg(&entry.stamp).arg(value);
        self.redis.call(BEHIND, async |redis| script.invoke_async::<u8>(redis).await).await;
    }

    /// Key texts of this build's entries, at most `limit`; the order says nothing.
    pub(super) async fn list(&self, limit: usize) -> Vec<String> {
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
