//! The page cache (docs/page-cache.md): a shared HTTP cache (RFC 9111) in two levels, with at most one fill per key
//! across all gateways, invalidated by the services' change logs.
//!
//! [`PageCache::fetch`] answers a request:
//!
//! 1. A **fresh** entry is a hit.
//! 2. A **stale** entry is served, and refreshed in the background (RFC 5861 `stale-while-revalidate`).
//! 3. A miss joins the key's **single-flight**. Its leader looks into Redis, takes the key's **lease**, calls the
//!    [`Origin`], compresses the body, hands the page to all waiters and stores it in both levels. The lease's token
//!    is a **fencing token**: a gateway that lost its lease stores nothing.
//! 4. If that fails, a stale entry is served for up to 24 h (RFC 5861 `stale-if-error`).
//!
//! Every entry has **surrogate tags** and the position of each change log under which it was created. It is valid
//! while none of its tags was purged after that position; the purge index answers this without a call.
//!
//! Layers, each importing only those below it:
//!
//! | layer | modules |
//! | --- | --- |
//! | public API | `start`, `fetch`, `hit` (the fast path of fresh entries), `response` (HTTP responses), `admin` |
//! | work | `fill` (after a miss), `recompress` (better compression of popular entries) |
//! | state | `cache`: both stores, the index and the fills, and the lookup in them |
//! | invalidation | `index` (purges), `subscriber` (change logs), `replica` (of the logs, in Redis), `cdn_purges` |
//! | stores | `local` (in process), `remote` (in Redis; the scripts are in `store/scripts`), `codec` |
//! | data | `entry`, `key`, `status` (RFC 9211), `origin`, `cdn` (headers for a CDN), `compress`, `appendable`, `metrics` |

mod admin;
mod appendable;
mod cache;
mod cdn;
pub(crate) mod compress;
mod entry;
mod fetch;
mod fill;
mod hit;
mod invalidation;
mod key;
mod metrics;
mod origin;
mod recompress;
mod response;
mod start;
mod status;
mod store;

pub use self::{
    admin::Explanation,
    cache::PageCache,
    cdn::CacheScope,
    entry::{
        Bodies, BodyHash, Entry, EntryData, EntryKind, FillId, Freshness, Lifetimes, LogPosition,
        Times,
    },
    key::{ALL_PAGES, Key, Kind, key_tag, path_tag},
    origin::{FillContext, Origin, OriginError, OriginResponse},
    start::CacheConfig,
    status::{CacheStatus, ServedPage},
};
pub(crate) use self::{
    appendable::AppendableBody,
    cdn::{PAGE_VARIANT, is_shared},
    entry::LogState,
    fetch::PAGE_TIME,
};
