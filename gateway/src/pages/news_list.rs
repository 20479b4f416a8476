//! `/news`, `/news/us`, `/news/saudi`

use sahm_proto::{
    content::v1::{
        BatchListPositionImagesRequest, ListFlashNewsRequest, ListNewsVideosRequest, NewsTab,
    },
    page::v1::NewsListPage,
    tags,
};

use super::{ItemKind, LoadContext, LoadError, PageHead, pagination::read_page};
use crate::routes::PageId;

/// The lead article and six rows below it.
const PAGE_SIZE: u32 = 7;

/// The client type "web" of image positions.
const CLIENT_TYPE: u32 = 3;

/// Number of flash news items beside the first page of a list.
const FLASH_SIZE: u32 = 8;

/// Number of videos below the first page of a list.
const VIDEOS_SIZE: u32 = 4;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<NewsListPage, LoadError> {
    let tabs = cx.news_tabs().await?.items.clone();
    let query = &cx.request.query;
    let tab = choose_tab(&tabs, cx.page, query.get("tab"))
        .map_err(|UnknownTab| LoadError::Missing(ItemKind::Page))?;
    let market = tab.map_or_else(|| market_of(cx.page), |tab| tab.market_type.as_str()).to_owned();
    let tab_id = tab.map_or(0, |tab| tab.id);
    let cursor = query.cursor.as_deref();
    let list = read_page(cursor, |cursor| cx.articles(&market, tab_id, PAGE_SIZE, cursor));
    let front = async {
        match cursor {
            Some(_) => NewsListPage::default(),
            None => front(cx, &market).await,
        }
    };
    let (list, front) = tokio::join!(list, front);
    let (list, continued) = list?;
    let head = PageHead { noindex: cursor.is_some(), ..PageHead::default() };
    Ok(NewsListPage {
        frame: cx.frame(head),
        tab_id,
        market,
        articles: list.items,
        next_cursor: list.next_cursor,
        continued,
        tabs,
        ..front
    })
}

/// The parts that only the first page of a market shows.
async fn front(cx: &LoadContext<'_>, market: &str) -> NewsListPage {
    let positions = banner_positions(market);
    let banners = BatchListPositionImagesRequest {
        client_type: CLIENT_TYPE,
        position_code_list: positions.join(","),
        locale: cx.locale_name(),
    };
    let flash = ListFlashNewsRequest {
        market: market.to_owned(),
        locale: cx.locale_name(),
        size: FLASH_SIZE,
        cursor: String::new(),
    };
    let (market_name, cursor) = (market.to_owned(), String::new());
    let videos = ListNewsVideosRequest { market: market_name, size: VIDEOS_SIZE, cursor };
    let flash_tags = [tags::news_flash(market), tags::NEWS_STOCKS.to_owned()];
    let (banners, flash, videos, announcements) = tokio::join!(
        cx.find_shared(positions.iter().map(|position| tags::banner(position)), banners),
        cx.find_shared(flash_tags, flash),
        cx.find_shared([tags::news_videos(market)], videos),
        cx.announcements(market),
    );
    NewsListPage {
        banners: cx.optional("banners", banners).map_or(Vec::new(), |list| list.items.clone()),
        flash: cx.optional("flash news", flash).map_or(Vec::new(), |list| list.items.clone()),
        videos: cx.optional("videos", videos).map_or(Vec::new(), |list| list.items.clone()),
        announcements: cx.optional("announcements", announcements).unwrap_or_default(),
        ..NewsListPage::default()
    }
}

/// The banner positions of a market's page.
fn banner_positions(market: &str) -> &'static [&'static str] {
    match market {
        "us" => &["US_TOP_NEWS"],
        "saudi" => &["SA_TOP_NEWS"],
        _ => &["SA_TOP_NEWS", "US_TOP_NEWS"],
    }
}

/// The query names a tab that does not exist.
#[derive(Debug, PartialEq)]
pub(super) struct UnknownTab;

/// The tab of a page: the named one, otherwise the first tab of the page's market.
pub(super) fn choose_tab<'a>(
    tabs: &'a [NewsTab],
    page: PageId,
    tab_id: Option<&str>,
) -> Result<Option<&'a NewsTab>, UnknownTab> {
    match tab_id {
        Some(id) => tabs.iter().find(|tab| tab.id.to_string() == id).map(Some).ok_or(UnknownTab),
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
    fn tab_is_the_named_one_or_the_first_of_the_market() {
        let tab =
            |id, market: &str| NewsTab { id, market_type: market.to_owned(), ..NewsTab::default() };
        let tabs = [tab(1, "all"), tab(2, "us"), tab(3, "saudi"), tab(4, "")];
        for (page, tab_id, expected) in [
            (PageId::News, None, Ok(Some(1))),
            (PageId::NewsUs, None, Ok(Some(2))),
            (PageId::NewsSaudi, None, Ok(Some(3))),
            (PageId::News, Some("4"), Ok(Some(4))),
            (PageId::News, Some("9"), Err(UnknownTab)),
            (PageId::News, Some("a-slug"), Err(UnknownTab)),
        ] {
            let chosen = choose_tab(&tabs, page, tab_id).map(|tab| tab.map(|tab| tab.id));
            assert_eq!(chosen, expected, "{page:?} {tab_id:?}");
        }
        assert_eq!(choose_tab(&[], PageId::NewsUs, None), Ok(None));
    }
}
