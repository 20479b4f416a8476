//! The page cache (docs/page-cache.md): two levels, at most one fill a key over all gateways, invalidation by the
//! services' change logs.
//!
//! Layers, each importing only those below it:
//!
//! - [`start`], [`fetch`], [`hit`], [`response`], [`admin`]: the public API. `fetch` answers from the cache or by a
//!   fill, `hit` is its short form for fresh pages, `response` builds HTTP responses.
//! - [`fill`], [`recompress`]: what runs on a miss, and better compression afterwards.
//! - [`cache`]: the state and the lookup in it.
//! - [`invalidation`]: what was purged.
//! - [`store`]: in this process, and in Redis.
//! - [`entry`], [`key`], [`status`], [`header_cache`], [`compress`], [`appendable`], [`metrics`]: the data.

mod admin;
mod appendable;
mod cache;
mod compress;
mod entry;
mod fetch;
mod fill;
mod header_cache;
mod hit;
mod invalidation;
mod key;
mod metrics;
mod recompress;
mod response;
mod start;
mod status;
mod store;

pub use self::{
    admin::{CacheMetrics, Explanation},
    cache::PageCache,
    entry::{Bodies, BodyHash, Entry, EntryKind, FillId, Freshness, Lifetimes, LogPosition, Times},
    fill::origin::{FillContext, Origin, OriginError, OriginResponse},
    key::{ALL_PAGES, Key, Kind, key_tag, path_tag},
    start::CacheConfig,
    status::{CacheStatus, Served},
};
pub(crate) use self::{
    appendable::AppendableBody, compress::Encoder, entry::LogState, fetch::PAGE_TIME,
};
