//! What a page's loader and renderer hand to the cache, and what the cache hands out.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderValue, StatusCode};

use super::entry::{Entry, LogPosition};

/// Makes a page; called again when a purge came while it was being made.
pub type Make = dyn Fn(FlightContext) -> BoxFuture<'static, Result<Made, MakeError>> + Send + Sync;

/// What a making may know of why it is made.
#[derive(Clone, Copy, Debug)]
pub struct FlightContext {
    /// No visitor waits for it.
    pub background: bool,
    /// Whether the renderer may be asked; not while another gateway has it render this page.
    pub renders: bool,
}

/// A page as it was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// 200 for [`Keep::Store`], 404 for [`Keep::Missing`].
    pub status: StatusCode,
    /// The body, uncompressed.
    pub body: Bytes,
    /// `content-type`.
    pub content_type: HeaderValue,
    /// Surrogate tags of all that was looked at, found or not; at most 255 bytes each.
    pub tags: Vec<String>,
    /// Where it may be kept.
    pub keep: Keep,
    /// The next begin or end of a timed item that was looked at, epoch seconds.
    pub expires_at: Option<u32>,
    /// For parts that were read before this making began and kept by the loader: the position
    /// ([`PageCache::position`](super::PageCache::position)) they were read under.
    pub read_under: Vec<LogPosition>,
}

impl Made {
    /// Where it may be kept, by what it says and by its status.
    pub(super) fn kept(&self) -> Keep {
        match (self.keep, self.status) {
            (Keep::Store | Keep::Partial, StatusCode::OK) => self.keep,
            (Keep::Store | Keep::Missing, StatusCode::NOT_FOUND) => Keep::Missing,
            _ => Keep::Never,
        }
    }
}

/// Where a page may be kept (docs/page-cache.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every part loaded, status 200: both levels.
    Store,
    /// A missing item or path, status 404: in process for a short time.
    Missing,
    /// An optional part is left out: in process for a short time, where no whole page is.
    Partial,
    /// A shell, an error: nowhere.
    Never,
}

/// Why there is no page.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MakeError {
    /// The queue before the renderer is full.
    #[error("no place in the queue")]
    Busy,
    /// Not made in time.
    #[error("not made in time")]
    Late,
    /// A part that the page cannot do without failed; for the log only.
    #[error("{0}")]
    Failed(Arc<str>),
}

impl MakeError {
    /// A failure with its cause.
    pub fn failed(cause: impl Into<Arc<str>>) -> Self {
        Self::Failed(cause.into())
    }
}

/// `x-page-cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// A fresh stored page.
    Hit,
    /// A stored page that is past its time and is made anew.
    Stale,
    /// Made for this request, or for one that asked at the same time.
    Miss,
    /// Not kept.
    Bypass,
}

impl How {
    /// As it stands in the header.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Stale => "stale",
            Self::Miss => "miss",
            Self::Bypass => "bypass",
        }
    }
}

/// A page to answer with.
#[derive(Clone, Debug)]
pub struct Served {
    /// The page.
    pub entry: Arc<Entry>,
    /// How it was come by.
    pub how: How,
    /// Another request's making was waited for.
    pub collapsed: bool,
    /// Epoch seconds of the answer.
    pub now: u32,
    /// What the cache took for it, the making included.
    pub took: Duration,
}

impl Served {
    /// Whether visitors' browsers may keep it (and ask again each time).
    pub fn may_be_kept(&self) -> bool {
        self.how != How::Bypass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_good_statuses_are_kept() {
        let cases = [
            (Keep::Store, 200, Keep::Store),
            (Keep::Store, 404, Keep::Missing),
            (Keep::Store, 500, Keep::Never),
            (Keep::Store, 302, Keep::Never),
            (Keep::Partial, 200, Keep::Partial),
            (Keep::Partial, 404, Keep::Never),
            (Keep::Missing, 404, Keep::Missing),
            (Keep::Missing, 200, Keep::Never),
            (Keep::Never, 200, Keep::Never),
        ];
        for (keep, status, expected) in cases {
            let made = Made {
                status: StatusCode::from_u16(status).unwrap_or_default(),
                body: Bytes::new(),
                content_type: HeaderValue::from_static("text/html"),
                tags: vec![],
                keep,
                expires_at: None,
                read_under: vec![],
            };
            assert_eq!(made.kept(), expected, "{keep:?} {status}");
        }
    }
}
