//! `/terms-and-conditions/{id?}` and `/about/{title}`: legal documents.

use sahm_proto::{content::v1::HelpDocument, page::v1::TermsPage};

use super::{ItemKind, LoadContext, LoadError, PageHead, parameters::Name};
use crate::addresses::slug_or_id;

/// Id of the document of `/terms-and-conditions`, the service agreement (docs/pages.md).
const DEFAULT_DOCUMENT: u64 = 27;

/// Id of the help centre's copy of the privacy policy.
pub(super) const PRIVACY_POLICY_COPY: u64 = 19;

const PRIVACY_POLICY: &str = "privacy-policy";

/// `HelpDocument.kind` of a legal document.
pub(super) const LEGAL: &str = "legal-document";

pub(super) fn legal_path(document: &HelpDocument) -> String {
    let name = match document.id {
        PRIVACY_POLICY_COPY => PRIVACY_POLICY.to_owned(),
        id => slug_or_id(&document.slug, id),
    };
    format!("/terms-and-conditions/{name}")
}

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<TermsPage, LoadError> {
    let name = cx.name("title")?.or(cx.name("id")?).unwrap_or(Name::Id(DEFAULT_DOCUMENT));
    let (document, documents) = tokio::join!(cx.help_document(&name), cx.legal_documents());
    let document = document?;
    if document.kind != LEGAL {
        return Err(LoadError::Missing(ItemKind::Document));
    }
    let head = PageHead {
        title: &document.title,
        description: &document.summary,
        locales: &document.available_locales,
        path: Some(legal_path(&document)),
        ..PageHead::default()
    };
    Ok(TermsPage {
        frame: cx.frame(head),
        other_language: document.locale != cx.locale().as_str(),
        documents: cx.optional("legal documents", documents).unwrap_or_default(),
        document: Some(document),
    })
}
