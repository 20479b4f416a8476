//! `/news/content/{id}`

use sahm_chassis::error::Result;
use sahm_proto::{content::v1::Article, page::v1::ArticlePage, quotes::v1::Quote};

use super::{LoadContext, LoadError, PageHead, json_ld::ArticleData, links::localize_links};
use crate::canonical_paths;

/// Number of recommended articles.
pub(super) const RELATED_SIZE: u32 = 6;

/// Maximum number of quotes beside an article.
const MAX_QUOTES: usize = 10;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<ArticlePage, LoadError> {
    let (mut article, machine_translation) = cx.article(cx.required_id("id")?).await?;
    article.body_html = localize_links(&article.body_html, cx.locale());
    let (related, quotes) =
        tokio::join!(cx.recommended_news(&article, RELATED_SIZE), article_quotes(cx, &article),);
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
    let related = cx.optional("related", related);
    let quotes = cx.optional("quotes", quotes);
    Ok(ArticlePage {
        frame: cx.frame(head),
        other_language: article.locale != cx.locale().as_str(),
        article: Some(article),
        quotes_unavailable: quotes.is_none(),
        quotes: quotes.unwrap_or_default(),
        related_unavailable: related.is_none(),
        related: related.unwrap_or_default(),
        machine_translation,
    })
}

/// Quotes of the first securities that an article names.
pub(super) async fn article_quotes(cx: &LoadContext<'_>, article: &Article) -> Result<Vec<Quote>> {
    let codes = article.stocks.iter().map(|stock| stock.stock_code.as_str());
    cx.quotes(codes.take(MAX_QUOTES).collect::<Vec<_>>().join(",")).await
}
