//! `/`

use sahm_chassis::error::Error;
use sahm_proto::{
    config::v1::GetFeeScheduleRequest, content::v1::ListArticlesRequest, page::v1::HomePage,
    quotes::v1::BatchGetQuotesRequest, tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead};
use crate::{routes::PageId, services::reading};

/// Articles on the home page: the lead and three more.
const ARTICLES: u32 = 4;

/// Securities of the strip: of both markets, known to every reader.
const STRIP: &str = "2222,1120,2010,AAPL,NVDA,SPY";

impl Loaders {
    pub(super) async fn home(&self, request: &PageRequest) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let locale = request.visitor.locale.as_str();
        let json_ld = vec![
            serde_json::json!({
                "@context": "https://schema.org",
                "@type": "WebSite",
                "name": self.site.name(request.visitor.locale),
                "url": format!("{}{}", self.public_url, request.visitor.locale.prefix()),
                "inLanguage": request.visitor.locale.tag(),
            })
            .to_string(),
        ];
        let head = PageHead { json_ld, ..PageHead::default() };

        let articles = async {
            reading(self.services.news()?.list_articles(ListArticlesRequest {
                market: "all".to_owned(),
                locale: locale.to_owned(),
                size: ARTICLES,
                cursor: String::new(),
            }))
            .await
        };
        let fees = async {
            reading(self.services.config()?.get_fee_schedule(GetFeeScheduleRequest {})).await
        };
        let quotes = async {
            let request = BatchGetQuotesRequest { security_codes: STRIP.to_owned() };
            Ok(reading(self.services.quotes()?.batch_get_quotes(request)).await?.quotes)
        };
        let (articles, fees, quotes) = tokio::join!(articles, fees, quotes);
        found.tag(tags::news_list("all"));
        found.tag(tags::CONFIG_FEES);
        let articles = found.optional("news", articles);
        let fees = found.optional("fees", fees);
        let quotes = found.optional("quotes", quotes);
        if let Some(articles) = &articles {
            found.changes_at(articles.next_change_at);
        }
        let page = HomePage {
            frame: Some(self.frame_of_page(request, PageId::Home, head)),
            news_unavailable: articles.is_none(),
            articles: articles.map(|list| list.items).unwrap_or_default(),
            fee_schedule: fees.and_then(|answer| answer.fee_schedule),
            quotes_unavailable: quotes.is_none(),
            quotes: quotes.unwrap_or_default(),
        };
        found.tags.extend(page.articles.iter().map(|article| tags::news(article.id)));
        Ok(found.loaded(200, PageId::Home.as_str(), Document::Home(Box::new(page))))
    }
}
