//! The origin of pages, which the cache calls on a miss, and its responses.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderValue, StatusCode};

use super::entry::EntryKind;
use crate::content_encoding::ContentEncoding;

/// Produces a page; called again when the page was purged meanwhile.
pub type Origin =
    dyn Fn(FillContext) -> BoxFuture<'static, Result<OriginResponse, OriginError>> + Send + Sync;

/// How the origin is called.
#[derive(Clone, Copy, Debug)]
pub struct FillContext {
    /// Whether the renderer may be called; false while another gateway renders this page.
    pub renders: bool,
}

/// A page as the origin produced it.
#[derive(Clone, Debug)]
pub struct OriginResponse {
    /// 200 for [`EntryKind::Complete`], 404 for [`EntryKind::NotFound`].
    pub status: StatusCode,
    pub body: Bytes,
    /// The content coding of the body: identity if the page may be stored.
    pub coding: ContentEncoding,
    pub content_type: HeaderValue,
    /// Surrogate tags of everything that was read, found or not; at most 255 bytes each.
    pub tags: Vec<String>,
    /// Where it may be stored.
    pub kind: EntryKind,
    /// The next start or end of a timed item on the page, epoch seconds.
    pub expires_at: Option<u32>,
}

impl OriginResponse {
    /// A page that is stored nowhere.
    pub fn uncacheable(status: StatusCode, body: Bytes, content_type: HeaderValue) -> Self {
        let (kind, coding) = (EntryKind::Uncacheable, ContentEncoding::Identity);
        Self { status, body, coding, content_type, tags: Vec::new(), kind, expires_at: None }
    }

    /// Where it may be stored; depends on its status too.
    pub(super) fn kind(&self) -> EntryKind {
        match (self.kind, self.status) {
            (EntryKind::Complete | EntryKind::Partial, StatusCode::OK) => self.kind,
            (EntryKind::Complete | EntryKind::NotFound, StatusCode::NOT_FOUND) => {
                EntryKind::NotFound
            }
            _ => EntryKind::Uncacheable,
        }
    }
}

/// Why there is no page.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OriginError {
    /// Out of time.
    #[error("out of time")]
    Late,
    /// A required part failed; the cause is for the log only.
    #[error("{0}")]
    Failed(Arc<str>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_is_storable_only_with_its_status() {
        struct Case {
            kind: EntryKind,
            status: u16,
            stored_as: EntryKind,
        }
        let case = |kind, status, stored_as| Case { kind, status, stored_as };
        for Case { kind, status, stored_as } in [
            case(EntryKind::Complete, 200, EntryKind::Complete),
            case(EntryKind::Complete, 404, EntryKind::NotFound),
            case(EntryKind::Complete, 500, EntryKind::Uncacheable),
            case(EntryKind::Complete, 302, EntryKind::Uncacheable),
            case(EntryKind::Partial, 200, EntryKind::Partial),
            case(EntryKind::Partial, 404, EntryKind::Uncacheable),
            case(EntryKind::NotFound, 404, EntryKind::NotFound),
            case(EntryKind::NotFound, 200, EntryKind::Uncacheable),
            case(EntryKind::Uncacheable, 200, EntryKind::Uncacheable),
        ] {
            let status = StatusCode::from_u16(status).unwrap_or_default();
            let html = HeaderValue::from_static("text/html");
            let response =
                OriginResponse { kind, ..OriginResponse::uncacheable(status, Bytes::new(), html) };
            assert_eq!(response.kind(), stored_as, "{kind:?} {status}");
        }
    }
}
