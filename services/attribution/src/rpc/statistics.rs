//! EventStatisticsService.

use sahm_proto::attribution::v1::{
    CountEventsRequest, CountEventsResponse,
    event_statistics_service_server::EventStatisticsService,
};
use tonic::{Request, Response};

use super::{
    RpcResult,
    convert::{count, count_query},
};
use crate::store::EventStore;

#[derive(Clone)]
pub(crate) struct StatisticsRpc {
    store: EventStore,
}

impl StatisticsRpc {
    pub(crate) fn new(store: EventStore) -> Self {
        Self { store }
    }
}

#[tonic::async_trait]
impl EventStatisticsService for StatisticsRpc {
    async fn count_events(
        &self,
        request: Request<CountEventsRequest>,
    ) -> RpcResult<CountEventsResponse> {
        let query = count_query(request.into_inner())?;
        let (rows, total) = self.store.count(&query).await?;
        let items = rows.into_iter().map(count).collect();
        Ok(Response::new(CountEventsResponse { items, total }))
    }
}
