//! `/terms-and-conditions/{id?}` and `/about/{title}`: legal documents.

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{HelpDocument, HelpDocumentSummary},
    page::v1::TermsPage,
};

use super::{ItemKind, LoadContext, LoadError, PageHead, parameters::Name};
use crate::canonical_paths::{LEGAL_DOCUMENT, help_document};

/// Id of the document of `/terms-and-conditions`, the service agreement (docs/pages.md).
const DEFAULT_DOCUMENT: u64 = 27;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<TermsPage, LoadError> {
    let name = cx.name("title")?.or(cx.name("id")?).unwrap_or(Name::Id(DEFAULT_DOCUMENT));
    let (document, documents) = tokio::join!(cx.help_document(&name), cx.legal_documents());
    let document = document?;
    if document.kind != LEGAL_DOCUMENT {
        return Err(LoadError::Missing(ItemKind::Document));
    }
    let head = PageHead {
        title: &document.title,
        description: &document.summary,
        locales: &document.available_locales,
        path: Some(help_document(&document.kind, &document.slug, document.id)),
        ..PageHead::default()
    };
    Ok(TermsPage { frame: cx.frame(head), ..page(cx, document, documents) })
}

/// The page of a legal document, beside the others.
pub(super) fn page(
    cx: &LoadContext<'_>,
    document: HelpDocument,
    documents: Result<Vec<HelpDocumentSummary>>,
) -> TermsPage {
    TermsPage {
        frame: None,
        other_language: document.locale != cx.locale().as_str(),
        documents: cx.optional("legal documents", documents).unwrap_or_default(),
        document: Some(document),
    }
}
