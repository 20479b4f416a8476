//! `/terms-and-conditions/{id?}`, `/about/{title}` and `/support/doc/{id?}`.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{
        GetHelpDocumentRequest, HelpDocument, HelpDocumentSummary, ListLegalDocumentsRequest,
    },
    page::v1::{SupportDocPage, TermsPage},
    tags,
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest,
    frame::PageHead,
    links::localised,
    lists::Timed,
    parameters::{self, Name},
};
use crate::{addresses::slug_or_id, routes::Match, services::reading};

/// The page id of a legal document, also under `/about/{title}`.
const TERMS: &str = "terms";

/// What `/terms-and-conditions` shows: the service agreement (docs/pages.md).
const DEFAULT_TERMS: u64 = 27;

/// What `/support/doc` shows: the help centre's copy of the privacy policy.
const DEFAULT_DOC: u64 = 19;

/// The slug of the privacy policy itself, which [`DEFAULT_DOC`] copies.
const PRIVACY_POLICY: &str = "privacy-policy";

/// `HelpDocument.kind` of a legal document.
pub(super) const LEGAL: &str = "legal-document";

/// A document that a path names.
pub(super) enum Asked {
    /// There it is, its links in the page's language.
    Found(Box<HelpDocument>),
    /// Tags of what is not there.
    Missing(Vec<String>),
}

/// The one address of a legal document.
pub(super) fn legal_path(document: &HelpDocument) -> String {
    let name = match document.id {
        DEFAULT_DOC => PRIVACY_POLICY.to_owned(),
        id => slug_or_id(&document.slug, id),
    };
    format!("/terms-and-conditions/{name}")
}

impl Loaders {
    pub(super) async fn terms(
        &self,
        request: &PageRequest,
        matched: &Match,
        parameter: &str,
    ) -> Result<Loaded, Error> {
        let Ok(asked) = parameters::name(matched, parameter) else {
            return Ok(self.not_found(request, None));
        };
        let asked = asked.unwrap_or(Name::Id(DEFAULT_TERMS));
        let mut found = Found::default();
        let locale = request.visitor.locale.as_str();
        let (document, documents) = tokio::join!(
            self.help_document(request, &asked, &mut found),
            self.legal_documents(locale),
        );
        let document = match document? {
            Asked::Found(document) if document.kind == LEGAL => *document,
            Asked::Found(document) => {
                let missing = ("document", vec![tags::help_document(document.id)]);
                return Ok(self.not_found(request, Some(missing)));
            }
            Asked::Missing(missing) => {
                return Ok(self.not_found(request, Some(("document", missing))));
            }
        };
        found.tag(tags::help_document(document.id));
        found.tag(tags::HELP_LEGAL);
        let documents = found.timed("legal documents", documents);
        let head = PageHead {
            title: &document.title,
            description: &document.summary,
            locales: &document.available_locales,
            path: Some(legal_path(&document)),
            ..PageHead::default()
        };
        let layout = &self.route(matched.page).layout;
        let frame = self.frame(request, TERMS, layout, head);
        let document = TermsPage {
            frame: Some(frame),
            other_language: document.locale != locale,
            document: Some(document.clone()),
            documents,
        };
        Ok(found.loaded(200, TERMS, Document::Terms(Box::new(document))))
    }

    /// Every legal document that there is in a language.
    pub(super) async fn legal_documents(
        &self,
        locale: &str,
    ) -> Result<Timed<HelpDocumentSummary>, Error> {
        let request = ListLegalDocumentsRequest { locale: locale.to_owned() };
        let answer = reading(self.services.help()?.list_legal_documents(request)).await?;
        Ok(Timed { items: answer.items, next_change_at: answer.next_change_at })
    }

    pub(super) async fn support_doc(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(asked) = parameters::name(matched, "id") else {
            return Ok(self.not_found(request, None));
        };
        let asked = asked.unwrap_or(Name::Id(DEFAULT_DOC));
        let mut found = Found::default();
        let document = match self.help_document(request, &asked, &mut found).await? {
            Asked::Found(document) => *document,
            Asked::Missing(missing) => {
                return Ok(self.not_found(request, Some(("document", missing))));
            }
        };
        found.tag(tags::help_document(document.id));
        let head = PageHead {
            title: &document.title,
            description: &document.summary,
            locales: &document.available_locales,
            path: Some(format!("/support/doc/{}", slug_or_id(&document.slug, document.id))),
            ..PageHead::default()
        };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = SupportDocPage {
            frame: Some(frame),
            other_language: document.locale != request.visitor.locale.as_str(),
            document: Some(document.clone()),
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::SupportDoc(Box::new(document))))
    }

    /// A document of the help centre, legal ones too.
    pub(super) async fn help_document(
        &self,
        request: &PageRequest,
        asked: &Name,
        found: &mut Found,
    ) -> Result<Asked, Error> {
        let answer = reading(self.services.help()?.get_help_document(GetHelpDocumentRequest {
            id: asked.text(),
            locale: request.visitor.locale.as_str().to_owned(),
            channel_id: String::new(),
        }))
        .await;
        let document = match answer {
            Err(error) if error.code() == ErrorCode::DocumentNotFound => None,
            answer => {
                let answer = answer?;
                found.changes_at(answer.next_change_at);
                answer.document
            }
        };
        Ok(match document {
            Some(mut document) => {
                document.body_html = localised(&document.body_html, request.visitor.locale);
                Asked::Found(Box::new(document))
            }
            None => Asked::Missing(match asked {
                Name::Id(id) => vec![tags::help_document(*id)],
                Name::Slug(_) => vec![tags::HELP_DOCUMENTS.to_owned(), tags::HELP_LEGAL.to_owned()],
            }),
        })
    }
}
