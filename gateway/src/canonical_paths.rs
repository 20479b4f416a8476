//! Canonical paths of items, without locale prefix (docs/pages.md). Pages, structured data and the sitemap use the same.

/// `CollegeArticle.kind` of an article about the company.
pub(crate) const COMPANY_ARTICLE: &str = "company-article";

/// `HelpDocument.kind` of a legal document.
pub(crate) const LEGAL_DOCUMENT: &str = "legal-document";

/// Id of the help centre's copy of the privacy policy. Its canonical path is that of the original.
pub(crate) const PRIVACY_POLICY_COPY: u64 = 19;

pub(crate) fn news_article(id: u64) -> String {
    format!("/news/content/{id}")
}

pub(crate) fn announcement(id: u64) -> String {
    format!("/news/-notice/{id}")
}

pub(crate) fn category(id: u64) -> String {
    format!("/education/category/{id}")
}

pub(crate) fn course(slug: &str, id: u64) -> String {
    format!("/education/course/{}", slug_or_id(slug, id))
}

pub(crate) fn college_article(kind: &str, slug: &str, id: u64) -> String {
    let parent = match kind {
        COMPANY_ARTICLE => "/company-news/detail",
        _ => "/education/article",
    };
    format!("{parent}/{}", slug_or_id(slug, id))
}

pub(crate) fn help_channel(slug: &str, id: u64) -> String {
    format!("/support/channel/{}", slug_or_id(slug, id))
}

/// The path of a help or legal document.
pub(crate) fn help_document(kind: &str, slug: &str, id: u64) -> String {
    match (kind, id) {
        (LEGAL_DOCUMENT, PRIVACY_POLICY_COPY) => "/terms-and-conditions/privacy-policy".to_owned(),
        (LEGAL_DOCUMENT, _) => format!("/terms-and-conditions/{}", slug_or_id(slug, id)),
        _ => format!("/support/detail/{}", slug_or_id(slug, id)),
    }
}

/// The path of a document without header and footer.
pub(crate) fn bare_document(slug: &str, id: u64) -> String {
    format!("/support/doc/{}", slug_or_id(slug, id))
}

fn slug_or_id(slug: &str, id: u64) -> String {
    if slug.is_empty() { id.to_string() } else { slug.to_owned() }
}
