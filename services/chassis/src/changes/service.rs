//! Serves the log over gRPC.
use std::{future::ready, time::Duration};

use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use sahm_proto::changes::v1::{
    Change, PurgeTagsRequest, PurgeTagsResponse, WatchChangesRequest, WatchChangesResponse,
    change_log_service_server::{ChangeLogService, ChangeLogServiceServer},
};
use tokio::{
    sync::watch,
    time::{Instant, Interval, interval_at},
};
use tonic::{Request, Response, Status};

use super::{
    MAX_TAGS, append,
    append::to_u64,
    is_tag,
    poll::{ChangeLog, Position, read_after, read_position},
};
use crate::{
    error::{Error, ErrorCode},
    store::Store,
};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

impl ChangeLog {
    /// The gRPC service.
    pub fn service(&self) -> ChangeLogServiceServer<ChangeLog> {
        ChangeLogServiceServer::new(self.clone())
    }
}

#[tonic::async_trait]
impl ChangeLogService for ChangeLog {
    type WatchChangesStream = BoxStream<'static, Result<WatchChangesResponse, Status>>;

    async fn watch_changes(
        &self,
        request: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        if self.lifecycle.is_draining() {
            return Err(ended("draining").into());
        }
        let request = request.into_inner();
        let position = read_position(&self.store).await?;
        let reset = must_reset(&request, &position);
        let subscriber = Subscriber {
            store: self.store.clone(),
            positions: self.position.clone(),
            heartbeat: interval_at(Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL),
            after: if reset { position.last } else { request.after.max(position.pruned_through) },
            last: position.last,
            log_id: position.log_id,
        };
        let first = subscriber.message(subscriber.last, None, reset);
        let later = stream::try_unfold(subscriber, |mut subscriber| async move {
            let messages = subscriber.next().await?.into_iter().map(Ok::<_, Error>);
            Ok::<_, Error>(Some((stream::iter(messages), subscriber)))
        });
        let messages = stream::once(ready(Ok(first))).chain(later.try_flatten());
        Ok(Response::new(messages.map_err(Status::from).boxed()))
    }

    async fn purge_tags(
        &self,
        request: Request<PurgeTagsRequest>,
    ) -> Result<Response<PurgeTagsResponse>, Status> {
        let PurgeTagsRequest { tags, soft } = request.into_inner();
        validate(&tags)?;
        let sequence = self.store.write(async |tx| append(tx, &tags, soft).await).await?;
        self.notify();
        tracing::info!(tags = tags.len(), soft, sequence, "tags purged by an operator");
        let log_id = read_position(&self.store).await?.log_id;
        Ok(Response::new(PurgeTagsResponse { log_id, sequence }))
    }
}

fn validate(tags: &[String]) -> Result<(), Error> {
    if tags.is_empty() || tags.len() > MAX_TAGS {
        return Err(Error::field("tags", format!("1 to {MAX_TAGS} tags")));
    }
    match tags.iter().all(|tag| is_tag(tag)) {
        true => Ok(()),
        false => Err(Error::field("tags", "tags are of the form [a-z0-9:_-]{1,120}")),
    }
}

/// Whether a subscriber must drop its entries: its position is from another log, older than the
/// oldest retained entry, or newer than a restored log.
fn must_reset(request: &WatchChangesRequest, position: &Position) -> bool {
    if request.log_id.is_empty() {
        // A subscriber without a log id that starts at 0 reads from the oldest retained entry.
        return request.after > 0;
    }
    request.log_id != position.log_id
        || request.after < position.pruned_through
        || request.after > position.last
}

fn ended(why: &'static str) -> Error {
    Error::new(ErrorCode::Unavailable, why)
}

/// One subscriber's stream.
struct Subscriber {
    store: Store,
    positions: watch::Receiver<Option<Position>>,
    heartbeat: Interval,
    log_id: String,
    /// The sequence of the last message.
    after: u64,
    /// The newest known sequence.
    last: u64,
}

impl Subscriber {
    /// The next messages: entries that the subscriber has not received, otherwise a heartbeat.
    async fn next(&mut self) -> Result<Vec<WatchChangesResponse>, Error> {
        while self.after >= self.last {
            tokio::select! {
                changed = self.positions.changed() => {
                    changed.map_err(|_| ended("draining"))?;
                    let now = self.positions.borrow_and_update().clone();
                    let position = now.ok_or_else(|| ended("the store does not respond"))?;
                    if position.log_id != self.log_id || position.last < self.after {
                        return Err(ended("the log was replaced"));
                    }
                    self.last = position.last;
                }
                _ = self.heartbeat.tick() => {
                    return Ok(vec![self.message(self.after, None, false)]);
                }
            }
        }
        let (store, after) = (self.store.clone(), self.after);
        // Spawned, so that the spans of these queries are not added to the trace of a stream that may
        // stay open for days.
        let entries = tokio::spawn(async move { read_after(&store, after).await }).await;
        let entries = entries.map_err(Error::internal)??;
        if entries.first().is_none_or(|entry| to_u64(entry.sequence) != self.after + 1) {
            // Pruned while this subscriber was slow; it must reset when it subscribes again.
            return Err(ended("the position is no longer kept"));
        }
        let messages = entries.into_iter().map(|entry| {
            self.after = to_u64(entry.sequence);
            let change = Change {
                tags: serde_json::from_str(&entry.tags).map_err(Error::internal)?,
                soft: entry.soft,
                time: u32::try_from(entry.time).unwrap_or(0),
            };
            Ok(self.message(self.after, Some(change), false))
        });
        messages.collect()
    }

    fn message(&self, sequence: u64, change: Option<Change>, reset: bool) -> WatchChangesResponse {
        WatchChangesResponse { log_id: self.log_id.clone(), sequence, change, reset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscriber_with_unknown_or_pruned_position_must_reset() {
        let position = Position { log_id: "a".into(), last: 20, pruned_through: 5 };
        let cases = [
            ("", 0, false),
            ("", 3, true),
            ("a", 20, false),
            ("a", 5, false),
            ("a", 4, true),
            ("a", 0, true),
            ("a", 21, true),
            ("b", 20, true),
            ("b", 0, true),
        ];
        for (log_id, after, reset) in cases {
            let request = WatchChangesRequest { log_id: log_id.into(), after };
            assert_eq!(must_reset(&request, &position), reset, "{log_id} {after}");
        }
        let new = Position { log_id: "a".into(), last: 0, pruned_through: 0 };
        let request = WatchChangesRequest { log_id: "a".into(), after: 0 };
        assert!(!must_reset(&request, &new));
    }

    #[test]
    fn purge_rejects_invalid_tags() {
        let refused = |tags: Vec<String>| {
            validate(&tags).is_err_and(|error| error.fields().iter().any(|f| f.field == "tags"))
        };
        assert!(refused(vec![]));
        assert!(refused(vec!["a".into(); 1001]));
        for invalid in ["", "A", "news 1", "news*", "é", &"a".repeat(121)] {
            assert!(refused(vec!["news:1".into(), invalid.into()]), "{invalid}");
        }
        assert!(validate(&vec!["a".repeat(120); 1000]).is_ok());
        assert!(validate(&["news:list:us".into(), "config:web_config".into()]).is_ok());
    }
}
