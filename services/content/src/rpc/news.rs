mod articles;
mod lists;
mod readers;

use sahm_chassis::{Error, Result, changes::ChangeLog, clock::Clock};
use sahm_proto::content::v1::{self as wire, news_service_server::NewsService};
use tonic::{Request, Response, Status};

use crate::{
    domain::{ArticleSigner, Market},
    providers::Translator,
    stocks::StockBook,
    store::ContentStore,
};

/// `sahm.content.v1.NewsService`.
pub(crate) struct NewsCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
    reading: Reading,
}

/// What the reading of an article needs besides its text.
pub(crate) struct Reading {
    /// The securities that texts name.
    pub(crate) stocks: StockBook,
    /// Lets readers ask for translations of what they were shown.
    pub(crate) signer: ArticleSigner,
    /// Translates; `None`: nobody does.
    pub(crate) translator: Option<Translator>,
}

impl NewsCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock, reading: Reading) -> Self {
        Self { store, log, clock, reading }
    }
}

pub(super) fn market(name: &str) -> Result<Market> {
    Market::from_name(name).ok_or_else(|| Error::field("market", "must be us, saudi, all or empty"))
}

#[tonic::async_trait]
impl NewsService for NewsCalls {
    async fn list_tabs(
        &self,
        request: Request<wire::ListTabsRequest>,
    ) -> Result<Response<wire::ListTabsResponse>, Status> {
        Ok(Response::new(self.tabs(request.into_inner()).await?))
    }

    async fn get_tab(
        &self,
        request: Request<wire::GetTabRequest>,
    ) -> Result<Response<wire::GetTabResponse>, Status> {
        Ok(Response::new(self.tab(request.into_inner().id).await?))
    }

    async fn batch_get_tabs(
        &self,
        request: Request<wire::BatchGetTabsRequest>,
    ) -> Result<Response<wire::BatchGetTabsResponse>, Status> {
        Ok(Response::new(self.tabs_by_id(&request.into_inner().ids).await?))
    }

    async fn list_tab_articles(
        &self,
        request: Request<wire::ListTabArticlesRequest>,
    ) -> Result<Response<wire::ListTabArticlesResponse>, Status> {
        Ok(Response::new(self.tab_articles(request.into_inner()).await?))
    }

    async fn list_articles(
        &self,
        request: Request<wire::ListArticlesRequest>,
    ) -> Result<Response<wire::ListArticlesResponse>, Status> {
        Ok(Response::new(self.articles(request.into_inner()).await?))
    }

    async fn get_article(
        &self,
        request: Request<wire::GetArticleRequest>,
    ) -> Result<Response<wire::GetArticleResponse>, Status> {
        Ok(Response::new(self.article(request.into_inner()).await?))
    }

    async fn batch_get_articles(
        &self,
        request: Request<wire::BatchGetArticlesRequest>,
    ) -> Result<Response<wire::BatchGetArticlesResponse>, Status> {
        Ok(Response::new(self.batch(request.into_inner()).await?))
    }

    async fn list_unread(
        &self,
        request: Request<wire::ListUnreadRequest>,
    ) -> Result<Response<wire::ListUnreadResponse>, Status> {
        Ok(Response::new(self.unread(request.into_inner()).await?))
    }

    async fn list_recommended_news(
        &self,
        request: Request<wire::ListRecommendedNewsRequest>,
    ) -> Result<Response<wire::ListRecommendedNewsResponse>, Status> {
        Ok(Response::new(self.recommended(request.into_inner()).await?))
    }

    async fn list_related_stocks(
        &self,
        request: Request<wire::ListRelatedStocksRequest>,
    ) -> Result<Response<wire::ListRelatedStocksResponse>, Status> {
        Ok(Response::new(self.related_stocks(request.into_inner()).await?))
    }

    async fn translate_article(
        &self,
        request: Request<wire::TranslateArticleRequest>,
    ) -> Result<Response<wire::TranslateArticleResponse>, Status> {
        Ok(Response::new(self.translate(request.into_inner()).await?))
    }

    async fn operate_like(
        &self,
        request: Request<wire::OperateLikeRequest>,
    ) -> Result<Response<wire::OperateLikeResponse>, Status> {
        Ok(Response::new(self.operate_like(request.into_inner()).await?))
    }

    async fn list_likes(
        &self,
        request: Request<wire::ListLikesRequest>,
    ) -> Result<Response<wire::ListLikesResponse>, Status> {
        Ok(Response::new(self.likes(request.into_inner()).await?))
    }

    async fn add_article_read_log(
        &self,
        request: Request<wire::AddArticleReadLogRequest>,
    ) -> Result<Response<wire::AddArticleReadLogResponse>, Status> {
        Ok(Response::new(self.count(request.into_inner()).await?))
    }

    async fn withdraw_articles(
        &self,
        request: Request<wire::WithdrawArticlesRequest>,
    ) -> Result<Response<wire::WithdrawArticlesResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }

    async fn list_article_refs(
        &self,
        request: Request<wire::ListArticleRefsRequest>,
    ) -> Result<Response<wire::ListArticleRefsResponse>, Status> {
        Ok(Response::new(self.refs(request.into_inner()).await?))
    }
}
