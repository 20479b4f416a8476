//! SinkService.

use std::sync::Arc;

use sahm_chassis::{
    cursor,
    error::{Error, ErrorCode},
    validate,
};
use sahm_proto::attribution::v1::{self as proto, sink_service_server::SinkService};
use tokio::sync::Notify;
use tonic::{Request, Response};

use super::{
    RpcResult,
    convert::{dead_letter, sink},
};
use crate::store::EventStore;

const MAX_IDS: usize = 1_000;

pub(crate) struct SinkRpc {
    pub(crate) store: EventStore,
    /// The names of sinks in the settings.
    pub(crate) configured: Vec<String>,
    /// Wakes deliveries.
    pub(crate) changed: Arc<Notify>,
}

#[tonic::async_trait]
impl SinkService for SinkRpc {
    async fn list_sinks(
        &self,
        _: Request<proto::ListSinksRequest>,
    ) -> RpcResult<proto::ListSinksResponse> {
        let states = self.store.sinks().await?;
        let items = states.into_iter().map(|state| {
            let configured = self.configured.contains(&state.name);
            sink(state, configured)
        });
        Ok(Response::new(proto::ListSinksResponse { items: items.collect() }))
    }

    async fn list_dead_letters(
        &self,
        request: Request<proto::ListDeadLettersRequest>,
    ) -> RpcResult<proto::ListDeadLettersResponse> {
        let request = request.into_inner();
        let size = validate::list_size(request.size)?;
        let list = format!("dead-letters:{}", request.sink);
        let after = cursor::decode(&list, &request.cursor)?.unwrap_or(0);
        let mut found = self.store.dead_letters(&request.sink, after, u64::from(size) + 1).await?;
        let next_cursor =
            cursor::cut(&list, &mut found, size as usize, |dead_letter| dead_letter.event.sequence);
        let items = found.into_iter().map(|found| dead_letter(&request.sink, found)).collect();
        Ok(Response::new(proto::ListDeadLettersResponse { items, next_cursor }))
    }

    async fn replay_dead_letters(
        &self,
        request: Request<proto::ReplayDeadLettersRequest>,
    ) -> RpcResult<proto::ReplayDeadLettersResponse> {
        let request = request.into_inner();
        if request.ids.len() > MAX_IDS {
            return Err(Error::field("ids", "at most 1000 ids").into());
        }
        let is_decimal = |id: &&String| id.bytes().all(|byte| byte.is_ascii_digit());
        let sequence = |id: &String| Some(id).filter(is_decimal)?.parse::<u64>().ok();
        let sequences = request.ids.iter().map(sequence).collect::<Option<Vec<_>>>();
        let sequences = sequences.ok_or_else(|| Error::field("ids", "ids of dead letters"))?;
        let replayed = self.store.replay(&request.sink, &sequences).await?;
        self.changed.notify_waiters();
        let replayed = replayed.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(proto::ReplayDeadLettersResponse { replayed }))
    }
}
