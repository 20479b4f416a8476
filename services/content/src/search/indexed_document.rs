//! The displayed fields of an indexed document, held in memory so that a search does not query the
//! store.
use std::sync::Arc;

use super::{Hit, highlight::Highlighter};
use crate::domain::{SearchDocument, isolate_numbers};

#[derive(Debug)]
pub(super) struct IndexedDocument {
    /// Without keywords and body; numbers are marked in Arabic (`domain::isolate_numbers`).
    pub document: Arc<SearchDocument>,
    /// The text outside headings and tables, with numbers marked like the title.
    prose: String,
}

impl IndexedDocument {
    pub(super) fn new(document: &SearchDocument) -> Self {
        let locale = document.locale;
        let prose = isolate_numbers(&document.prose(), locale);
        let document = SearchDocument {
            title: isolate_numbers(&document.title, locale),
            summary: isolate_numbers(&document.summary, locale),
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
