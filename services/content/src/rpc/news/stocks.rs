//! `sahm.content.v1.StockService`.
use sahm_chassis::{Error, ErrorCode, cursor};
use sahm_proto::content::v1::{self as wire, stock_service_server::StockService};
use tonic::{Request, Response, Status};

use crate::{
    domain::Stock,
    rpc::{convert, entries::ContentRpc, validate},
    stocks::stocks,
};

#[tonic::async_trait]
impl StockService for ContentRpc {
    async fn list_stocks(
        &self,
        request: Request<wire::ListStocksRequest>,
    ) -> Result<Response<wire::ListStocksResponse>, Status> {
        let request = request.into_inner();
        let size = validate::size_or_all(request.size)?;
        // Sorts like `stocks`, because codes contain no line break.
        let position = |stock: &Stock| format!("{}\n{:010}", stock.code, stock.data_type);
        let (found, next_cursor) = cursor::page(
            "stocks",
            stocks(&self.store, &self.clock).await?,
            size,
            &request.cursor,
            position,
        )?;
        let items = convert::stocks(&found.iter().collect::<Vec<_>>());
        Ok(Response::new(wire::ListStocksResponse { items, next_cursor }))
    }

    async fn get_stock(
        &self,
        request: Request<wire::GetStockRequest>,
    ) -> Result<Response<wire::GetStockResponse>, Status> {
        let code = request.into_inner().stock_code;
        validate::required("stock_code", &code)?;
        let stock =
            convert::stocks(&by_codes(&stocks(&self.store, &self.clock).await?, &[code])).pop();
        let stock = stock.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(wire::GetStockResponse { stock: Some(stock) }))
    }

    async fn batch_get_stocks(
        &self,
        request: Request<wire::BatchGetStocksRequest>,
    ) -> Result<Response<wire::BatchGetStocksResponse>, Status> {
        let codes = request.into_inner().stock_codes;
        validate::batch("stock_codes", &codes)?;
        let items = convert::stocks(&by_codes(&stocks(&self.store, &self.clock).await?, &codes));
        Ok(Response::new(wire::BatchGetStocksResponse { items }))
    }
}

/// The securities with these codes, without duplicates, in the order of the codes.
fn by_codes<'a>(stocks: &'a [Stock], codes: &[String]) -> Vec<&'a Stock> {
    let mut found: Vec<&Stock> = Vec::new();
    for stock in codes.iter().filter_map(|code| stocks.iter().find(|one| one.code == *code)) {
        if found.iter().all(|known| known.code != stock.code) {
            found.push(stock);
        }
    }
    found
}
