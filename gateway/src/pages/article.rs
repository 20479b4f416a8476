//! `/news/content/{id}`

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{Article, ArticleSummary, GetArticleRequest, ListRecommendedNewsRequest},
    page::v1::ArticlePage,
    tags,
};

use super::{
    ItemKind, LoadContext, LoadError, PageHead, json_ld::ArticleData, links::localize_links,
};
use crate::canonical_paths;

/// Number of recommended articles.
pub(super) const RELATED_SIZE: u32 = 6;

/// Maximum number of quotes beside an article.
const MAX_QUOTES: usize = 10;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<ArticlePage, LoadError> {
    let id = cx.required_id("id")?;
    let request = GetArticleRequest { id, locale: cx.locale_name(), ..Default::default() };
    let response = cx.find([tags::news(id), tags::NEWS_STOCKS.to_owned()], request).await?;
    let mut article = response.article.ok_or(LoadError::Missing(ItemKind::Article))?;
    article.body_html = localize_links(&article.body_html, cx.locale());
    let parts = parts(cx, &article, recommended(cx, &article)).await;
    let image = article.image.as_ref().map_or("", |image| image.path.as_str());
    let head = PageHead {
        title: &article.title,
        description: &article.summary,
        locales: &article.available_locales,
        og_type: "article",
        image: if image.ends_with(".svg") { "" } else { image },
        json_ld: vec![cx.article_json_ld(&ArticleData {
            kind: "NewsArticle",
            title: &article.title,
            summary: &article.summary,
            locale: &article.locale,
            published_at: article.published_at,
            updated_at: article.updated_at,
            author: &article.author,
            path: &canonical_paths::news_article(article.id),
        })],
        ..PageHead::default()
    };
    Ok(ArticlePage {
        frame: cx.frame(head),
        article: Some(article),
        machine_translation: response.machine_translation,
        ..parts
    })
}

/// What a page shows beside an article.
pub(super) async fn parts(
    cx: &LoadContext<'_>,
    article: &Article,
    related: impl Future<Output = Result<Vec<ArticleSummary>>>,
) -> ArticlePage {
    let codes = article.stocks.iter().map(|stock| stock.stock_code.as_str());
    let codes = codes.take(MAX_QUOTES).collect::<Vec<_>>().join(",");
    let (related, quotes) = tokio::join!(related, cx.quotes(codes));
    let related = cx.optional("related", related);
    let quotes = cx.optional("quotes", quotes);
    ArticlePage {
        other_language: article.locale != cx.locale().as_str(),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        related_unavailable: related.is_none(),
        related: related.unwrap_or_default(),
        ..ArticlePage::default()
    }
}

async fn recommended(cx: &LoadContext<'_>, article: &Article) -> Result<Vec<ArticleSummary>> {
    let request = ListRecommendedNewsRequest {
        content_id: article.id,
        locale: cx.locale_name(),
        size: RELATED_SIZE,
        ..Default::default()
    };
    let tags = [tags::news_list(&article.market), tags::news_list("all")];
    let items = cx.read(tags, request).await?.items;
    cx.tag_articles(&items);
    Ok(items)
}
