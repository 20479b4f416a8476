//! Subscribes to a service's change log and follows it by sequence (docs/page-cache.md#purges).

use std::{convert::Infallible, sync::Arc, time::Duration};

use anyhow::{Context as _, bail};
use sahm_chassis::{clock::Clock, rpc::Transport};
use sahm_proto::changes::v1::{
    WatchChangesRequest, WatchChangesResponse, change_log_service_client::ChangeLogServiceClient,
};
use tokio::{sync::Notify, time::timeout};
use tonic::Streaming;

use super::{
    cdn_purges::CdnPurges,
    index::{LogHead, PurgeIndex},
};
use crate::page_cache::metrics::Metrics;

/// A service that does not respond within this time is unavailable.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of the log's oldest change; without one, the log counts as having no earlier changes.
const FIRST_CHANGE_TIMEOUT: Duration = Duration::from_millis(300);
/// Heartbeats arrive every 15 s; after this silence the stream is broken.
const IDLE_TIMEOUT: Duration = Duration::from_secs(35);
const MIN_BACKOFF: Duration = Duration::from_millis(50);
const MAX_BACKOFF: Duration = Duration::from_millis(500);

/// Follows one service's log for as long as the process runs.
pub(crate) struct Subscriber {
    pub(crate) service: Arc<str>,
    pub(crate) transport: Transport,
    pub(crate) index: Arc<PurgeIndex>,
    /// Notified of every change that the replica must store.
    pub(crate) changed: Arc<Notify>,
    /// Also purges changes from the CDN, if there is one.
    pub(crate) cdn: Option<Arc<CdnPurges>>,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
}

impl Subscriber {
    pub(crate) async fn run(self) {
        let mut retry = MIN_BACKOFF;
        let mut logged = false;
        loop {
            let Err(error) = self.read().await;
            if self.index.connected(&self.service) {
                retry = MIN_BACKOFF;
                logged = false;
            }
            self.index.connect(&self.service, false);
            if !std::mem::replace(&mut logged, true) {
                tracing::warn!(
                    service = &*self.service,
                    error = format!("{error:#}"),
                    "change log is not readable, entries stay in use"
                );
            }
            tokio::time::sleep(rand::random_range(retry / 2..retry)).await;
            retry = (retry * 2).min(MAX_BACKOFF);
        }
    }

    /// Reads the log until its stream breaks.
    async fn read(&self) -> anyhow::Result<Infallible> {
        let resume = self.index.resume(&self.service);
        let (log_id, after) = match &resume {
            Some(head) => (head.id.to_string(), head.sequence),
            None => Default::default(),
        };
        let mut client = ChangeLogServiceClient::new(self.transport.clone());
        let call = client.watch_changes(WatchChangesRequest { log_id, after });
        let mut stream =
            timeout(RESPONSE_TIMEOUT, call).await.context("no response")??.into_inner();
        let first = timeout(RESPONSE_TIMEOUT, stream.message())
            .await
            .context("no first message")??
            .context("ended at once")?;
        let head = LogHead { id: first.log_id.as_str().into(), sequence: first.sequence };
        self.index.replay(&self.service);
        let was_known = resume.is_some();
        match resume {
            Some(resume) if !first.reset && resume.id == head.id => {}
            None if !first.reset && head.sequence > 0 => {
                let result = self.follow_from_start(&mut stream, &head).await;
                self.index.reset(&self.service);
                return result;
            }
            _ => {
                tracing::info!(service = &*self.service, log_id = &*head.id, "another change log");
                self.index.restart(&self.service, head.clone());
                if let Some(cdn) = self.cdn.as_ref().filter(|_| was_known) {
                    cdn.add_all();
                }
            }
        }
        self.follow(&mut stream, &head, None).await
    }

    /// Follows a log from its oldest change: everything before that is unknown.
    async fn follow_from_start(
        &self,
        stream: &mut Streaming<WatchChangesResponse>,
        head: &LogHead,
    ) -> anyhow::Result<Infallible> {
        let first_change = async {
            loop {
                let message = stream.message().await?.context("ended")?;
                if message.change.is_some() {
                    return anyhow::Ok(message);
                }
            }
        };
        let first = timeout(FIRST_CHANGE_TIMEOUT, first_change).await.ok().transpose()?;
        let since = first.as_ref().map_or(head.sequence, |first| first.sequence.saturating_sub(1));
        self.index.restart(&self.service, LogHead { id: head.id.clone(), sequence: since });
        self.follow(stream, head, first).await
    }

    /// Applies the stream, after a message of it that was read already.
    async fn follow(
        &self,
        stream: &mut Streaming<WatchChangesResponse>,
        head: &LogHead,
        mut read: Option<WatchChangesResponse>,
    ) -> anyhow::Result<Infallible> {
        let mut live = false;
        loop {
            let applied = self.index.resume(&self.service).map_or(0, |at| at.sequence);
            if !live && applied >= head.sequence {
                live = true;
                self.index.connect(&self.service, true);
                let sequence = head.sequence;
                tracing::info!(service = &*self.service, sequence, "follows change log");
            }
            self.changed.notify_one();
            let message = match read.take() {
                Some(message) => message,
                None => timeout(IDLE_TIMEOUT, stream.message())
                    .await
                    .with_context(|| format!("silent for {} s", IDLE_TIMEOUT.as_secs()))??
                    .context("ended")?,
            };
            if *message.log_id != *head.id {
                bail!("the log's id changed");
            }
            let (sequence, now) = (message.sequence, self.clock.now());
            let Some(change) = message.change else {
                self.index.checkpoint(&self.service, sequence, now);
                continue;
            };
            self.index.apply(&self.service, sequence, change.time, &change.tags, change.soft);
            if let Some(cdn) = &self.cdn {
                cdn.add(&change.tags, change.time);
            }
            if live {
                self.metrics.purge_delay.record(now.saturating_sub(change.time).into(), &[]);
            }
        }
    }
}
