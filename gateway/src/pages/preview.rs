//! `/preview/{type}`: drafts of a type, each on the page that would show it. Drafts have no tags: their pages are not
//! cached.

use sahm_proto::{
    Localize,
    content::v1::{
        GetDraftRequest, HelpChannelNode, HelpStep, ListCollegeArticlesRequest, ListDraftsRequest,
        get_draft_response::Item,
    },
    page::v1::{ArticlePage, EducationArticlePage, PreviewPage, SupportDetailPage, preview_page},
    tags,
};

use super::{
    ItemKind, LoadContext, LoadError, PageHead, article, data::NO_TAGS, education_article,
    links::localize_links, support_detail, terms,
};
use crate::canonical_paths::{self, COMPANY_ARTICLE, LEGAL_DOCUMENT};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<PreviewPage, LoadError> {
    let draft_type = cx
        .parameter("type")
        .filter(|draft_type| cx.loaders.preview_types.iter().any(|known| known == draft_type))
        .ok_or(LoadError::Missing(ItemKind::Page))?;
    let (r#type, locale) = (draft_type.to_owned(), cx.locale_name());
    // Without an id, the newest draft of the type, if any.
    let id = cx.request.query.get("draft").unwrap_or_default().to_owned();
    let is_named = !id.is_empty();
    let list = ListDraftsRequest {
        r#type: r#type.clone(),
        locale: locale.clone(),
        ..ListDraftsRequest::default()
    };
    let (drafts, draft) = tokio::join!(
        cx.read(NO_TAGS, list),
        cx.find(NO_TAGS, GetDraftRequest { r#type: r#type.clone(), id, locale }),
    );
    let draft = draft?;
    let page = match draft.item {
        Some(item) => Some(draft_page(cx, item).await),
        None if is_named => return Err(LoadError::Missing(ItemKind::Page)),
        None => None,
    };
    let (title, description) = page.as_ref().map_or((draft_type, ""), texts);
    let head = PageHead { title, description, noindex: true, ..PageHead::default() };
    let (frame, drafts) = (cx.frame(head), drafts?.items);
    Ok(PreviewPage { frame, r#type, drafts, draft_id: draft.id, page })
}

/// The page that would show a draft, with published content around it.
async fn draft_page(cx: &LoadContext<'_>, item: Item) -> preview_page::Page {
    match item {
        Item::Article(mut article) => {
            article.body_html = localize_links(&article.body_html, cx.locale());
            // Other articles of the market stand in for recommendations.
            let related = async {
                let size = article::RELATED_SIZE;
                let newest = cx.articles(&article.market, 0, size + 1, String::new()).await?.items;
                let others = newest.into_iter().filter(|other| other.id != article.id);
                Ok(others.take(size as usize).collect())
            };
            let parts = article::parts(cx, &article, related).await;
            preview_page::Page::Article(ArticlePage { article: Some(article), ..parts })
        }
        Item::CollegeArticle(mut article) => {
            article.body_html = localize_links(&article.body_html, cx.locale());
            let breadcrumb = async {
                match article.category_id {
                    0 => Ok(Vec::new()),
                    _ => cx.course_breadcrumb(article.course_id).await,
                }
            };
            // The newest articles of the kind stand in for recommendations. The course may be unpublished, too.
            let recommended = async {
                let size = education_article::RECOMMENDED_SIZE;
                let newest = if article.kind == COMPANY_ARTICLE {
                    cx.company_articles(size + 1, String::new()).await?.items
                } else {
                    let (locale, size) = (cx.locale_name(), size + 1);
                    let request = ListCollegeArticlesRequest { locale, size, ..Default::default() };
                    cx.read([tags::COLLEGE_ARTICLES], request).await?.items
                };
                let others = newest.into_iter().filter(|other| other.id != article.id);
                Ok(others.take(size as usize).collect())
            };
            let parts = education_article::parts(cx, &article, breadcrumb, recommended).await;
            let page = EducationArticlePage { article: Some(article), ..parts };
            preview_page::Page::EducationArticle(page)
        }
        Item::HelpDocument(mut document) => {
            document.body_html = localize_links(&document.body_html, cx.locale());
            if document.kind == LEGAL_DOCUMENT {
                let documents = cx.legal_documents().await;
                return preview_page::Page::Terms(terms::page(cx, document, documents));
            }
            let breadcrumb = async {
                let mut tree = cx.channel_tree().await?;
                tree.iter_mut().for_each(|channel| channel.localize(cx.locale()));
                Ok(path_to(&tree, document.channel_id).unwrap_or_default())
            };
            let parts = support_detail::parts(cx, &document, breadcrumb).await;
            let page = SupportDetailPage { document: Some(document), ..parts };
            preview_page::Page::SupportDetail(page)
        }
    }
}

/// Title and description of the page that is shown.
fn texts(page: &preview_page::Page) -> (&str, &str) {
    use preview_page::Page;
    let texts = match page {
        Page::Article(page) => page.article.as_ref().map(|text| (&text.title, &text.summary)),
        Page::EducationArticle(page) => {
            page.article.as_ref().map(|text| (&text.title, &text.summary))
        }
        Page::SupportDetail(page) => {
            page.document.as_ref().map(|text| (&text.title, &text.summary))
        }
        Page::Terms(page) => page.document.as_ref().map(|text| (&text.title, &text.summary)),
    };
    texts.map_or(("", ""), |(title, summary)| (title, summary))
}

/// The path from a top channel to a channel; `None` if it is not in the tree.
fn path_to(nodes: &[HelpChannelNode], id: u64) -> Option<Vec<HelpStep>> {
    nodes.iter().find_map(|node| {
        let beneath = match node.id == id {
            true => Vec::new(),
            false => path_to(&node.children, id)?,
        };
        let channel = node.channel.as_ref()?;
        let step = HelpStep {
            id: node.id,
            kind: "channel".to_owned(),
            name: channel.name.clone(),
            link: canonical_paths::help_channel("", node.id),
        };
        Some([vec![step], beneath].concat())
    })
}

#[cfg(test)]
mod tests {
    use sahm_proto::{Locale, content::v1::HelpChannel};

    use super::*;

    fn node(id: u64, children: Vec<HelpChannelNode>) -> HelpChannelNode {
        let name_sa = if id == 2 { "قناة".to_owned() } else { String::new() };
        let channel =
            HelpChannel { name_en: format!("Channel {id}"), name_sa, ..Default::default() };
        HelpChannelNode { id, channel: Some(channel), children }
    }

    #[test]
    fn path_leads_through_the_channel_tree() {
        let mut tree = [node(1, vec![node(3, Vec::new())]), node(2, vec![node(4, Vec::new())])];
        tree.iter_mut().for_each(|channel| channel.localize(Locale::ArSa));
        for (id, expected) in [
            (1, Some(vec!["Channel 1 /support/channel/1"])),
            (4, Some(vec!["قناة /support/channel/2", "Channel 4 /support/channel/4"])),
            (9, None),
        ] {
            let way = path_to(&tree, id);
            let way = way.map(|steps| {
                steps.iter().map(|step| format!("{} {}", step.name, step.link)).collect::<Vec<_>>()
            });
            assert_eq!(way, expected.map(|steps| steps.into_iter().map(str::to_owned).collect()));
        }
    }
}
