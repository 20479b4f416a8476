//! `/company-news/list`

use sahm_proto::page::v1::CompanyNewsListPage;

use super::{LoadContext, LoadError, PageHead, pagination::read_page};

const PAGE_SIZE: u32 = 12;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<CompanyNewsListPage, LoadError> {
    let cursor = cx.request.query.cursor.as_deref();
    let (list, continued) =
        read_page(cursor, |cursor| cx.company_articles(PAGE_SIZE, cursor)).await?;
    let head = PageHead { noindex: cursor.is_some(), ..PageHead::default() };
    Ok(CompanyNewsListPage {
        frame: cx.frame(head),
        articles: list.items,
        next_cursor: list.next_cursor,
        continued,
    })
}
