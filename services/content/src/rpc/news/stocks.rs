//! `sahm.content.v1.StockService`.
use sahm_chassis::{Error, ErrorCode, Result, cursor};
use sahm_proto::content::v1::{self as wire, stock_service_server::StockService};
use tonic::{Request, Response, Status};

use crate::{
    domain::Stock,
    rpc::{convert, entries::Entries, validate},
    stocks::stocks,
};

pub(crate) struct StockRpc {
    entries: Entries,
}

impl StockRpc {
    pub(crate) fn new(entries: Entries) -> Self {
        Self { entries }
    }

    async fn all(&self) -> Result<Vec<Stock>> {
        stocks(&self.entries.store, &self.entries.clock).await
    }

    /// The securities with these codes, without duplicates, in the order of the codes.
    async fn by_codes(&self, codes: &[String]) -> Result<Vec<wire::StockMention>> {
        let stocks = self.all().await?;
        let mut found: Vec<&Stock> = Vec::new();
        for stock in codes.iter().filter_map(|code| stocks.iter().find(|one| one.code == *code)) {
            if found.iter().all(|known| known.code != stock.code) {
                found.push(stock);
            }
        }
        Ok(convert::stocks(&found))
    }
}

#[tonic::async_trait]
impl StockService for StockRpc {
    async fn list_stocks(
        &self,
        request: Request<wire::ListStocksRequest>,
    ) -> Result<Response<wire::ListStocksResponse>, Status> {
        let request = request.into_inner();
        let size = validate::size_or_all(request.size)?;
        // Sorts like `stocks`, because codes contain no line break.
        let position = |stock: &Stock| format!("{}\n{:010}", stock.code, stock.data_type);
        let (found, next_cursor) =
            cursor::page("stocks", self.all().await?, size, &request.cursor, position)?;
        let items = convert::stocks(&found.iter().collect::<Vec<_>>());
        Ok(Response::new(wire::ListStocksResponse { items, next_cursor }))
    }

    async fn get_stock(
        &self,
        request: Request<wire::GetStockRequest>,
    ) -> Result<Response<wire::GetStockResponse>, Status> {
        let code = request.into_inner().stock_code;
        validate::required("stock_code", &code)?;
        let stock = self.by_codes(&[code]).await?.pop();
        let stock = stock.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(wire::GetStockResponse { stock: Some(stock) }))
    }

    async fn batch_get_stocks(
        &self,
        request: Request<wire::BatchGetStocksRequest>,
    ) -> Result<Response<wire::BatchGetStocksResponse>, Status> {
        let codes = request.into_inner().stock_codes;
        validate::batch("stock_codes", &codes)?;
        let items = self.by_codes(&codes).await?;
        Ok(Response::new(wire::BatchGetStocksResponse { items }))
    }
}
