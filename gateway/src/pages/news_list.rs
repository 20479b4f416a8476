//! `/news`, `/news/us`, `/news/saudi`

use sahm_proto::{content::v1::NewsTab, page::v1::NewsListPage};

use super::{ItemKind, LoadContext, LoadError, PageHead, page_of::page_of};
use crate::routes::PageId;

/// Articles on a page of the list.
const ARTICLES_SIZE: u32 = 4;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<NewsListPage, LoadError> {
    let tabs = cx.news_tabs().await?.to_vec();
    let query = &cx.request.query;
    let tab = choose_tab(&tabs, cx.page, query.get("tab"))
        .map_err(|NoSuchTab| LoadError::Missing(ItemKind::Page))?;
    let market = tab.map_or_else(|| market_of(cx.page), |tab| tab.market_type.as_str()).to_owned();
    let tab_id = tab.map_or(0, |tab| tab.id);
    let cursor = query.cursor.as_deref();
    let list = page_of(cursor, |cursor| cx.articles(&market, tab_id, ARTICLES_SIZE, cursor));
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

/// Parts of a market's first page beside its articles.
async fn front(cx: &LoadContext<'_>, market: &str) -> NewsListPage {
    let (banners, flash, videos, announcements) = tokio::join!(
        cx.banners(market),
        cx.flash_news(market),
        cx.news_videos(market),
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

/// The query names a tab that no news page has.
#[derive(Debug, PartialEq)]
pub(super) struct NoSuchTab;

/// The tab that a page shows: the named one, else the first of the page's market.
pub(super) fn choose_tab<'a>(
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
