use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock};
use sahm_proto::content::v1 as wire;
use sahm_proto::content::v1::{
    AddArticleReadLogRequest, AddArticleReadLogResponse, BatchGetArticlesRequest,
    BatchGetArticlesResponse, GetArticleRequest, GetArticleResponse, ListArticleRefsRequest,
    ListArticleRefsResponse, ListArticlesRequest, ListArticlesResponse, ListTabArticlesRequest,
    ListTabArticlesResponse, ListTabsRequest, ListTabsResponse, WithdrawArticlesRequest,
    WithdrawArticlesResponse, news_service_server::NewsService,
};
use tonic::{Request, Response, Status};

use super::convert;
use crate::{
    domain::{Cursor, List, Locale, Market, PAGE_SIZE, PAGE_SIZE_MAX, Page, Summary, page_size},
    store::ContentStore,
};

/// The most ids of one batch.
const BATCH_MAX: usize = 50;
/// The most articles withdrawn at once.
const WITHDRAW_MAX: usize = 1_000;
/// The most addresses of one page of them.
const REFS_MAX: u32 = 10_000;
/// The longest word on where a reader came from, in characters.
const FROM_MAX: usize = 40;

/// `sahm.content.v1.NewsService`.
pub(crate) struct NewsCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
}

impl NewsCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
    }

    async fn tabs(&self, asked: ListTabsRequest) -> Result<ListTabsResponse> {
        let market = market(&asked.market)?;
        let mut tabs = self.store.tabs().await?;
        tabs.retain(|tab| market == Market::Empty || tab.market == market);
        Ok(ListTabsResponse { items: tabs.into_iter().map(convert::tab).collect() })
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

    async fn tab_articles(&self, asked: ListTabArticlesRequest) -> Result<ListTabArticlesResponse> {
        let (size, cursor) = (size(asked.size)?, cursor(&asked.cursor)?);
        let Some(tab) = self.store.tab(asked.tab_id).await? else {
            return Ok(ListTabArticlesResponse::default());
        };
        let page = self.page(tab.market.list(), &asked.locale, size, cursor).await?;
        Ok(ListTabArticlesResponse {
            next_cursor: next(&page),
            next_change_at: page.next_change_at.unwrap_or(0),
            items: page.items.into_iter().map(convert::summary).collect(),
        })
    }

    async fn articles(&self, asked: ListArticlesRequest) -> Result<ListArticlesResponse> {
        let list = market(&asked.market)?.list();
        let (size, cursor) = (size(asked.size)?, cursor(&asked.cursor)?);
        let page = self.page(list, &asked.locale, size, cursor).await?;
        Ok(ListArticlesResponse {
            next_cursor: next(&page),
            next_change_at: page.next_change_at.unwrap_or(0),
            items: page.items.into_iter().map(convert::summary).collect(),
        })
    }

    async fn article(&self, asked: GetArticleRequest) -> Result<GetArticleResponse> {
        needed("id", asked.id)?;
        if asked.from.chars().count() > FROM_MAX {
            return Err(Error::field("from", format!("is longer than {FROM_MAX} characters")));
        }
        tracing::debug!(id = asked.id, from = asked.from, "article asked");
        let locale = Locale::asked(&asked.locale);
        let found = self.store.article(asked.id, locale, self.clock.now()).await?;
        let shown = found.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?;
        Ok(GetArticleResponse {
            article: Some(convert::article(shown.item)),
            next_change_at: shown.next_change_at.unwrap_or(0),
        })
    }

    async fn batch(&self, asked: BatchGetArticlesRequest) -> Result<BatchGetArticlesResponse> {
        let ids = ids("content_ids", &asked.content_ids)?;
        let locale = Locale::asked(&asked.locale);
        let shown = self.store.summaries(&ids, locale, self.clock.now()).await?;
        Ok(BatchGetArticlesResponse {
            items: shown.item.into_iter().map(convert::summary).collect(),
            next_change_at: shown.next_change_at.unwrap_or(0),
        })
    }

    async fn count(&self, asked: AddArticleReadLogRequest) -> Result<AddArticleReadLogResponse> {
        needed("id", asked.id)?;
        let count = self.store.count_reading(asked.id, self.clock.now()).await?;
        let count = count.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?;
        Ok(AddArticleReadLogResponse { id: asked.id, count })
    }

    async fn withdraw(&self, asked: WithdrawArticlesRequest) -> Result<WithdrawArticlesResponse> {
        if !(1..=WITHDRAW_MAX).contains(&asked.ids.len()) {
            return Err(Error::field("ids", format!("must be 1 to {WITHDRAW_MAX}")));
        }
        let withdrawn_ids = self.store.withdraw(&asked.ids).await?;
        self.log.notify();
        Ok(WithdrawArticlesResponse { withdrawn_ids })
    }

    async fn refs(&self, asked: ListArticleRefsRequest) -> Result<ListArticleRefsResponse> {
        let size = page_size(asked.size, REFS_MAX, REFS_MAX)
            .ok_or_else(|| Error::field("size", format!("must be 1 to {REFS_MAX}")))?;
        let shown = self.store.refs(asked.after_id, size, self.clock.now()).await?;
        Ok(ListArticleRefsResponse {
            items: shown.item.into_iter().map(convert::article_ref).collect(),
            next_change_at: shown.next_change_at.unwrap_or(0),
        })
    }
}

fn needed(field: &str, id: u64) -> Result<()> {
    if id == 0 { Err(Error::field(field, "is needed")) } else { Ok(()) }
}

fn market(name: &str) -> Result<Market> {
    Market::from_name(name).ok_or_else(|| Error::field("market", "must be us, saudi, all or empty"))
}

fn size(asked: u32) -> Result<u32> {
    page_size(asked, PAGE_SIZE, PAGE_SIZE_MAX)
        .ok_or_else(|| Error::field("size", format!("must be 1 to {PAGE_SIZE_MAX}")))
}

fn cursor(text: &str) -> Result<Option<Cursor>> {
    if text.is_empty() {
        return Ok(None);
    }
    Cursor::decode(text).map(Some).map_err(|error| Error::field("cursor", error.to_string()))
}

fn next<T>(page: &Page<T>) -> String {
    page.next.map(Cursor::encode).unwrap_or_default()
}

/// Decimal ids joined by commas, each once, in the order in which they stand.
fn ids(field: &str, text: &str) -> Result<Vec<u64>> {
    let mut ids = Vec::new();
    for part in text.split(',').take(BATCH_MAX + 1) {
        let part = part.trim();
        let decimal = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let id = part.parse().ok().filter(|_| decimal);
        let id = id.ok_or_else(|| Error::field(field, "must be decimal ids joined by commas"))?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if text.split(',').count() > BATCH_MAX {
        return Err(Error::field(field, format!("must be 1 to {BATCH_MAX} ids")));
    }
    Ok(ids)
}

#[tonic::async_trait]
impl NewsService for NewsCalls {
    async fn list_tabs(
        &self,
        request: Request<ListTabsRequest>,
    ) -> Result<Response<ListTabsResponse>, Status> {
        Ok(Response::new(self.tabs(request.into_inner()).await?))
    }

    async fn list_tab_articles(
        &self,
        request: Request<ListTabArticlesRequest>,
    ) -> Result<Response<ListTabArticlesResponse>, Status> {
        Ok(Response::new(self.tab_articles(request.into_inner()).await?))
    }

    async fn list_articles(
        &self,
        request: Request<ListArticlesRequest>,
    ) -> Result<Response<ListArticlesResponse>, Status> {
        Ok(Response::new(self.articles(request.into_inner()).await?))
    }

    async fn get_article(
        &self,
        request: Request<GetArticleRequest>,
    ) -> Result<Response<GetArticleResponse>, Status> {
        Ok(Response::new(self.article(request.into_inner()).await?))
    }

    async fn batch_get_articles(
        &self,
        request: Request<BatchGetArticlesRequest>,
    ) -> Result<Response<BatchGetArticlesResponse>, Status> {
        Ok(Response::new(self.batch(request.into_inner()).await?))
    }

    async fn add_article_read_log(
        &self,
        request: Request<AddArticleReadLogRequest>,
    ) -> Result<Response<AddArticleReadLogResponse>, Status> {
        Ok(Response::new(self.count(request.into_inner()).await?))
    }

    async fn withdraw_articles(
        &self,
        request: Request<WithdrawArticlesRequest>,
    ) -> Result<Response<WithdrawArticlesResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }

    async fn list_unread(
        &self,
        _: Request<wire::ListUnreadRequest>,
    ) -> Result<Response<wire::ListUnreadResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn list_recommended_news(
        &self,
        _: Request<wire::ListRecommendedNewsRequest>,
    ) -> Result<Response<wire::ListRecommendedNewsResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn list_related_stocks(
        &self,
        _: Request<wire::ListRelatedStocksRequest>,
    ) -> Result<Response<wire::ListRelatedStocksResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn translate_article(
        &self,
        _: Request<wire::TranslateArticleRequest>,
    ) -> Result<Response<wire::TranslateArticleResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn operate_like(
        &self,
        _: Request<wire::OperateLikeRequest>,
    ) -> Result<Response<wire::OperateLikeResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn list_likes(
        &self,
        _: Request<wire::ListLikesRequest>,
    ) -> Result<Response<wire::ListLikesResponse>, Status> {
        Err(Error::of(ErrorCode::Unavailable).into())
    }

    async fn list_article_refs(
        &self,
        request: Request<ListArticleRefsRequest>,
    ) -> Result<Response<ListArticleRefsResponse>, Status> {
        Ok(Response::new(self.refs(request.into_inner()).await?))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn id_lists() {
        let many = vec!["7"; 51].join(",");
        let fifty: Vec<String> = (1..=50).map(|id| id.to_string()).collect();
        let table = [
            ("1001", Some(vec![1001])),
            ("3,1,2", Some(vec![3, 1, 2])),
            (" 3 , 3,1", Some(vec![3, 1])),
            ("", None),
            ("1,", None),
            ("1,,2", None),
            ("+1", None),
            ("a", None),
            ("-1", None),
            ("99999999999999999999", None),
            (&many, None),
        ];
        for (text, parsed) in table {
            assert_eq!(ids("content_ids", text).ok(), parsed, "{text:?}");
        }
        assert_eq!(ids("content_ids", &fifty.join(",")).unwrap().len(), 50);
    }
}
