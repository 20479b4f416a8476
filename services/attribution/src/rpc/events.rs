//! EventService.

use sahm_chassis::{
    clock::Clock,
    cursor,
    error::{Error, ErrorCode, Result},
    validate,
};
use sahm_proto::attribution::v1::{self as proto, event_service_server::EventService};
use tonic::{Request, Response};

use super::{
    RpcResult,
    convert::{draft, event},
};
use crate::{
    batcher::Batcher,
    domain::checked,
    store::{EventStore, Outcome},
};

const MAX_REPORTS: usize = 500;
const MAX_IDS: usize = 50;

pub(crate) struct EventRpc {
    pub(crate) batcher: Batcher,
    pub(crate) store: EventStore,
    pub(crate) clock: Clock,
}

impl EventRpc {
    async fn by_ids(&self, ids: &[String]) -> Result<Vec<proto::Event>> {
        let ids = validate::batch("event_ids", ids, MAX_IDS)?;
        Ok(self.store.events_by_id(ids).await?.into_iter().map(event).collect())
    }
}

/// The same field errors, with the report's position in the batch.
fn at_place(at: usize, error: &Error) -> Error {
    error.fields().iter().fold(Error::of(ErrorCode::Parameter), |named, fault| {
        named.and_field(format!("events[{at}].{}", fault.field), &fault.why)
    })
}

#[tonic::async_trait]
impl EventService for EventRpc {
    async fn report_event(
        &self,
        request: Request<proto::ReportEventRequest>,
    ) -> RpcResult<proto::ReportEventResponse> {
        let event = checked(draft(request.into_inner()), self.clock.now_millis())?;
        let event_id = event.event_id.clone();
        self.batcher.accept(vec![event]).await?;
        Ok(Response::new(proto::ReportEventResponse { accepted: true, event_id }))
    }

    async fn batch_report_events(
        &self,
        request: Request<proto::BatchReportEventsRequest>,
    ) -> RpcResult<proto::BatchReportEventsResponse> {
        let (reports, now) = (request.into_inner().events, self.clock.now_millis());
        validate::batch("events", &reports, MAX_REPORTS)?;
        let event =
            |(at, report)| checked(draft(report), now).map_err(|error| at_place(at, &error));
        let events = reports.into_iter().enumerate().map(event).collect::<Result<Vec<_>>>()?;
        let ids = events.iter().map(|event| event.event_id.clone()).collect::<Vec<_>>();
        let outcomes = self.batcher.accept(events).await?;
        let item = |(id, outcome): (String, Outcome)| proto::ReportedEvent {
            id: id.clone(),
            event_id: id,
            counted: outcome != Outcome::Repeated,
        };
        let items = ids.into_iter().zip(outcomes).map(item).collect();
        Ok(Response::new(proto::BatchReportEventsResponse { items }))
    }

    async fn list_events(
        &self,
        request: Request<proto::ListEventsRequest>,
    ) -> RpcResult<proto::ListEventsResponse> {
        let request = request.into_inner();
        let size = validate::list_size(request.size)?;
        let list = format!("events:{}:{}", request.member_id, request.event_name);
        let before = cursor::decode(&list, &request.cursor)?.unwrap_or(u64::MAX);
        let found =
            self.store.events(&request.event_name, request.member_id, before, u64::from(size) + 1);
        let mut found = found.await?;
        let next_cursor = cursor::cut(&list, &mut found, size as usize, |event| event.sequence);
        let items = found.into_iter().map(event).collect();
        Ok(Response::new(proto::ListEventsResponse { items, next_cursor }))
    }

    async fn get_event(
        &self,
        request: Request<proto::GetEventRequest>,
    ) -> RpcResult<proto::GetEventResponse> {
        let found = self.by_ids(&[request.into_inner().event_id]).await?;
        let event = found.into_iter().next().ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::GetEventResponse { event: Some(event) }))
    }

    async fn batch_get_events(
        &self,
        request: Request<proto::BatchGetEventsRequest>,
    ) -> RpcResult<proto::BatchGetEventsResponse> {
        let items = self.by_ids(&request.into_inner().event_ids).await?;
        Ok(Response::new(proto::BatchGetEventsResponse { items }))
    }
}
