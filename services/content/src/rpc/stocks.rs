use sahm_chassis::{Result, clock::Clock};
use sahm_proto::content::v1::{self as wire, stock_service_server::StockService};
use tonic::{Request, Response, Status};

use super::convert;
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

    async fn list(&self, _: wire::ListStocksRequest) -> Result<wire::ListStocksResponse> {
        let found = stocks(&self.store, &self.clock).await?;
        let found: Vec<&Stock> = found.iter().collect();
        Ok(wire::ListStocksResponse { items: convert::stocks(&found) })
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
}
