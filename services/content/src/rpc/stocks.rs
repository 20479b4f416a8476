use sahm_chassis::{Error, ErrorCode, Result, clock::Clock, cursor};
use sahm_proto::content::v1::{self as wire, stock_service_server::StockService};
use tonic::{Request, Response, Status};

use super::{asked, convert};
use crate::{domain::Stock, stocks::stocks, store::ContentStore};

/// `sahm.content.v1.StockService`.
pub(crate) struct StockCalls {
    store: ContentStore,
    clock: Clock,
}

impl StockCalls {
    /// Answers from a store.
    pub(crate) fn new(store: ContentStore, clock: Clock) -> Self {
        Self { store, clock }
    }

    async fn list(&self, asked: wire::ListStocksRequest) -> Result<wire::ListStocksResponse> {
        let size = asked::size_or_all(asked.size)?;
        let found = stocks(&self.store, &self.clock).await?;
        // In the order of `stocks`: no code holds a line break.
        let position = |stock: &Stock| format!("{}\n{:010}", stock.code, stock.data_type);
        let (found, next_cursor) = cursor::page("stocks", found, size, &asked.cursor, position)?;
        let found: Vec<&Stock> = found.iter().collect();
        Ok(wire::ListStocksResponse { items: convert::stocks(&found), next_cursor })
    }

    async fn named(&self, codes: &[String]) -> Result<Vec<wire::StockMention>> {
        let stocks = stocks(&self.store, &self.clock).await?;
        let mut found: Vec<&Stock> = Vec::new();
        for stock in codes.iter().filter_map(|code| stocks.iter().find(|one| one.code == *code)) {
            if found.iter().all(|known| known.code != stock.code) {
                found.push(stock);
            }
        }
        Ok(convert::stocks(&found))
    }

    async fn get(&self, code: String) -> Result<wire::GetStockResponse> {
        if code.is_empty() {
            return Err(Error::field("stock_code", "is needed"));
        }
        let stock = self.named(&[code]).await?.pop();
        let stock = stock.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(wire::GetStockResponse { stock: Some(stock) })
    }

    async fn batch(&self, codes: &[String]) -> Result<wire::BatchGetStocksResponse> {
        asked::batch_of("stock_codes", codes)?;
        Ok(wire::BatchGetStocksResponse { items: self.named(codes).await? })
    }
}

#[tonic::async_trait]
impl StockService for StockCalls {
    async fn list_stocks(
        &self,
        request: Request<wire::ListStocksRequest>,
    ) -> Result<Response<wire::ListStocksResponse>, Status> {
        Ok(Response::new(self.list(request.into_inner()).await?))
    }

    async fn get_stock(
        &self,
        request: Request<wire::GetStockRequest>,
    ) -> Result<Response<wire::GetStockResponse>, Status> {
        Ok(Response::new(self.get(request.into_inner().stock_code).await?))
    }

    async fn batch_get_stocks(
        &self,
        request: Request<wire::BatchGetStocksRequest>,
    ) -> Result<Response<wire::BatchGetStocksResponse>, Status> {
        Ok(Response::new(self.batch(&request.into_inner().stock_codes).await?))
    }
}
