//! Lists of articles, and how much of them is new.
use std::collections::HashMap;

use sahm_chassis::{Error, ErrorCode, Result, cursor};
use sahm_proto::content::v1 as wire;

use super::{NewsCalls, market};
use crate::{
    domain::{Cursor, List, Locale, Market, PAGE_SIZE, Page, Summary, Tab},
    rpc::{asked, convert},
};

/// Counted no further than this.
const UNREAD_MAX: u32 = 999;

impl NewsCalls {
    pub(super) async fn tabs(
        &self,
        asked: wire::ListTabsRequest,
    ) -> Result<wire::ListTabsResponse> {
        let market = market(&asked.market)?;
        let (size, list) =
            (asked::size(asked.size, PAGE_SIZE)?, format!("tabs:{}", market.as_str()));
        let after = cursor::decode(&list, &asked.cursor)?;
        let mut tabs = self.store.tabs().await?;
        tabs.retain(|tab| matches!(market, Market::Empty | Market::All) || tab.market == market);
        let place = |tab: &Tab| Cursor { rank: tab.position.into(), id: tab.id };
        tabs.retain(|tab| after.is_none_or(|after| place(tab) > after));
        let more = tabs.len() > size as usize;
        tabs.truncate(size as usize);
        let next = tabs.last().map(place).filter(|_| more);
        Ok(wire::ListTabsResponse {
            items: tabs.into_iter().map(convert::tab).collect(),
            next_cursor: asked::next(&list, next),
        })
    }

    pub(super) async fn tab(&self, id: u64) -> Result<wire::GetTabResponse> {
        asked::needed("id", id)?;
        let found = self.store.tab(id).await?.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(wire::GetTabResponse { tab: Some(convert::tab(found)) })
    }

    pub(super) async fn tabs_by_id(&self, ids: &[u64]) -> Result<wire::BatchGetTabsResponse> {
        asked::batch(ids)?;
        let mut tabs: HashMap<u64, Tab> =
            self.store.tabs().await?.into_iter().map(|tab| (tab.id, tab)).collect();
        let found = ids.iter().filter_map(|id| tabs.remove(id));
        Ok(wire::BatchGetTabsResponse { items: found.map(convert::tab).collect() })
    }

    async fn page(
        &self,
        list: List,
        locale: &str,
        size: u32,
        cursor: Option<Cursor>,
    ) -> Result<Page<Summary>> {
        self.store.list(list, Locale::asked(locale), cursor, size, self.clock.now()).await
    }

    pub(super) async fn tab_articles(
        &self,
        asked: wire::ListTabArticlesRequest,
    ) -> Result<wire::ListTabArticlesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let Some(tab) = self.store.tab(asked.tab_id).await? else {
            return Ok(wire::ListTabArticlesResponse::default());
        };
        let list = tab.market.list();
        let after = cursor::decode(&name(list), &asked.cursor)?;
        let page = self.page(list, &asked.locale, size, after).await?;
        Ok(wire::ListTabArticlesResponse {
            next_cursor: asked::next(&name(list), page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
            items: page.items.into_iter().map(convert::summary).collect(),
        })
    }

    pub(super) async fn articles(
        &self,
        asked: wire::ListArticlesRequest,
    ) -> Result<wire::ListArticlesResponse> {
        let list = market(&asked.market)?.list();
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let after = cursor::decode(&name(list), &asked.cursor)?;
        let page = self.page(list, &asked.locale, size, after).await?;
        Ok(wire::ListArticlesResponse {
            next_cursor: asked::next(&name(list), page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
            items: page.items.into_iter().map(convert::summary).collect(),
        })
    }

    pub(super) async fn batch(
        &self,
        asked: wire::BatchGetArticlesRequest,
    ) -> Result<wire::BatchGetArticlesResponse> {
        let ids = asked::id_list("content_ids", &asked.content_ids)?;
        let locale = Locale::asked(&asked.locale);
        let shown = self.store.summaries(&ids, locale, self.clock.now()).await?;
        Ok(wire::BatchGetArticlesResponse {
            items: shown.item.into_iter().map(convert::summary).collect(),
            next_change_at: shown.next_change_at.unwrap_or(0),
        })
    }

    pub(super) async fn unread(
        &self,
        asked: wire::ListUnreadRequest,
    ) -> Result<wire::ListUnreadResponse> {
        let (locale, now) = (Locale::asked(&asked.locale), self.clock.now());
        let mut items = Vec::new();
        for tab in self.store.tabs().await? {
            let list = tab.market.list();
            let count = self.store.newer(list, locale, asked.since, now, UNREAD_MAX).await?;
            let market_type = tab.market.as_str().to_owned();
            items.push(wire::TabUnread { id: tab.id, market_type, count });
        }
        Ok(wire::ListUnreadResponse { items })
    }

    pub(super) async fn recommended(
        &self,
        asked: wire::ListRecommendedNewsRequest,
    ) -> Result<wire::ListRecommendedNewsResponse> {
        asked::needed("content_id", asked.content_id)?;
        let list = format!("recommended-news:{}", asked.content_id);
        let part = asked::Part::asked(list, asked.size, PAGE_SIZE, &asked.cursor)?;
        let locale = Locale::asked(&asked.locale);
        let read = self.store.article(asked.content_id, locale, self.clock.now()).await?;
        let read = read.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?.item.text;
        let mut items: Vec<Summary> = Vec::new();
        let mut next_change_at = None;
        for list in [read.market.list(), List::All] {
            // Those that were found already and the article itself may be among the newest.
            let page = self.page(list, &asked.locale, 2 * part.reach() + 1, None).await?;
            next_change_at = next_change_at.into_iter().chain(page.next_change_at).min();
            for found in page.items {
                if found.id != read.id && items.iter().all(|item| item.id != found.id) {
                    items.push(found);
                }
            }
        }
        let (items, next_cursor) = part.cut(items);
        Ok(wire::ListRecommendedNewsResponse {
            items: items.into_iter().map(convert::summary).collect(),
            next_change_at: next_change_at.unwrap_or(0),
            next_cursor,
        })
    }

    pub(super) async fn refs(
        &self,
        asked: wire::ListArticleRefsRequest,
    ) -> Result<wire::ListArticleRefsResponse> {
        let size = asked::refs_size(asked.size)?;
        let list = "article-refs";
        let after = cursor::decode(list, &asked.cursor)?.unwrap_or(asked.after_id);
        let mut shown = self.store.refs(after, size + 1, self.clock.now()).await?;
        let next_cursor = cursor::cut(list, &mut shown.item, size as usize, |last| last.id);
        Ok(wire::ListArticleRefsResponse {
            items: shown.item.into_iter().map(convert::article_ref).collect(),
            next_change_at: shown.next_change_at.unwrap_or(0),
            next_cursor,
        })
    }
}

/// The name of a list of articles, which one or several tabs show.
fn name(list: List) -> String {
    format!("news:{}", list.as_str())
}
