//! What hits show of a document. It is in memory beside the index, so that a search reads no store.
use std::sync::Arc;

use super::{Hit, highlight::Highlighter};
use crate::domain::{SearchDocument, marked};

#[derive(Debug)]
pub(super) struct IndexedDocument {
    /// Without keywords and body; numbers are marked in Arabic (`domain::marked`).
    pub document: Arc<SearchDocument>,
    /// The text outside headings and tables, marked as the title.
    prose: String,
}

impl IndexedDocument {
    pub(super) fn new(document: &SearchDocument) -> Self {
        let locale = document.locale;
        let prose = marked(&document.prose(), locale);
        let document = SearchDocument {
            title: marked(&document.title, locale),
            summary: marked(&document.summary, locale),
            slug: document.slug.clone(),
            keywords: Vec::new(),
            body_html: String::new(),
            ..*document
        };
        Self { document: Arc::new(document), prose }
    }

    pub(super) fn hit(&self, highlighter: &Highlighter) -> Hit {
        Hit {
            document: self.document.clone(),
            title: highlighter.parts(&self.document.title),
            excerpt: highlighter.excerpt(&self.document.summary, &self.prose),
        }
    }
}
