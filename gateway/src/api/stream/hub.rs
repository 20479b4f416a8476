//! The securities that clients of this gateway watch, and the upstream rpcs that update them.
//!
//! New securities get an upstream of their own, so that the service validates only new codes, without delay. Compaction
//! soon merges all upstreams into one.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use prost_reflect::DynamicMessage;
use sahm_chassis::{
    error::{Error, Result},
    lifecycle::Lifecycle,
    telemetry::Observed,
};
use sahm_proto::quotes::v1::StreamQuotesRequest;
use tokio::task::AbortHandle;
use tonic::Streaming;

use super::{
    events::Client,
    security::{Security, Update, sequence_of},
};
use crate::{
    api::{redaction::RedactedFields, response::Data},
    dynamic_grpc_client::{Rpc, inner, text},
    services::Services,
    single_flight::SharedTask,
};

/// Timeout of the service's response to a new stream.
const OPEN_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval at which upstreams are merged and unwatched securities are dropped.
const COMPACTION_INTERVAL: Duration = Duration::from_secs(2);
/// How long a security stays subscribed after its last client, so that a reconnecting client receives the updates that
/// it missed.
pub(in crate::api) const DISCONNECT_GRACE: Duration = Duration::from_secs(60);
/// Exponential backoff before a broken stream is reopened.
const MIN_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(5);

/// All clients of this gateway.
pub(super) struct Hub {
    rpc: Option<Rpc>,
    services: Services,
    redacted: Arc<RedactedFields>,
    /// Random, so that event ids of other processes are not recognised.
    epoch: u32,
    /// The sequence number of the last event.
    published: Arc<AtomicU64>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    securities: HashMap<String, Arc<Security>>,
    /// Openings in flight by code, so that concurrent requests for the same codes share one.
    openings: HashMap<String, Opening>,
    upstreams: Vec<Upstream>,
}

/// A stream of the rpc that is being opened.
#[derive(Clone)]
struct Opening {
    codes: Arc<[String]>,
    task: SharedTask<()>,
}

/// A stream of the rpc and the task that reads it.
struct Upstream {
    codes: Vec<String>,
    task: AbortHandle,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Hub {
    pub(super) fn new(
        rpc: Option<&Rpc>,
        services: &Services,
        redacted: Arc<RedactedFields>,
        lifecycle: &Lifecycle,
    ) -> Arc<Self> {
        let hub = Arc::new(Self {
            rpc: rpc.cloned(),
            services: services.clone(),
            redacted,
            epoch: rand::random(),
            published: Arc::default(),
            state: Mutex::default(),
        });
        Observed::of("quote_stream.securities", "Securities that are watched")
            .gauge(Arc::downgrade(&hub), |hub| hub.state().securities.len() as u64);
        lifecycle.spawn_until_drain("quote streams", compact(Arc::downgrade(&hub)));
        hub
    }

    /// Adds a client that watches these codes and has received events up to `last_event_id`.
    ///
    /// # Errors
    /// The service rejects a code or is unavailable.
    pub(super) async fn join(
        self: &Arc<Self>,
        codes: &[String],
        last_event_id: Option<&str>,
    ) -> Result<Client> {
        let last_received = last_event_id.and_then(|id| sequence_of(id, self.epoch));
        // Another client's opening may be rejected for a code that only that client requested; then this client opens
        // its own.
        for joins_others in [true, false] {
            for Opening { codes: requested, task } in self.openings(codes, joins_others) {
                match task.result().await {
                    Err(error)
                        if joins_others && !requested.iter().all(|code| codes.contains(code)) =>
                    {
                        tracing::debug!(?error, "another client's codes not streamed");
                    }
                    result => result?,
                }
            }
            if let Some(client) = self.client(codes, last_received.unwrap_or(0)) {
                return Ok(client);
            }
        }
        Err(Error::unavailable("codes lost"))
    }

    /// The openings for codes without an upstream: those in flight if `joins_others`, and a new one for the other
    /// codes.
    fn openings(self: &Arc<Self>, codes: &[String], joins_others: bool) -> Vec<Opening> {
        let mut state = self.state();
        let mut openings: Vec<Opening> = Vec::new();
        let mut rest = Vec::new();
        for code in codes.iter().filter(|code| !state.securities.contains_key(*code)) {
            if openings.iter().any(|opening| opening.codes.contains(code)) {
                continue;
            }
            match state.openings.get(code).filter(|_| joins_others) {
                Some(opening) => openings.push(opening.clone()),
                None => rest.push(code.clone()),
            }
        }
        if !rest.is_empty() {
            let codes: Arc<[String]> = rest.into();
            let task = SharedTask::start(self.clone().open_and_add(codes.clone()));
            let opening = Opening { codes, task };
            for code in opening.codes.iter() {
                state.openings.insert(code.clone(), opening.clone());
            }
            openings.push(opening);
        }
        openings
    }

    async fn open_and_add(self: Arc<Self>, codes: Arc<[String]>) -> Result<()> {
        let opened = self.open(&codes).await.map(|stream| self.add(codes.to_vec(), stream));
        self.state().openings.retain(|_, opening| !Arc::ptr_eq(&opening.codes, &codes));
        opened
    }

    /// Creates a client if all codes have an upstream.
    fn client(&self, codes: &[String], last_received: u64) -> Option<Client> {
        let state = self.state();
        let securities = codes.iter().map(|code| state.securities.get(code).cloned());
        let securities = securities.collect::<Option<Vec<_>>>()?;
        Some(Client::new(securities, last_received, self.published.clone()))
    }

    /// Opens a stream; returns when the service has accepted the codes.
    async fn open(&self, codes: &[String]) -> Result<Streaming<DynamicMessage>> {
        let missing = || Error::unavailable("no rpc streams quotes");
        let rpc = self.rpc.clone().ok_or_else(missing)?;
        let request = StreamQuotesRequest { security_codes: codes.join(",") };
        let services = self.services.clone();
        // Spawned, so that the stream does not inherit a client's deadline.
        let opening = async move { rpc.server_streaming(&services, request).await };
        let opened = tokio::time::timeout(OPEN_TIMEOUT, tokio::spawn(opening)).await;
        opened.map_err(|_| Error::timeout())?.map_err(Error::internal)?
    }

    /// Adds an accepted stream as an upstream, and removes upstreams whose codes it covers.
    fn add(self: &Arc<Self>, codes: Vec<String>, stream: Streaming<DynamicMessage>) {
        let reading = read(Arc::downgrade(self), codes.clone(), stream);
        let mut state = self.state();
        for code in &codes {
            state.securities.entry(code.clone()).or_default();
        }
        let State { securities, upstreams, .. } = &mut *state;
        let brings_others = |upstream: &Upstream| {
            upstream.codes.iter().any(|code| securities.contains_key(code) && !codes.contains(code))
        };
        upstreams.retain(brings_others);
        let task = tokio::spawn(reading).abort_handle();
        state.upstreams.push(Upstream { codes, task });
    }

    fn publish(&self, message: &DynamicMessage) {
        let Some(quote) = inner(message, "quote") else { return };
        let code = text(&quote, "security_code");
        let json = match serde_json::to_vec(&Data(&quote, &self.redacted)) {
            Ok(json) => json,
            Err(error) => return tracing::error!(%error, "quote not encoded"),
        };
        // The lock is held until the number is published, so that numbers ascend.
        let state = self.state();
        let security = state.securities.get(&code).filter(|security| !security.has(&json));
        let Some(security) = security.cloned() else { return };
        let sequence = self.published.load(Ordering::Relaxed) + 1;
        security.publish(Update::new(self.epoch, sequence, &json));
        self.published.store(sequence, Ordering::Release);
        drop(state);
        security.wake_clients();
    }

    /// Drops securities without clients and merges the upstreams.
    async fn compact(self: &Arc<Self>) {
        let watched = {
            let mut state = self.state();
            state.securities.retain(|_, security| security.is_watched_within(DISCONNECT_GRACE));
            if state.securities.is_empty() {
                return state.upstreams.clear();
            }
            let mut watched = state.securities.keys().cloned().collect::<Vec<_>>();
            watched.sort_unstable();
            let updated =
                state.upstreams.iter().map(|upstream| upstream.codes.len()).sum::<usize>();
            if state.upstreams.len() == 1 && updated == watched.len() {
                return;
            }
            watched
        };
        match self.open(&watched).await {
            Ok(stream) => self.add(watched, stream),
            Err(error) => tracing::warn!(error = ?error, "quote streams not merged"),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn compact(hub: Weak<Hub>) {
    loop {
        tokio::time::sleep(COMPACTION_INTERVAL).await;
        let Some(hub) = hub.upgrade() else { return };
        hub.compact().await;
    }
}

/// Reads a stream and reopens it when it breaks. Its first messages are a snapshot; clients receive only the quotes in
/// it that have changed.
async fn read(hub: Weak<Hub>, codes: Vec<String>, stream: Streaming<DynamicMessage>) {
    let mut open = Some(stream);
    let mut backoff = MIN_BACKOFF;
    loop {
        if let Some(stream) = &mut open {
            while let Ok(Some(message)) = stream.message().await {
                let Some(hub) = hub.upgrade() else { return };
                hub.publish(&message);
                backoff = MIN_BACKOFF;
            }
        }
        tokio::time::sleep(backoff.mul_f64(0.5 + rand::random::<f64>())).await;
        backoff = (backoff * 2).min(MAX_BACKOFF);
        let Some(hub) = hub.upgrade() else { return };
        open = hub
            .open(&codes)
            .await
            .inspect_err(|error| tracing::warn!(error = ?error, "quotes not streamed"))
            .ok();
    }
}
