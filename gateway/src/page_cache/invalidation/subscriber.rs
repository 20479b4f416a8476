//! Subscribes to a service's change log and follows it by sequence (docs/page-cache.md).

use std::{sync::Arc, time::Duration};

use anyhow::{Context as _, bail};
use sahm_chassis::{clock::Clock, rpc::Transport};
use sahm_proto::changes::v1::{
    WatchChangesRequest, WatchChangesResponse, change_log_service_client::ChangeLogServiceClient,
};
use tokio::{sync::Notify, time::timeout};
use tonic::Streaming;

use super::index::{LogHead, Purge, PurgeIndex};
use crate::page_cache::metrics::Metrics;

/// A service that does not respond within this time is unavailable.
const ANSWER: Duration = Duration::from_secs(5);
/// A log that sends no earlier change within this time has none.
const NOTHING_KEPT: Duration = Duration::from_millis(300);
/// Heartbeats arrive every 15 s; after this silence the stream is broken.
const SILENCE: Duration = Duration::from_secs(35);
const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_millis(500);

/// Follows one service's log for as long as the process runs.
pub(in crate::page_cache) struct Subscriber {
    pub(in crate::page_cache) service: Arc<str>,
    pub(in crate::page_cache) transport: Transport,
    pub(in crate::page_cache) index: Arc<PurgeIndex>,
    /// Notified of everything that the replica has to hold.
    pub(in crate::page_cache) changed: Arc<Notify>,
    pub(in crate::page_cache) clock: Clock,
    pub(in crate::page_cache) metrics: Arc<Metrics>,
}

impl Subscriber {
    pub(in crate::page_cache) async fn run(self) {
        let mut retry = FIRST_RETRY;
        let mut told = false;
        loop {
            let error = match self.read().await {
                Ok(never) => match never {},
                Err(error) => error,
            };
            if self.index.connected(&self.service) {
                retry = FIRST_RETRY;
                told = false;
            }
            self.index.connect(&self.service, false);
            if !std::mem::replace(&mut told, true) {
                tracing::warn!(
                    service = &*self.service,
                    error = format!("{error:#}"),
                    "change log is not readable, entries stay in use"
                );
            }
            tokio::time::sleep(retry.mul_f64(0.5 + rand::random::<f64>() / 2.0)).await;
            retry = (retry * 2).min(LAST_RETRY);
        }
    }

    /// Reads the log until it breaks off.
    async fn read(&self) -> anyhow::Result<std::convert::Infallible> {
        let asked = self.index.resume(&self.service);
        let request = match &asked {
            Some(head) => WatchChangesRequest { log_id: head.id.to_string(), after: head.sequence },
            None => WatchChangesRequest::default(),
        };
        let mut client = ChangeLogServiceClient::new(self.transport.clone());
        let mut stream = timeout(ANSWER, client.watch_changes(request))
            .await
            .context("no answer")??
            .into_inner();
        let first = timeout(ANSWER, stream.message())
            .await
            .context("no first message")??
            .context("ended at once")?;
        let head = LogHead { id: first.log_id.as_str().into(), sequence: first.sequence };
        let known = match asked {
            Some(asked) if !first.reset && asked.id == head.id => Some(asked.sequence),
            None if !first.reset => None,
            _ => {
                tracing::info!(service = &*self.service, log_id = &*head.id, "another change log");
                self.index.restart(&self.service, head.clone());
                Some(head.sequence)
            }
        };
        let result = self.go_on(&mut stream, &head, known).await;
        if known.is_none() {
            self.index.reset(&self.service);
        }
        result
    }

    /// Applies the stream; `known` is the sequence up to which everything is applied.
    async fn go_on(
        &self,
        stream: &mut Streaming<WatchChangesResponse>,
        head: &LogHead,
        mut known: Option<u64>,
    ) -> anyhow::Result<std::convert::Infallible> {
        self.index.replay(&self.service);
        if head.sequence == 0 && known.is_none() {
            self.index.restart(&self.service, head.clone());
            known = Some(0);
        }
        let mut live = self.arrive(known, head);
        loop {
            let wait = if known.is_none() { NOTHING_KEPT } else { SILENCE };
            let message = match timeout(wait, stream.message()).await {
                Ok(message) => message?.context("ended")?,
                Err(_) if known.is_none() => {
                    self.index.restart(&self.service, head.clone());
                    known = Some(head.sequence);
                    live = self.arrive(known, head);
                    continue;
                }
                Err(_) => bail!("silent for {} s", SILENCE.as_secs()),
            };
            if *message.log_id != *head.id {
                bail!("the log's id changed");
            }
            match message.change {
                Some(change) => {
                    if known.is_none() {
                        // The oldest change that the log has: everything before it is unknown.
                        let sequence = message.sequence.saturating_sub(1);
                        self.index
                            .restart(&self.service, LogHead { id: head.id.clone(), sequence });
                    }
                    let purge = Purge {
                        sequence: message.sequence,
                        tags: &change.tags,
                        soft: change.soft,
                        time: change.time,
                    };
                    self.index.apply(&self.service, purge);
                    if live {
                        let delay = self.clock.now().saturating_sub(change.time);
                        self.metrics.purge_delay.record(f64::from(delay), &[]);
                    }
                    known = Some(message.sequence);
                }
                None if known.is_some() => {
                    self.index.checkpoint(&self.service, message.sequence, self.clock.now());
                    known = known.max(Some(message.sequence));
                }
                None => continue,
            }
            live = live || self.arrive(known, head);
            self.changed.notify_one();
        }
    }

    /// Marks the log as connected once it is read to its end.
    fn arrive(&self, known: Option<u64>, head: &LogHead) -> bool {
        let arrived = known.is_some_and(|known| known >= head.sequence);
        if arrived {
            self.index.connect(&self.service, true);
            self.changed.notify_one();
            tracing::info!(
                service = &*self.service,
                sequence = head.sequence,
                "follows change log"
            );
        }
        arrived
    }
}
