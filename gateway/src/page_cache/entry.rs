//! A stored page: its bodies, its surrogate tags and its lifetime.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64},
    },
    time::Duration,
};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::{HeaderValue, StatusCode, response::Parts};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::key::{first_half, hex};
use crate::content_encoding::ContentEncoding;

/// The position of a service's change log when an entry was created.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct LogPosition {
    /// The service: `content`.
    #[prost(string, tag = "1")]
    pub service: String,
    #[prost(string, tag = "2")]
    pub log_id: String,
    /// Every change up to this sequence was committed before the entry's data was read.
    #[prost(uint64, tag = "3")]
    pub sequence: u64,
}

/// The state of a service's change log in this gateway.
#[derive(Clone, Debug)]
pub(crate) struct LogState {
    /// `None` until the log has been read once.
    pub position: Option<LogPosition>,
    /// Whether the log is being read, and so announces every change.
    pub is_followed: bool,
}

/// How far ahead the clock of the gateway that created an entry may be, seconds. An entry from further in the future
/// was created by a wrong clock and would live too long.
const MAX_CLOCK_SKEW: u32 = 5;

/// Lifetimes of entries (docs/page-cache.md).
#[derive(Clone, Copy, Debug)]
pub struct Lifetimes {
    pub fresh: Duration,
    /// How long after its creation a stale entry may be served, while it is refreshed or if that fails.
    pub stale: Duration,
    /// The lifetime of 404 pages and of pages with a part left out.
    pub short: Duration,
    /// A softly purged entry is refreshed within this time.
    pub soft: Duration,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self {
            fresh: Duration::from_secs(300),
            stale: Duration::from_secs(24 * 3600),
            short: Duration::from_secs(10),
            soft: Duration::from_secs(60),
        }
    }
}

/// The kind of an entry, which determines where it may be stored (docs/page-cache.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryKind {
    /// A complete page, stored in both levels.
    Complete,
    /// The previous build's page, served until this build has rendered its own.
    PreviousBuild,
    /// The 404 of a missing item or path, stored in process only, for a short time.
    NotFound,
    /// A page with an optional part left out, stored in process only, for a short time.
    Partial,
    /// Rendered for one response and stored nowhere: shells, errors, members' pages.
    Uncacheable,
}

/// The encoded bodies of a page; at least one is present.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    pub brotli: Option<Bytes>,
    /// Whether `brotli` has the highest quality.
    pub brotli_best: bool,
    pub gzip: Option<Bytes>,
    /// Uncompressed; for stored pages only after it was requested.
    pub identity: Option<Bytes>,
}

impl Bodies {
    /// A body in one encoding.
    pub(super) fn of(coding: ContentEncoding, body: Bytes) -> Self {
        let (body, mut bodies) = (Some(body), Self::default());
        match coding {
            ContentEncoding::Brotli => bodies.brotli = body,
            ContentEncoding::Gzip => bodies.gzip = body,
            ContentEncoding::Identity => bodies.identity = body,
        }
        bodies
    }
}

/// Creation and end of an entry's lifetime, epoch seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// When its fill started.
    pub created_at: u32,
    pub fresh_until: u32,
    pub stale_until: u32,
}

/// Sixteen random bytes that identify the fill of an entry; also the token of its lease.
pub type FillId = [u8; 16];

/// The first half of the SHA-256 of status and body; the entity tags derive from it.
pub type BodyHash = [u8; 16];

#[derive(Clone, Debug)]
pub struct EntryData {
    /// 200 or 404; other codes only if the kind is uncacheable.
    pub status: StatusCode,
    pub content_type: HeaderValue,
    pub bodies: Bodies,
    /// Hash of status and uncompressed body.
    pub hash: BodyHash,
    /// The fill that created it.
    pub fill_id: FillId,
    /// Where it may be stored.
    pub kind: EntryKind,
    /// Created by this process, not read from Redis.
    pub own: bool,
    pub times: Times,
    /// Surrogate tags.
    pub tags: Box<[Box<str>]>,
    /// The position of each change log at its creation.
    pub positions: Box<[LogPosition]>,
}

/// A page in the cache: its data, and values that are derived from it once.
#[derive(Debug)]
pub struct Entry {
    data: EntryData,
    /// The end of a short lifetime on the monotonic clock, which is never set back.
    ends: Option<Instant>,
    /// Entity tags of quick and of best brotli, gzip, and the uncompressed body.
    etags: [HeaderValue; 4],
    pub(super) stats: Arc<EntryStats>,
    pub(super) hit_headers: HitHeaders,
}

/// Mutable counters and marks of an entry.
#[derive(Debug, Default)]
pub(super) struct EntryStats {
    /// The epoch of the purge index in which the entry was last valid.
    pub(super) valid_in_epoch: AtomicU64,
    /// Fresh hits.
    pub(super) hits: AtomicU32,
    /// Requests for the uncompressed body.
    pub(super) identity_requests: AtomicU32,
    /// No refresh is tried before this time, epoch milliseconds.
    pub(super) retry_at: AtomicU64,
}

/// The last response heads of fresh hits: one for each content encoding, one for 304.
pub(super) type HitHeaders = [ArcSwapOption<HitHead>; 4];

/// The head of a response, which does not change within a second.
#[derive(Debug)]
pub(super) struct HitHead {
    /// The epoch second.
    pub(super) now: u32,
    /// Whether the CDN may store the response.
    pub(super) is_shared: bool,
    pub(super) parts: Parts,
}

impl Deref for Entry {
    type Target = EntryData;

    fn deref(&self) -> &EntryData {
        &self.data
    }
}

/// The freshness of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Freshness {
    /// Serve it.
    Fresh,
    /// Serve it and refresh it.
    Stale,
    /// Its lifetime is over.
    Expired,
}

impl Times {
    /// The lifetime of an entry whose fill started at `created_at`. It ends with `ends_at` too, the next start or end
    /// of a timed item on the page.
    pub fn of(kind: EntryKind, created_at: u32, ends_at: Option<u32>, lives: &Lifetimes) -> Self {
        let after = |life: Duration| {
            let end = created_at.saturating_add(u32::try_from(life.as_secs()).unwrap_or(u32::MAX));
            ends_at.map_or(end, |ends_at| end.min(ends_at))
        };
        let (fresh, stale) = match kind {
            EntryKind::Complete | EntryKind::PreviousBuild => (lives.fresh, lives.stale),
            EntryKind::NotFound | EntryKind::Partial => (lives.short, lives.short),
            EntryKind::Uncacheable => (Duration::ZERO, Duration::ZERO),
        };
        Self { created_at, fresh_until: after(fresh), stale_until: after(stale) }
    }

    /// The freshness at a time.
    pub fn at(&self, now: u32) -> Freshness {
        if self.created_at > now.saturating_add(MAX_CLOCK_SKEW) {
            Freshness::Expired
        } else if now < self.fresh_until {
            Freshness::Fresh
        } else if now < self.stale_until {
            Freshness::Stale
        } else {
            Freshness::Expired
        }
    }
}

impl Entry {
    pub(super) fn new(data: EntryData) -> Self {
        let ends = matches!(data.kind, EntryKind::NotFound | EntryKind::Partial).then(|| {
            let life = data.times.stale_until.saturating_sub(data.times.created_at);
            Instant::now() + Duration::from_secs(life.into())
        });
        let stem = hex(data.hash);
        // Hex digits and letters: always a header value.
        let etags = ["br", "bb", "gz", "id"].map(|suffix| {
            HeaderValue::try_from(format!("\"{stem}-{suffix}\""))
                .unwrap_or(HeaderValue::from_static("\"\""))
        });
        Self { data, ends, etags, stats: Arc::default(), hit_headers: HitHeaders::default() }
    }

    /// Its freshness at a time.
    pub fn freshness(&self, now: u32) -> Freshness {
        match self.ends {
            Some(ends) if Instant::now() >= ends => Freshness::Expired,
            _ => self.times.at(now),
        }
    }

    /// The same page with other bodies; counters and lifetime are shared.
    pub(super) fn with_bodies(&self, bodies: Bodies) -> Self {
        let (stats, ends) = (self.stats.clone(), self.ends);
        Self { stats, ends, ..Self::new(EntryData { bodies, ..self.data.clone() }) }
    }

    /// The strong entity tag of the body in an encoding. Encodings and brotli qualities differ in their bytes, so
    /// their tags differ.
    pub fn etag(&self, coding: ContentEncoding) -> &HeaderValue {
        &self.etags[match coding {
            ContentEncoding::Brotli if self.bodies.brotli_best => 1,
            ContentEncoding::Brotli => 0,
            ContentEncoding::Gzip => 2,
            ContentEncoding::Identity => 3,
        }]
    }

    /// The entity tag of this entry that matches an opaque tag, with its encoding.
    pub fn known_etag(&self, opaque: &str) -> Option<(ContentEncoding, &HeaderValue)> {
        use ContentEncoding::{Brotli, Gzip, Identity};
        let codings = [Brotli, Brotli, Gzip, Identity];
        codings.into_iter().zip(&self.etags).find(|(_, etag)| {
            etag.as_bytes().get(1..etag.len() - 1).is_some_and(|own| own == opaque.as_bytes())
        })
    }

    /// The body in an encoding, if present.
    pub fn body(&self, coding: ContentEncoding) -> Option<&Bytes> {
        match coding {
            ContentEncoding::Brotli => self.bodies.brotli.as_ref(),
            ContentEncoding::Gzip => self.bodies.gzip.as_ref(),
            ContentEncoding::Identity => self.bodies.identity.as_ref(),
        }
    }

    /// Its age, seconds.
    pub fn age(&self, now: u32) -> u32 {
        now.saturating_sub(self.times.created_at)
    }

    /// Whether it is a complete page, of this build or the previous one.
    pub fn is_complete(&self) -> bool {
        matches!(self.kind, EntryKind::Complete | EntryKind::PreviousBuild)
    }

    /// Its size in memory, bytes.
    pub fn weight(&self) -> u64 {
        const ALLOCATION: usize = 48;
        /// Headers of hits: most pages are requested in one encoding.
        const HIT_HEADERS: usize = 3 << 10;
        let body = |body: &Option<Bytes>| body.as_ref().map_or(0, |body| body.len() + ALLOCATION);
        let tags: usize = self.tags.iter().map(|tag| tag.len() + 16 + ALLOCATION).sum();
        let position = |position: &LogPosition| {
            let texts = position.service.len() + position.log_id.len() + 2 * ALLOCATION;
            size_of::<LogPosition>() + texts
        };
        let bytes = size_of::<Self>()
            + size_of::<EntryStats>()
            + ALLOCATION
            + body(&self.bodies.brotli)
            + body(&self.bodies.gzip)
            + body(&self.bodies.identity)
            + tags
            + self.positions.iter().map(position).sum::<usize>()
            + self.etags.len() * (self.etags[0].len() + ALLOCATION)
            + HIT_HEADERS;
        bytes as u64
    }
}

/// The hash of status and body.
pub(super) fn hash_of(status: StatusCode, body: &[u8]) -> BodyHash {
    let mut hasher = Sha256::new();
    hasher.update(status.as_u16().to_be_bytes());
    hasher.update(body);
    first_half(hasher)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_cache::store::local::tests::entry;

    #[test]
    fn freshness_follows_lifetime_expiry_and_clock_skew() {
        use Freshness::{Expired, Fresh, Stale};
        struct Case {
            kind: EntryKind,
            expires_at: Option<u32>,
            now: u32,
            freshness: Freshness,
        }
        let case = |kind, expires_at, now, freshness| Case { kind, expires_at, now, freshness };
        let complete = |now, freshness| case(EntryKind::Complete, None, now, freshness);
        for Case { kind, expires_at, now, freshness } in [
            complete(1000, Fresh),
            complete(1299, Fresh),
            complete(1300, Stale),
            complete(87_399, Stale),
            complete(87_400, Expired),
            // A timed item ends both freshness and stale use, but extends neither.
            case(EntryKind::Complete, Some(1100), 1099, Fresh),
            case(EntryKind::Complete, Some(1100), 1100, Expired),
            case(EntryKind::Complete, Some(5000), 1300, Stale),
            case(EntryKind::Complete, Some(5000), 5000, Expired),
            case(EntryKind::NotFound, None, 1009, Fresh),
            case(EntryKind::NotFound, None, 1010, Expired),
            case(EntryKind::Uncacheable, None, 1000, Expired),
            // The clock was set back, or another gateway's is ahead.
            complete(995, Fresh),
            complete(994, Expired),
            case(EntryKind::NotFound, None, 994, Expired),
        ] {
            let times = Times::of(kind, 1000, expires_at, &Lifetimes::default());
            assert_eq!(times.at(now), freshness, "{kind:?} {expires_at:?} at {now}");
        }
    }

    #[test]
    fn weight_is_that_of_bodies_tags_and_positions_and_little_more() {
        struct Row {
            entry: Entry,
            /// Bytes and allocations in addition to those of every entry.
            bytes: usize,
            allocations: usize,
        }
        let body = |size| Some(Bytes::from(vec![1; size]));
        let with = |bodies| entry(0, &[], &[]).with_bodies(bodies);
        let every = size_of::<Entry>()
            + size_of::<EntryStats>()
            + entry(0, &[], &[]).etags.iter().map(HeaderValue::len).sum::<usize>()
            // The head of a hit.
            + 3 * 1024;
        for Row { entry, bytes, allocations } in [
            Row { entry: with(Bodies::default()), bytes: 0, allocations: 0 },
            Row {
                entry: with(Bodies { brotli: body(1_000), gzip: body(2_000), ..Bodies::default() }),
                bytes: 3_000,
                allocations: 2,
            },
            Row {
                entry: with(Bodies { identity: body(4_000), ..Bodies::default() }),
                bytes: 4_000,
                allocations: 1,
            },
            Row {
                entry: entry(1_000, &["x".repeat(100).as_str(); 10], &[("content", "a", 1); 10]),
                bytes: 1_000
                    + 10 * (size_of::<Box<str>>() + 100)
                    + 10 * (size_of::<LogPosition>() + "content".len() + "a".len()),
                allocations: 31,
            },
        ] {
            // The statistics and four entity tags are allocations of their own.
            let (bytes, allocations) = (every + bytes, 5 + allocations);
            let expected = (bytes + 32 * allocations) as u64..=(bytes + 64 * allocations) as u64;
            assert!(expected.contains(&entry.weight()), "{} {expected:?}", entry.weight());
        }
    }
}
