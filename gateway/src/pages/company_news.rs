//! `/company-news/list`

use sahm_proto::page::v1::CompanyNewsListPage;

use super::{LoadContext, LoadError, PageHead, page_of::page_of};

/// Articles on a page of the list.
const ARTICLES_SIZE: u32 = 12;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<CompanyNewsListPage, LoadError> {
    let cursor = cx.request.query.cursor.as_deref();
    let (list, continued) =
        page_of(cursor, |cursor| cx.company_articles(ARTICLES_SIZE, cursor)).await?;
    let head = PageHead { noindex: cursor.is_some(), ..PageHead::default() };
    Ok(CompanyNewsListPage {
        frame: cx.frame(head),
        articles: list.items,
        next_cursor: list.next_cursor,
        continued,
    })
}
