//! `/news/content/{id}`

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{Article, GetArticleRequest, ListArticlesRequest},
    page::v1::ArticlePage,
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, links::localised};
use crate::{
    routes::{Match, PageId, is_decimal},
    services::reading,
};

/// How many related articles stand below.
const RELATED: u32 = 4;

impl Loaders {
    pub(super) async fn article(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let id = matched
            .parameters
            .get("id")
            .filter(|id| is_decimal(id, 10))
            .and_then(|id| id.parse::<u64>().ok())
            .filter(|id| *id > 0);
        let Some(id) = id else { return Ok(self.not_found(request, None).await) };

        let locale = request.visitor.locale.as_str();
        let answer = reading(self.services.news()?.get_article(GetArticleRequest {
            id,
            locale: locale.to_owned(),
            from: String::new(),
        }))
        .await;
        let tag = tags::news(id);
        let mut found = Found::default();
        let article = match answer {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => None,
            answer => {
                let answer = answer?;
                found.changes_at(answer.next_change_at);
                answer.article
            }
        };
        let Some(mut article) = article else {
            return Ok(self.not_found(request, Some(("article", tag))).await);
        };
        article.body_html = localised(&article.body_html, request.visitor.locale);
        found.tag(tag);
        found.tag(tags::news_list(&article.market));
        let related = async {
            reading(self.services.news()?.list_articles(ListArticlesRequest {
                market: list_of(&article).to_owned(),
                locale: locale.to_owned(),
                size: RELATED + 1,
                cursor: String::new(),
            }))
            .await
        };
        let mut frame_found = Found::default();
        let other_language = article.locale != locale;
        let image = article.image.as_ref().map_or("", |image| image.path.as_str());
        let head = PageHead {
            title: &article.title,
            description: &article.summary,
            locales: &article.available_locales,
            og_type: "article",
            image: if image.ends_with(".svg") { "" } else { image },
            json_ld: vec![self.article_json_ld(&article)],
            ..PageHead::default()
        };
        let layout = &self.route(PageId::NewsContent).layout;
        let (frame, related) = tokio::join!(
            self.frame(request, PageId::NewsContent.as_str(), layout, head, &mut frame_found),
            related
        );
        found.merge(frame_found);
        let related = found.optional("related", related);
        if let Some(related) = &related {
            found.changes_at(related.next_change_at);
        }
        let related_unavailable = related.is_none();
        let related = related
            .map(|list| list.items)
            .unwrap_or_default()
            .into_iter()
            .filter(|other| other.id != id)
            .take(RELATED as usize)
            .collect::<Vec<_>>();
        found.tags.extend(related.iter().map(|article| tags::news(article.id)));
        let page = ArticlePage {
            frame: Some(frame),
            article: Some(article),
            other_language,
            related,
            related_unavailable,
        };
        Ok(found.loaded(200, PageId::NewsContent.as_str(), Document::Article(Box::new(page))))
    }

    fn article_json_ld(&self, article: &Article) -> String {
        let time = |seconds: u32| {
            jiff::Timestamp::from_second(i64::from(seconds))
                .map(|time| time.to_string())
                .unwrap_or_default()
        };
        serde_json::json!({
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "description": article.summary,
            "inLanguage": article.locale,
            "datePublished": time(article.published_at),
            "dateModified": time(article.updated_at.max(article.published_at)),
            "author": { "@type": "Organization", "name": article.author, "url": &*self.public_url },
            "mainEntityOfPage":
                format!("{}/{}/news/content/{}", self.public_url, article.locale, article.id),
        })
        .to_string()
    }
}

fn list_of(article: &Article) -> &str {
    if article.market.is_empty() { "all" } else { &article.market }
}
