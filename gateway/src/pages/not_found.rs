//! The not-found page, for unmatched paths, `/notFound` and missing items.

use sahm_proto::page::v1::NotFoundPage;

use super::{ItemKind, LoadContext, LoadError, PageHead};
use crate::routes::PageId;

pub(super) async fn load(_: &LoadContext<'_>) -> Result<NotFoundPage, LoadError> {
    Err(LoadError::Missing(ItemKind::Page))
}

pub(super) fn page(cx: &LoadContext<'_>, missing: ItemKind) -> NotFoundPage {
    let head = PageHead { noindex: true, without_canonical: true, ..PageHead::default() };
    let frame = cx.loaders.frame(cx.request, Some(PageId::NotFound), head);
    NotFoundPage { frame: Some(frame), missing: missing.to_string() }
}
