//! News: articles, tabs, banners, flash news, videos.

use std::sync::Arc;

use sahm_chassis::error::{ErrorCode, Result};
use sahm_proto::{
    content::v1::{
        Article, ArticleSummary, BatchListPositionImagesRequest, BatchListPositionImagesResponse,
        GetArticleRequest, GetArticleResponse, ListArticlesRequest, ListFlashNewsRequest,
        ListFlashNewsResponse, ListNewsVideosRequest, ListNewsVideosResponse,
        ListRecommendedNewsRequest, ListTabArticlesRequest, ListTabsRequest, NewsTab,
    },
    tags,
};

use super::{ItemKind, LoadContext, LoadError, never};
use crate::services::{Services, reading};

/// The client type "web" of image positions.
const CLIENT_TYPE: u32 = 3;

/// Number of flash news items beside the first page of a list.
const FLASH_SIZE: u32 = 8;

/// Number of videos below the first page of a list.
const VIDEOS_SIZE: u32 = 4;

/// Maximum number of tabs.
const MAX_TABS: u32 = 50;

/// A page of a list of articles.
pub(crate) struct ArticleList {
    pub(crate) items: Vec<ArticleSummary>,
    pub(crate) next_cursor: String,
}

impl LoadContext<'_> {
    /// An article, and whether it is machine-translated.
    pub(crate) async fn article(&self, id: u64) -> Result<(Article, bool), LoadError> {
        let request =
            GetArticleRequest { id, locale: self.locale_name(), ..GetArticleRequest::default() };
        let mut news = self.data.services.news()?;
        let tags = [tags::news(id), tags::NEWS_STOCKS.to_owned()];
        let expires_at = |response: &GetArticleResponse| response.next_change_at;
        let response = match self.read(tags, expires_at, news.get_article(request)).await {
            Err(error) if error.code() == ErrorCode::ArticleNotFound => Default::default(),
            response => response?,
        };
        let article = response.article.ok_or(LoadError::Missing(ItemKind::Article))?;
        Ok((article, response.machine_translation))
    }

    /// Articles recommended for an article.
    pub(crate) async fn recommended_news(
        &self,
        article: &Article,
        size: u32,
    ) -> Result<Vec<ArticleSummary>> {
        let request = ListRecommendedNewsRequest {
            content_id: article.id,
            locale: self.locale_name(),
            size,
            ..ListRecommendedNewsRequest::default()
        };
        let tags = [tags::news_list(&article.market), tags::news_list("all")];
        let mut news = self.data.services.news()?;
        let call = news.list_recommended_news(request);
        let items = self.read(tags, |response| response.next_change_at, call).await?.items;
        self.tag_articles(&items);
        Ok(items)
    }

    /// The newest articles of a market, or of one of its tabs (0: of none).
    pub(crate) async fn articles(
        &self,
        market: &str,
        tab_id: u64,
        size: u32,
        cursor: String,
    ) -> Result<ArticleList> {
        let mut news = self.data.services.news()?;
        let (locale, tags) = (self.locale_name(), [tags::news_list(market)]);
        let list = if tab_id > 0 {
            let request = ListTabArticlesRequest { tab_id, locale, size, cursor };
            let call = news.list_tab_articles(request);
            let response = self.read(tags, |response| response.next_change_at, call).await?;
            ArticleList { items: response.items, next_cursor: response.next_cursor }
        } else {
            let request = ListArticlesRequest { market: market.to_owned(), locale, size, cursor };
            let call = news.list_articles(request);
            let response = self.read(tags, |response| response.next_change_at, call).await?;
            ArticleList { items: response.items, next_cursor: response.next_cursor }
        };
        self.tag_articles(&list.items);
        Ok(list)
    }

    fn tag_articles(&self, articles: &[ArticleSummary]) {
        self.tag(articles.iter().map(|article| tags::news(article.id)));
    }

    /// The tabs of the news pages.
    pub(crate) async fn news_tabs(&self) -> Result<Arc<Vec<NewsTab>>> {
        let cache = &self.data.caches.news_tabs;
        let read = |services: Services| async move {
            let request = ListTabsRequest { size: MAX_TABS, ..ListTabsRequest::default() };
            Ok(reading(services.news()?.list_tabs(request)).await?.items)
        };
        self.read_cached([tags::NEWS_TABS], never, cache, (), read).await
    }

    /// The banners of a market's page.
    pub(crate) async fn banners(
        &self,
        market: &str,
    ) -> Result<Arc<BatchListPositionImagesResponse>> {
        let positions = positions(market);
        let request = BatchListPositionImagesRequest {
            client_type: CLIENT_TYPE,
            position_code_list: positions.join(","),
            locale: self.locale_name(),
        };
        let read = move |services: Services| async move {
            reading(services.images()?.batch_list_position_images(request)).await
        };
        let tags = positions.iter().map(|position| tags::banner(position));
        let (cache, key) = (&self.data.caches.banners, (market.to_owned(), self.locale()));
        self.read_cached(tags, |images| images.next_change_at, cache, key, read).await
    }

    /// The newest flash news of a market.
    pub(crate) async fn flash_news(&self, market: &str) -> Result<Arc<ListFlashNewsResponse>> {
        let request = ListFlashNewsRequest {
            market: market.to_owned(),
            locale: self.locale_name(),
            size: FLASH_SIZE,
            cursor: String::new(),
        };
        let read = move |services: Services| async move {
            reading(services.flash_news()?.list_flash_news(request)).await
        };
        let tags = [tags::news_flash(market), tags::NEWS_STOCKS.to_owned()];
        let (cache, key) = (&self.data.caches.flash, (market.to_owned(), self.locale()));
        self.read_cached(tags, |list| list.next_change_at, cache, key, read).await
    }

    /// The newest videos of a market.
    pub(crate) async fn news_videos(&self, market: &str) -> Result<Arc<ListNewsVideosResponse>> {
        let (market, cursor) = (market.to_owned(), String::new());
        let tags = [tags::news_videos(&market)];
        let request = ListNewsVideosRequest { market: market.clone(), size: VIDEOS_SIZE, cursor };
        let read = move |services: Services| async move {
            reading(services.news_videos()?.list_news_videos(request)).await
        };
        let cache = &self.data.caches.videos;
        self.read_cached(tags, |list| list.next_change_at, cache, market, read).await
    }
}

/// The banner positions of a market's page.
fn positions(market: &str) -> &'static [&'static str] {
    match market {
        "us" => &["US_TOP_NEWS"],
        "saudi" => &["SA_TOP_NEWS"],
        _ => &["SA_TOP_NEWS", "US_TOP_NEWS"],
    }
}
