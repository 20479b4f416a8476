//! `/news/content/{id}`

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{Article, GetArticleRequest, ListRecommendedNewsRequest},
    page::v1::ArticlePage,
    quotes::v1::{BatchGetQuotesRequest, Quote},
    tags,
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, json_ld::ArticleData,
    links::localised, parameters,
};
use crate::{
    routes::{Match, PageId},
    services::reading,
};

/// How many articles are recommended below.
pub(super) const RELATED: u32 = 6;

/// Prices beside an article: the securities it names first.
const QUOTES: usize = 10;

impl Loaders {
    pub(super) async fn article(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(Some(id)) = parameters::id(matched, "id") else {
            return Ok(self.not_found(request, None));
        };

        let locale = request.visitor.locale.as_str();
        let answer = reading(self.services.news()?.get_article(GetArticleRequest {
            id,
            locale: locale.to_owned(),
            from: String::new(),
        }))
        .await;
        let tag = tags::news(id);
        let mut found = Found::default();
        let mut machine_translation = false;
        let article = match answer {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => None,
            answer => {
                let answer = answer?;
                found.changes_at(answer.next_change_at);
                machine_translation = answer.machine_translation;
                answer.article
            }
        };
        let Some(mut article) = article else {
            return Ok(self.not_found(request, Some(("article", vec![tag]))));
        };
        article.body_html = localised(&article.body_html, request.visitor.locale);
        found.tag(tag);
        found.tag(tags::news_list(&article.market));
        found.tag(tags::news_list("all"));
        found.tag(tags::NEWS_STOCKS);
        let quotes = self.article_quotes(&article);
        let related = async {
            let locale = locale.to_owned();
            let request = ListRecommendedNewsRequest {
                content_id: id,
                locale,
                size: RELATED,
                ..Default::default()
            };
            reading(self.services.news()?.list_recommended_news(request)).await
        };
        let other_language = article.locale != locale;
        let image = article.image.as_ref().map_or("", |image| image.path.as_str());
        let head = PageHead {
            title: &article.title,
            description: &article.summary,
            locales: &article.available_locales,
            og_type: "article",
            image: if image.ends_with(".svg") { "" } else { image },
            json_ld: vec![self.article_json_ld(&ArticleData {
                kind: "NewsArticle",
                title: &article.title,
                summary: &article.summary,
                locale: &article.locale,
                published_at: article.published_at,
                updated_at: article.updated_at,
                author: &article.author,
                path: &format!("/news/content/{}", article.id),
            })],
            ..PageHead::default()
        };
        let frame = self.frame_of_page(request, PageId::NewsContent, head);
        let (related, quotes) = tokio::join!(related, quotes);
        let related = found.optional("related", related);
        if let Some(related) = &related {
            found.changes_at(related.next_change_at);
        }
        let related_unavailable = related.is_none();
        let related = related.map(|list| list.items).unwrap_or_default();
        found.tags.extend(related.iter().map(|article| tags::news(article.id)));
        let quotes = found.optional("quotes", quotes);
        let page = ArticlePage {
            frame: Some(frame),
            article: Some(article.clone()),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
            other_language,
            related,
            related_unavailable,
            machine_translation,
        };
        Ok(found.loaded(200, PageId::NewsContent.as_str(), Document::Article(Box::new(page))))
    }

    /// Prices of the securities that an article names.
    pub(super) async fn article_quotes(&self, article: &Article) -> Result<Vec<Quote>, Error> {
        let codes = article.stocks.iter().map(|stock| stock.stock_code.as_str());
        let security_codes = codes.take(QUOTES).collect::<Vec<_>>().join(",");
        if security_codes.is_empty() {
            return Ok(Vec::new());
        }
        let request = BatchGetQuotesRequest { security_codes };
        Ok(reading(self.services.quotes()?.batch_get_quotes(request)).await?.quotes)
    }
}
