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

#[tonic::async_trait]
impl EventStatisticsService for EventStore {
    async fn count_events(
        &self,
        request: Request<CountEventsRequest>,
    ) -> RpcResult<CountEventsResponse> {
        let query = count_query(request.into_inner())?;
        let (rows, total) = self.count(&query).await?;
        let items = rows.into_iter().map(count).collect();
        Ok(Response::new(CountEventsResponse { items, total }))
    }
}
