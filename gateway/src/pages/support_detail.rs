//! `/support/detail/{articleId}`

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{GetHelpBreadcrumbRequest, HelpDocument, HelpStep},
    page::v1::SupportDetailPage,
    tags,
};

use super::{LoadContext, LoadError, PageHead};
use crate::canonical_paths::help_document;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportDetailPage, LoadError> {
    let document = cx.help_document(&cx.required_name("articleId")?).await?;
    let breadcrumb = async {
        let (id, locale) = (document.id.to_string(), cx.locale_name());
        let tags = [tags::help_document(document.id), tags::HELP_CHANNELS.to_owned()];
        Ok(cx.read(tags, GetHelpBreadcrumbRequest { id, locale }).await?.items)
    };
    let parts = parts(cx, &document, breadcrumb).await;
    let steps = parts.breadcrumb.iter().map(|step| (step.name.as_str(), step.link.as_str()));
    let head = PageHead {
        title: &document.title,
        description: &document.summary,
        locales: &document.available_locales,
        og_type: "article",
        path: Some(help_document(&document.kind, &document.slug, document.id)),
        json_ld: cx.breadcrumb_json_ld(steps).into_iter().collect(),
        ..PageHead::default()
    };
    Ok(SupportDetailPage { frame: cx.frame(head), document: Some(document), ..parts })
}

/// What a page shows beside a document.
pub(super) async fn parts(
    cx: &LoadContext<'_>,
    document: &HelpDocument,
    breadcrumb: impl Future<Output = Result<Vec<HelpStep>>>,
) -> SupportDetailPage {
    let (breadcrumb, related) = tokio::join!(breadcrumb, cx.related_documents(document));
    SupportDetailPage {
        other_language: document.locale != cx.locale().as_str(),
        breadcrumb: cx.optional("breadcrumb", breadcrumb).unwrap_or_default(),
        related: cx.optional("related", related).unwrap_or_default(),
        ..SupportDetailPage::default()
    }
}
