//! How a response was served (RFC 9211), and the page that it is served from.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use strum::IntoStaticStr;

use super::entry::Entry;

/// The value of `x-page-cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum CacheStatus {
    /// A fresh stored page.
    Hit,
    /// A stored stale page, refreshed in the background.
    Stale,
    /// Produced for this request or a concurrent one.
    Miss,
    /// Not stored.
    Bypass,
}

impl CacheStatus {
    /// The header value.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The page that a fill produced.
#[derive(Clone, Debug)]
pub(super) struct FillResult {
    pub(super) entry: Arc<Entry>,
    pub(super) cache_status: CacheStatus,
}

/// A page to respond with.
#[derive(Clone, Debug)]
pub struct ServedPage {
    pub entry: Arc<Entry>,
    /// Hit, stale, miss or bypass.
    pub cache_status: CacheStatus,
    /// The request waited for another request's fill (RFC 9211 `collapsed`).
    pub collapsed: bool,
    /// Epoch seconds of the response.
    pub now: u32,
    /// Time spent in the cache, the origin included.
    pub took: Duration,
}

impl ServedPage {
    pub(super) fn new(result: FillResult, collapsed: bool, now: u32, began: Instant) -> Self {
        let FillResult { entry, cache_status } = result;
        Self { entry, cache_status, collapsed, now, took: began.elapsed() }
    }

    /// Whether browsers may store it (and revalidate each time).
    pub fn is_storable(&self) -> bool {
        self.cache_status != CacheStatus::Bypass
    }
}
