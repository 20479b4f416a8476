//! `/support/detail/{articleId}`

use sahm_proto::page::v1::SupportDetailPage;

use super::{LoadContext, LoadError, PageHead};
use crate::canonical_paths::help_document;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<SupportDetailPage, LoadError> {
    let document = cx.help_document(&cx.required_name("articleId")?).await?;
    let (breadcrumb, related) =
        tokio::join!(cx.help_breadcrumb(&document), cx.related_documents(&document));
    let breadcrumb = cx.optional("breadcrumb", breadcrumb).unwrap_or_default();
    let steps = breadcrumb.iter().map(|step| (step.name.as_str(), step.link.as_str()));
    let head = PageHead {
        title: &document.title,
        description: &document.summary,
        locales: &document.available_locales,
        og_type: "article",
        path: Some(help_document(&document.kind, &document.slug, document.id)),
        json_ld: cx.breadcrumb_json_ld(steps).into_iter().collect(),
        ..PageHead::default()
    };
    Ok(SupportDetailPage {
        frame: cx.frame(head),
        other_language: document.locale != cx.locale().as_str(),
        document: Some(document),
        breadcrumb,
        related: cx.optional("related", related).unwrap_or_default(),
    })
}
