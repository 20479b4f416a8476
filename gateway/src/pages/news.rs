//! `/news`, `/news/us`, `/news/saudi`

use std::sync::Arc;

use sahm_chassis::error::Error;
use sahm_proto::{
    content::v1::{
        Banner, BatchListPositionImagesRequest, FlashNews, ListArticlesRequest,
        ListFlashNewsRequest, ListNewsVideosRequest, ListTabArticlesRequest, ListTabsRequest,
        NewsTab, NewsVideo,
    },
    page::v1::{AnnouncementLink, NewsListPage},
    tags,
};

use super::{Document, Found, Loaded, Loaders, PageRequest, frame::PageHead, lists::page_of};
use crate::{routes::PageId, services::reading};

/// The web, to the image positions.
const CLIENT_TYPE: u32 = 3;

/// Flash news beside the first page.
const FLASH: u32 = 8;

/// Videos beneath it.
const VIDEOS: u32 = 4;

/// The most tabs that a page shows.
const TABS: u32 = 50;

/// Articles a page of the list.
const PAGE_SIZE: u32 = 4;

impl Loaders {
    pub(super) async fn news_list(
        &self,
        request: &PageRequest,
        page: PageId,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let tabs = self.news_tabs().await?.to_vec();
        found.tag(tags::NEWS_TABS);

        let asked = request.query.get("tab");
        let tab = match choose_tab(&tabs, page, asked) {
            Ok(tab) => tab,
            Err(NoSuchTab) => return Ok(self.not_found(request, None)),
        };
        let market = tab.map_or_else(|| market_of(page), |tab| tab.market_type.as_str()).to_owned();
        let tab_id = tab.map_or(0, |tab| tab.id);
        let list = page_of(request.query.cursor.as_deref(), |cursor| {
            self.articles(request, &market, tab_id, cursor)
        });
        let front = async {
            match request.query.cursor {
                Some(_) => (Front::default(), Found::default()),
                None => self.front(request, &market).await,
            }
        };
        let (list, (front, front_found)) = tokio::join!(list, front);
        let (list, continued) = list?;
        found.merge(front_found);
        found.tag(tags::news_list(&market));
        found.tags.extend(list.items.iter().map(|article| tags::news(article.id)));
        found.changes_at(list.next_change_at);

        let head = PageHead { noindex: request.query.cursor.is_some(), ..PageHead::default() };
        let frame = self.frame_of_page(request, page, head);
        let document = NewsListPage {
            frame: Some(frame),
            tab_id,
            market,
            articles: list.items,
            next_cursor: list.next_cursor,
            continued,
            tabs,
            banners: front.banners,
            flash: front.flash,
            videos: front.videos,
            announcements: front.announcements,
        };
        Ok(found.loaded(200, page.as_str(), Document::NewsList(Box::new(document))))
    }

    /// The tabs of the news pages.
    async fn news_tabs(&self) -> Result<Arc<Vec<NewsTab>>, Error> {
        let read = || {
            let services = self.services.clone();
            async move {
                let request = ListTabsRequest { size: TABS, ..ListTabsRequest::default() };
                Ok((reading(services.news()?.list_tabs(request)).await?.items, 0))
            }
        };
        self.shared.news_tabs.get((), read).await
    }

    /// Whether a news page has the tab that its query names; `None` where content does not say.
    pub(super) async fn has_tab(&self, page: PageId, tab: &str) -> Option<bool> {
        let tabs = self.news_tabs().await.ok()?;
        Some(choose_tab(&tabs, page, Some(tab)).is_ok())
    }

    /// What stands around the newest articles of a market.
    async fn front(&self, request: &PageRequest, market: &str) -> (Front, Found) {
        let (positions, locale) = (positions(market), request.visitor.locale);
        let language = || (self.services.clone(), locale.as_str().to_owned());
        let banners = || {
            let (services, locale) = language();
            let request = BatchListPositionImagesRequest {
                client_type: CLIENT_TYPE,
                position_code_list: positions.join(","),
                locale,
            };
            async move {
                let mut images = services.images()?;
                let answer = reading(images.batch_list_position_images(request)).await?;
                let changes_at = answer.next_change_at;
                Ok((answer, changes_at))
            }
        };
        let flash = || {
            let (services, locale) = language();
            let (market, cursor) = (market.to_owned(), String::new());
            let request = ListFlashNewsRequest { market, locale, size: FLASH, cursor };
            async move {
                let answer = reading(services.flash_news()?.list_flash_news(request)).await?;
                let changes_at = answer.next_change_at;
                Ok((answer, changes_at))
            }
        };
        let videos = || {
            let (services, market) = (self.services.clone(), market.to_owned());
            let request = ListNewsVideosRequest { market, size: VIDEOS, cursor: String::new() };
            async move {
                let answer = reading(services.news_videos()?.list_news_videos(request)).await?;
                let changes_at = answer.next_change_at;
                Ok((answer, changes_at))
            }
        };
        let (banners, flash, videos, announcements) = tokio::join!(
            self.shared.banners.get((market.to_owned(), locale), banners),
            self.shared.flash.get((market.to_owned(), locale), flash),
            self.shared.videos.get(market.to_owned(), videos),
            self.announcements(locale, market),
        );
        let mut found = Found::default();
        found.tags.extend(positions.iter().map(|position| tags::banner(position)));
        found.tag(tags::news_flash(market));
        found.tag(tags::news_videos(market));
        found.tag(tags::NEWS_STOCKS);
        let banners = found.optional("banners", banners).unwrap_or_default();
        let flash = found.optional("flash news", flash).unwrap_or_default();
        let videos = found.optional("videos", videos).unwrap_or_default();
        for time in [banners.next_change_at, flash.next_change_at, videos.next_change_at] {
            found.changes_at(time);
        }
        let front = Front {
            banners: banners.items.clone(),
            flash: flash.items.clone(),
            videos: videos.items.clone(),
            announcements: found.optional("announcements", announcements).unwrap_or_default(),
        };
        (front, found)
    }

    async fn articles(
        &self,
        request: &PageRequest,
        market: &str,
        tab_id: u64,
        cursor: String,
    ) -> Result<ArticleList, Error> {
        let mut news = self.services.news()?;
        let locale = request.visitor.locale.as_str().to_owned();
        if tab_id > 0 {
            let request = ListTabArticlesRequest { tab_id, locale, size: PAGE_SIZE, cursor };
            let answer = reading(news.list_tab_articles(request)).await?;
            return Ok(ArticleList {
                items: answer.items,
                next_cursor: answer.next_cursor,
                next_change_at: answer.next_change_at,
            });
        }
        let market = market.to_owned();
        let request = ListArticlesRequest { market, locale, size: PAGE_SIZE, cursor };
        let answer = reading(news.list_articles(request)).await?;
        Ok(ArticleList {
            items: answer.items,
            next_cursor: answer.next_cursor,
            next_change_at: answer.next_change_at,
        })
    }
}

#[derive(Default)]
struct Front {
    banners: Vec<Banner>,
    flash: Vec<FlashNews>,
    videos: Vec<NewsVideo>,
    announcements: Vec<AnnouncementLink>,
}

/// The banner positions of a market's page.
fn positions(market: &str) -> &'static [&'static str] {
    match market {
        "us" => &["US_TOP_NEWS"],
        "saudi" => &["SA_TOP_NEWS"],
        _ => &["SA_TOP_NEWS", "US_TOP_NEWS"],
    }
}

struct ArticleList {
    items: Vec<sahm_proto::content::v1::ArticleSummary>,
    next_cursor: String,
    next_change_at: u32,
}

#[derive(Debug, PartialEq)]
struct NoSuchTab;

/// The tab that a page shows: the asked one, else the first of the page's market.
fn choose_tab<'a>(
    tabs: &'a [NewsTab],
    page: PageId,
    asked: Option<&str>,
) -> Result<Option<&'a NewsTab>, NoSuchTab> {
    match asked {
        Some(id) => tabs.iter().find(|tab| tab.id.to_string() == id).map(Some).ok_or(NoSuchTab),
        None => Ok(tabs.iter().find(|tab| tab.market_type == market_of(page))),
    }
}

fn market_of(page: PageId) -> &'static str {
    match page {
        PageId::NewsUs => "us",
        PageId::NewsSaudi => "saudi",
        _ => "all",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs() {
        let tab =
            |id, market: &str| NewsTab { id, market_type: market.to_owned(), ..NewsTab::default() };
        let tabs = [tab(1, "all"), tab(2, "us"), tab(3, "saudi"), tab(4, "")];
        for (page, asked, expected) in [
            (PageId::News, None, Ok(Some(1))),
            (PageId::NewsUs, None, Ok(Some(2))),
            (PageId::NewsSaudi, None, Ok(Some(3))),
            (PageId::News, Some("4"), Ok(Some(4))),
            (PageId::News, Some("9"), Err(NoSuchTab)),
            (PageId::News, Some("a-slug"), Err(NoSuchTab)),
        ] {
            let chosen = choose_tab(&tabs, page, asked).map(|tab| tab.map(|tab| tab.id));
            assert_eq!(chosen, expected, "{page:?} {asked:?}");
        }
        assert_eq!(choose_tab(&[], PageId::NewsUs, None), Ok(None));
    }
}
