//! Lists of news.

use std::sync::Arc;

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{
        ArticleSummary, ListArticlesRequest, ListTabArticlesRequest, ListTabsRequest,
        ListTabsResponse,
    },
    tags,
};

use super::LoadContext;

/// Maximum number of tabs.
const MAX_TABS: u32 = 50;

/// A page of a list of articles.
pub(crate) struct ArticleList {
    pub(crate) items: Vec<ArticleSummary>,
    pub(crate) next_cursor: String,
}

impl LoadContext<'_> {
    /// The newest articles of a market, or of one of its tabs (0: of none).
    pub(crate) async fn articles(
        &self,
        market: &str,
        tab_id: u64,
        size: u32,
        cursor: String,
    ) -> Result<ArticleList> {
        let (locale, tags) = (self.locale_name(), [tags::news_list(market)]);
        let (items, next_cursor) = if tab_id > 0 {
            let request = ListTabArticlesRequest { tab_id, locale, size, cursor };
            let list = self.read(tags, request).await?;
            (list.items, list.next_cursor)
        } else {
            let request = ListArticlesRequest { market: market.to_owned(), locale, size, cursor };
            let list = self.read(tags, request).await?;
            (list.items, list.next_cursor)
        };
        self.tag_articles(&items);
        Ok(ArticleList { items, next_cursor })
    }

    pub(crate) fn tag_articles(&self, articles: &[ArticleSummary]) {
        self.tag(articles.iter().map(|article| tags::news(article.id)));
    }

    /// The tabs of the news pages.
    pub(crate) async fn news_tabs(&self) -> Result<Arc<ListTabsResponse>> {
        let request = ListTabsRequest { size: MAX_TABS, ..ListTabsRequest::default() };
        self.find_shared([tags::NEWS_TABS], request).await
    }
}
