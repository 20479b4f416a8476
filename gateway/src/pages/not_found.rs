//! The not-found page: of an unmatched path, of `/notFound`, of an item that does not exist.

use sahm_proto::page::v1::NotFoundPage;

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead};
use crate::routes::PageId;

impl Loaders {
    /// `missing` names the kind of item and its tags, so that the page goes when the item comes.
    pub(super) fn not_found(
        &self,
        request: &PageRequest,
        missing: Option<(&str, Vec<String>)>,
    ) -> Loaded {
        let mut found = Found::default();
        let layout = &self.route(PageId::NotFound).layout;
        let head = PageHead { noindex: true, nameless: true, ..PageHead::default() };
        let page = PageId::NotFound.as_str();
        let frame = self.frame(request, page, layout, head);
        let (missing, tags) = missing.unzip();
        found.tags.extend(tags.into_iter().flatten());
        let document =
            NotFoundPage { frame: Some(frame), missing: missing.unwrap_or("page").to_owned() };
        found.loaded(404, page, Document::NotFound(Box::new(document)))
    }
}
