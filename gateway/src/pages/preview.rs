//! `/preview/{type}`: drafts of a type, each on the page that would show it.

use sahm_proto::{
    Localize,
    content::v1::{
        Article, CollegeArticle, HelpChannelNode, HelpDocument, HelpStep, get_draft_response::Item,
    },
    page::v1::{
        ArticlePage, EducationArticlePage, PreviewPage, SupportDetailPage, TermsPage, preview_page,
    },
};

use super::{
    ItemKind, LoadContext, LoadError, PageHead,
    article::{RELATED_SIZE, article_quotes},
    education_article::RECOMMENDED_SIZE,
    links::localize_links,
};
use crate::canonical_paths::{self, LEGAL_DOCUMENT};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<PreviewPage, LoadError> {
    let draft_type = cx
        .parameter("type")
        .filter(|draft_type| cx.loaders.preview_types.iter().any(|known| known == draft_type))
        .ok_or(LoadError::Missing(ItemKind::Page))?;
    let id = cx.request.query.get("draft").unwrap_or_default();
    let (drafts, draft) = tokio::join!(cx.drafts(draft_type), cx.draft(draft_type, id));
    let draft = draft?;
    let page = match draft.item {
        Some(item) => Some(draft_page(cx, item).await),
        None => None,
    };
    let (title, description) = page.as_ref().map_or((draft_type, ""), texts);
    let head = PageHead { title, description, noindex: true, ..PageHead::default() };
    Ok(PreviewPage {
        frame: cx.frame(head),
        r#type: draft_type.to_owned(),
        drafts: drafts?,
        draft_id: draft.id,
        page,
    })
}

/// The page that would show a draft, with published content around it.
async fn draft_page(cx: &LoadContext<'_>, item: Item) -> preview_page::Page {
    match item {
        Item::Article(mut article) => {
            article.body_html = localize_links(&article.body_html, cx.locale());
            article_draft(cx, article).await
        }
        Item::CollegeArticle(mut article) => {
            article.body_html = localize_links(&article.body_html, cx.locale());
            college_draft(cx, article).await
        }
        Item::HelpDocument(mut document) => {
            document.body_html = localize_links(&document.body_html, cx.locale());
            match document.kind.as_str() {
                LEGAL_DOCUMENT => legal_draft(cx, document).await,
                _ => help_draft(cx, document).await,
            }
        }
    }
}

async fn article_draft(cx: &LoadContext<'_>, article: Article) -> preview_page::Page {
    // Other articles of the market stand in for recommendations.
    let (newest, quotes) = tokio::join!(
        cx.articles(&article.market, 0, RELATED_SIZE + 1, String::new()),
        article_quotes(cx, &article),
    );
    let newest = cx.optional("related", newest);
    let related_unavailable = newest.is_none();
    let newest = newest.map(|list| list.items).unwrap_or_default();
    let others = newest.into_iter().filter(|other| other.id != article.id);
    let quotes = cx.optional("quotes", quotes);
    preview_page::Page::Article(ArticlePage {
        frame: None,
        other_language: article.locale != cx.locale().as_str(),
        related_unavailable,
        related: others.take(RELATED_SIZE as usize).collect(),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        article: Some(article),
        // Only published articles are translated.
        machine_translation: false,
    })
}

async fn college_draft(cx: &LoadContext<'_>, article: CollegeArticle) -> preview_page::Page {
    let breadcrumb = async {
        match article.category_id {
            0 => Ok(Vec::new()),
            _ => cx.course_breadcrumb(article.course_id).await,
        }
    };
    let (breadcrumb, course, newest) = tokio::join!(
        breadcrumb,
        cx.course_articles(&article),
        cx.newest_college_articles(&article, RECOMMENDED_SIZE + 1),
    );
    let newest = cx.optional("recommended", newest).unwrap_or_default();
    let others = newest.into_iter().filter(|other| other.id != article.id);
    // The course may be unpublished, too.
    preview_page::Page::EducationArticle(EducationArticlePage {
        frame: None,
        other_language: article.locale != cx.locale().as_str(),
        breadcrumb: cx.optional("breadcrumb", breadcrumb).unwrap_or_default(),
        course_articles: cx.optional("course", course).unwrap_or_default(),
        recommended: others.take(RECOMMENDED_SIZE as usize).collect(),
        videos: Vec::new(),
        article: Some(article),
    })
}

async fn help_draft(cx: &LoadContext<'_>, document: HelpDocument) -> preview_page::Page {
    let (tree, related) = tokio::join!(cx.channel_tree(), cx.related_documents(&document));
    let mut tree = cx.optional("breadcrumb", tree).unwrap_or_default();
    tree.iter_mut().for_each(|channel| channel.localize(cx.locale()));
    preview_page::Page::SupportDetail(SupportDetailPage {
        frame: None,
        other_language: document.locale != cx.locale().as_str(),
        breadcrumb: path_to(&tree, document.channel_id).unwrap_or_default(),
        related: cx.optional("related", related).unwrap_or_default(),
        document: Some(document),
    })
}

async fn legal_draft(cx: &LoadContext<'_>, document: HelpDocument) -> preview_page::Page {
    let documents = cx.legal_documents().await;
    preview_page::Page::Terms(TermsPage {
        frame: None,
        other_language: document.locale != cx.locale().as_str(),
        documents: cx.optional("legal documents", documents).unwrap_or_default(),
        document: Some(document),
    })
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
