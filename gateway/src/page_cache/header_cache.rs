//! The response headers of an entry's hits, one set for each content encoding and one for 304.

use arc_swap::ArcSwapOption;
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::content_encoding::ContentEncoding;

/// The headers of an entry's responses: one slot for each encoding, one for 304.
#[derive(Debug, Default)]
pub(super) struct HeaderCache([ArcSwapOption<CachedHeaders>; 4]);

#[derive(Debug)]
pub(super) struct CachedHeaders {
    /// The epoch second in which they are valid.
    pub(super) now: u32,
    /// For 304: the entity tag that the client sent.
    pub(super) etag: Option<HeaderValue>,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
}

impl HeaderCache {
    /// Typical size in bytes: most pages are requested in one encoding.
    pub(super) const TYPICAL: usize = 3 << 10;

    pub(super) fn slot(
        &self,
        coding: ContentEncoding,
        is_unchanged: bool,
    ) -> &ArcSwapOption<CachedHeaders> {
        &self.0[match coding {
            _ if is_unchanged => 3,
            ContentEncoding::Brotli => 0,
            ContentEncoding::Gzip => 1,
            ContentEncoding::Identity => 2,
        }]
    }
}
