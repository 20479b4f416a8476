//! One stored page: its bodies, what it was made from, and how long it may be used.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64},
    },
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{accept::Coding, key::hex, ready::Heads};

/// How far a service's change log was known when an entry was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPosition {
    /// The service: `content`.
    pub service: Arc<str>,
    /// The log's id.
    pub log_id: Arc<str>,
    /// Every change up to this sequence was committed before the entry's data was read.
    pub sequence: u64,
}

/// Where a service's change log stands, as this gateway knows it.
#[derive(Clone, Debug)]
pub(crate) struct LogState {
    /// `None` until the log has been read once.
    pub position: Option<LogPosition>,
    /// Whether the log is being read, and so announces every change.
    pub is_followed: bool,
}

/// How far ahead the clock of the gateway that made an entry may be. An entry from further in the
/// future was made while a clock was wrong, and would outlive its time by as much.
const MAX_CLOCK_SKEW: u32 = 5;

/// How long entries live (docs/page-cache.md).
#[derive(Clone, Copy, Debug)]
pub struct Lifetimes {
    /// Used as it is.
    pub fresh: Duration,
    /// Used while or because it cannot be made anew, from when it was made.
    pub stale: Duration,
    /// Missing items and pages with a part left out.
    pub short: Duration,
    /// A softly purged entry is made anew within this time.
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

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A whole page, kept in both levels.
    Whole,
    /// The former build's page, standing in until this build has made its own.
    Former,
    /// A missing item's or path's page (404), in process only.
    Missing,
    /// A page with an optional part left out, in process only.
    Partial,
    /// Made for this answer alone.
    Unkept,
}

/// The coded bodies of a page. At least one is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bodies {
    /// Brotli.
    pub brotli: Option<Bytes>,
    /// Whether `brotli` is of the highest quality already.
    pub brotli_best: bool,
    /// Gzip.
    pub gzip: Option<Bytes>,
    /// As it is; for stored pages only once it was asked for.
    pub identity: Option<Bytes>,
}

/// The moments of an entry's life, epoch seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// When its making began.
    pub made_at: u32,
    /// Up to here it is fresh.
    pub fresh_until: u32,
    /// Up to here it may be used stale.
    pub stale_until: u32,
}

/// Sixteen random bytes that name one making of one entry: also its lease's token.
pub type Stamp = [u8; 16];

/// The first half of the body's SHA-256; the stem of the entity tags.
pub type BodyHash = [u8; 16];

/// One page as it is kept.
#[derive(Debug)]
pub struct Entry {
    /// 200, 404; others only unkept.
    pub status: StatusCode,
    /// `content-type`.
    pub content_type: HeaderValue,
    /// The bodies.
    pub bodies: Bodies,
    /// Hash of the identity body.
    pub hash: BodyHash,
    /// Which making this is.
    pub stamp: Stamp,
    /// What it is.
    pub class: Class,
    /// Made by this process, or taken over from the second level.
    pub own: bool,
    /// When it may be used.
    pub times: Times,
    /// Surrogate tags.
    pub tags: Box<[Box<str>]>,
    /// How far each change log was known.
    pub positions: Box<[LogPosition]>,
    /// When the life of a missing item's or partial page ends by the clock that never jumps.
    ends: Option<Instant>,
    etags: [HeaderValue; 4],
    pub(super) uses: Arc<Uses>,
    /// The headers of its answers, as they were last sent.
    pub(super) heads: Heads,
}

/// What changes while an entry is in use.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The purge epoch in which the entry was last found good.
    pub(super) judged: AtomicU64,
    /// Fresh hits.
    pub(super) hits: AtomicU32,
    /// Times the identity body was asked for.
    pub(super) plain: AtomicU32,
    /// Epoch milliseconds before which no further refresh is tried.
    pub(super) retry_at: AtomicU64,
}

/// All that makes an entry, before it is one.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) status: StatusCode,
    pub(super) content_type: HeaderValue,
    pub(super) bodies: Bodies,
    pub(super) hash: BodyHash,
    pub(super) stamp: Stamp,
    pub(super) class: Class,
    pub(super) own: bool,
    pub(super) times: Times,
    pub(super) tags: Box<[Box<str>]>,
    pub(super) positions: Box<[LogPosition]>,
}

/// An entry's age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Use it.
    Fresh,
    /// Use it and make it anew.
    Stale,
    /// Its life is over.
    Over,
}

impl Times {
    /// The life of an entry whose making began at `made_at`.
    ///
    /// `ends_at` is the next begin or end of a timed item on it: its life ends there too.
    pub fn of(class: Class, made_at: u32, ends_at: Option<u32>, lives: &Lifetimes) -> Self {
        let after = |life: Duration| {
            let end = made_at.saturating_add(u32::try_from(life.as_secs()).unwrap_or(u32::MAX));
            ends_at.map_or(end, |ends_at| end.min(ends_at))
        };
        let (fresh, stale) = match class {
            Class::Whole | Class::Former => (lives.fresh, lives.stale),
            Class::Missing | Class::Partial => (lives.short, lives.short),
            Class::Unkept => (Duration::ZERO, Duration::ZERO),
        };
        Self { made_at, fresh_until: after(fresh), stale_until: after(stale) }
    }

    /// Where in its life an entry is.
    pub fn at(&self, now: u32) -> Freshness {
        if self.made_at > now.saturating_add(MAX_CLOCK_SKEW) {
            Freshness::Over
        } else if now < self.fresh_until {
            Freshness::Fresh
        } else if now < self.stale_until {
            Freshness::Stale
        } else {
            Freshness::Over
        }
    }
}

impl Entry {
    pub(super) fn new(parts: Parts) -> Self {
        let ends = matches!(parts.class, Class::Missing | Class::Partial).then(|| {
            let life = parts.times.stale_until.saturating_sub(parts.times.made_at);
            Instant::now() + Duration::from_secs(life.into())
        });
        let stem = hex(&parts.hash);
        // Hex digits and letters: always a header value.
        let etag = |suffix: &str| {
            HeaderValue::from_str(&format!("\"{stem}-{suffix}\""))
                .unwrap_or(HeaderValue::from_static("\"\""))
        };
        Self {
            status: parts.status,
            content_type: parts.content_type,
            bodies: parts.bodies,
            hash: parts.hash,
            stamp: parts.stamp,
            class: parts.class,
            own: parts.own,
            times: parts.times,
            tags: parts.tags,
            positions: parts.positions,
            ends,
            etags: [etag("br"), etag("bb"), etag("gz"), etag("id")],
            uses: Arc::default(),
            heads: Heads::default(),
        }
    }

    /// Where in its life it is.
    pub fn freshness(&self, now: u32) -> Freshness {
        match self.ends {
            Some(ends) if Instant::now() >= ends => Freshness::Over,
            _ => self.times.at(now),
        }
    }

    /// The parts of this entry, to make a changed one of.
    pub(super) fn parts(&self) -> Parts {
        Parts {
            status: self.status,
            content_type: self.content_type.clone(),
            bodies: self.bodies.clone(),
            hash: self.hash,
            stamp: self.stamp,
            class: self.class,
            own: self.own,
            times: self.times,
            tags: self.tags.clone(),
            positions: self.positions.clone(),
        }
    }

    /// The same page with other bodies, going on where this one is.
    pub(super) fn with_bodies(&self, bodies: Bodies) -> Self {
        let mut entry = Self::new(Parts { bodies, ..self.parts() });
        entry.uses = self.uses.clone();
        entry.ends = self.ends;
        entry
    }

    /// The strong entity tag of the body in a coding. Bytes differ by coding and by brotli's
    /// quality, so tags do too.
    pub fn etag(&self, coding: Coding) -> &HeaderValue {
        &self.etags[match coding {
            Coding::Brotli if self.bodies.brotli_best => 1,
            Coding::Brotli => 0,
            Coding::Gzip => 2,
            Coding::Identity => 3,
        }]
    }

    /// The own entity tag that is the given opaque tag, and the coding that it is of.
    pub fn known_etag(&self, opaque: &str) -> Option<(Coding, &HeaderValue)> {
        // Quick and best brotli, then the others, as `Entry::new` lists their tags.
        let codings = [Coding::Brotli, Coding::Brotli, Coding::Gzip, Coding::Identity];
        codings.into_iter().zip(&self.etags).find(|(_, etag)| {
            etag.as_bytes().get(1..etag.len() - 1).is_some_and(|own| own == opaque.as_bytes())
        })
    }

    /// The body in a coding, if it is there.
    pub fn body(&self, coding: Coding) -> Option<&Bytes> {
        match coding {
            Coding::Brotli => self.bodies.brotli.as_ref(),
            Coding::Gzip => self.bodies.gzip.as_ref(),
            Coding::Identity => self.bodies.identity.as_ref(),
        }
    }

    /// Seconds since it was made.
    pub fn age(&self, now: u32) -> u32 {
        now.saturating_sub(self.times.made_at)
    }

    /// Whether it is a whole page, this build's or the former's.
    pub fn is_whole(&self) -> bool {
        matches!(self.class, Class::Whole | Class::Former)
    }

    /// The bytes it takes in memory, what belongs to it included.
    pub fn weight(&self) -> u64 {
        const ALLOCATION: usize = 48;
        let body = |body: &Option<Bytes>| body.as_ref().map_or(0, |body| body.len() + ALLOCATION);
        let tags: usize = self.tags.iter().map(|tag| tag.len() + 16 + ALLOCATION).sum();
        let bytes = size_of::<Self>()
            + size_of::<Uses>()
            + ALLOCATION
            + body(&self.bodies.brotli)
            + body(&self.bodies.gzip)
            + body(&self.bodies.identity)
            + tags
            + self.positions.len() * size_of::<LogPosition>()
            + self.etags.len() * (self.etags[0].len() + ALLOCATION)
            + Heads::TYPICAL;
        bytes as u64
    }
}

/// The hash that an entity tag stands on: status and body.
pub(super) fn hash_of(status: StatusCode, body: &[u8]) -> BodyHash {
    let mut hasher = Sha256::new();
    hasher.update(status.as_u16().to_be_bytes());
    hasher.update(body);
    let mut hash = [0; 16];
    hash.copy_from_slice(&hasher.finalize()[..16]);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_end_where_the_contract_says() {
        use Freshness::{Fresh, Over, Stale};
        let lives = Lifetimes::default();
        let whole = Times::of(Class::Whole, 1000, None, &lives);
        let timed = Times::of(Class::Whole, 1000, Some(1100), &lives);
        let late = Times::of(Class::Whole, 1000, Some(5000), &lives);
        let missing = Times::of(Class::Missing, 1000, None, &lives);
        let unkept = Times::of(Class::Unkept, 1000, None, &lives);
        let cases = [
            (whole, 1000, Fresh),
            (whole, 1299, Fresh),
            (whole, 1300, Stale),
            (whole, 87_399, Stale),
            (whole, 87_400, Over),
            (timed, 1099, Fresh),
            (timed, 1100, Over),
            (late, 1300, Stale),
            (late, 5000, Over),
            (missing, 1009, Fresh),
            (missing, 1010, Over),
            (unkept, 1000, Over),
            // The clock went back, or another gateway's is ahead.
            (whole, 995, Fresh),
            (whole, 994, Over),
            (missing, 994, Over),
        ];
        for (times, now, expected) in cases {
            assert_eq!(times.at(now), expected, "{times:?} at {now}");
        }
    }
}
