//! Delivers events to one sink, in order and at least once. Of several replicas the one with the
//! sink's lease delivers.

use std::{pin::pin, sync::Arc, time::Duration};

use sahm_chassis::{
    clock::Clock, error::Result, lifecycle::Lifecycle, outbound::Outbound, settings::Endpoint,
};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::sleep};

use crate::{
    domain::{DeliveryOutcome, Event, backoff, new_event_id, outcome_of},
    store::{EventStore, Lease},
};

/// Maximum number of events per request.
const BATCH_SIZE: u64 = 100;
/// Number of dead letters that are replayed between two batches.
const DEAD_LETTERS_PER_BATCH: u64 = 20;
/// Duration of a lease, and its minimum remaining time for sending.
const LEASE_DURATION: Duration = Duration::from_secs(30);
const MIN_LEASE_LEFT: Duration = Duration::from_secs(15);
/// Interval at which events of other replicas are polled.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Timeout of a request to a sink.
const SINK_TIMEOUT: Duration = Duration::from_secs(5);
/// After this many consecutive failures the first event is sent alone …
const ATTEMPTS_BEFORE_SINGLE_EVENTS: u32 = 10;
/// … and after this many it becomes a dead letter if the sink responds with 500.
const ATTEMPTS_BEFORE_DEAD_LETTER: u32 = 20;
/// Maximum length of a stored error in characters.
const MAX_REASON_LENGTH: usize = 300;

/// Delivers stored events to one sink, in order.
pub struct Delivery {
    store: EventStore,
    clock: Clock,
    name: String,
    endpoint: Endpoint,
    outbound: Outbound,
    committed: Arc<Notify>,
    lifecycle: Lifecycle,
    owner: String,
    lease: Option<(Lease, u64)>,
}

/// The outcome of one step of a delivery.
enum StepOutcome {
    Progress,
    /// Nothing waits.
    Idle,
    /// Another replica has the lease, or this one shuts down.
    NoLease,
    /// The number of consecutive failures.
    Failed(u32),
}

impl Delivery {
    /// Creates the delivery of a store's events; `committed` signals new ones.
    ///
    /// # Errors
    /// The system's root certificates cannot be read.
    pub fn new(
        store: EventStore,
        clock: Clock,
        name: &str,
        endpoint: Endpoint,
        committed: Arc<Notify>,
        lifecycle: &Lifecycle,
    ) -> anyhow::Result<Delivery> {
        Ok(Delivery {
            store,
            clock,
            name: name.to_owned(),
            endpoint,
            outbound: Outbound::new(format!("sink-{name}"), SINK_TIMEOUT)?,
            committed,
            lifecycle: lifecycle.clone(),
            owner: new_event_id(),
            lease: None,
        })
    }

    /// Delivers until the drain begins. Then finishes the request in flight and releases the lease,
    /// so that another replica continues.
    pub async fn run(mut self) {
        let mut draining = pin!(self.lifecycle.draining());
        while !self.lifecycle.is_draining() {
            let committed = self.committed.clone();
            let woken = committed.notified();
            let wait = match self.step().await {
                Ok(StepOutcome::Progress) => continue,
                Ok(StepOutcome::Idle) => {
                    tokio::select! {
                        () = &mut draining => {}
                        () = woken => {}
                        () = sleep(POLL_INTERVAL) => {}
                    }
                    continue;
                }
                Ok(StepOutcome::NoLease) => POLL_INTERVAL,
                Ok(StepOutcome::Failed(attempts)) => backoff(attempts, rand::random()),
                Err(error) => {
                    tracing::warn!(sink = self.name, error = ?error, "delivery waits for the store");
                    self.lease = None;
                    backoff(2, rand::random())
                }
            };
            tokio::select! {
                () = &mut draining => {}
                () = sleep(wait) => {}
            }
        }
        if let Err(error) = self.store.release(&self.name, &self.owner).await {
            tracing::warn!(sink = self.name, error = ?error, "the lease stays until it expires");
        }
    }

    async fn step(&mut self) -> Result<StepOutcome> {
        let Some(lease) = self.acquire_lease().await? else { return Ok(StepOutcome::NoLease) };
        let dead_letters = self.store.replaying(&lease.sink, DEAD_LETTERS_PER_BATCH).await?;
        for dead_letter in &dead_letters {
            let Some(lease) = self.acquire_lease().await? else { return Ok(StepOutcome::NoLease) };
            let refused = match self.send(&lease, std::slice::from_ref(&dead_letter.event)).await {
                DeliveryOutcome::Accepted => None,
                DeliveryOutcome::Rejected(reason) => Some(reason),
                DeliveryOutcome::Retry(reason) => return self.failed(&lease, &reason).await,
            };
            let (sequence, now) = (dead_letter.event.sequence, self.clock.now());
            if !self.store.replayed(&lease, sequence, refused.as_deref(), now).await? {
                return Ok(self.lost());
            }
            if let Some((lease, _)) = &mut self.lease {
                lease.failed_attempts = 0;
            }
        }
        let Some(lease) = self.acquire_lease().await? else { return Ok(StepOutcome::NoLease) };
        let size =
            if lease.failed_attempts >= ATTEMPTS_BEFORE_SINGLE_EVENTS { 1 } else { BATCH_SIZE };
        let events = self.store.events_after(lease.position, size).await?;
        if events.is_empty() {
            return Ok(if dead_letters.is_empty() {
                StepOutcome::Idle
            } else {
                StepOutcome::Progress
            });
        }
        match self.send(&lease, &events).await {
            DeliveryOutcome::Rejected(_) if events.len() > 1 => self.send_one_by_one(&events).await,
            outcome => self.record(&lease, &events, outcome).await,
        }
    }

    /// Sends the events of a rejected batch one by one.
    async fn send_one_by_one(&mut self, events: &[Event]) -> Result<StepOutcome> {
        for event in events {
            let Some(lease) = self.acquire_lease().await? else { return Ok(StepOutcome::NoLease) };
            let one = std::slice::from_ref(event);
            let outcome = self.send(&lease, one).await;
            let step = self.record(&lease, one, outcome).await?;
            if !matches!(step, StepOutcome::Progress) {
                return Ok(step);
            }
        }
        Ok(StepOutcome::Progress)
    }

    /// Records the outcome of sending all of these events, of which only a single one is rejected.
    async fn record(
        &mut self,
        lease: &Lease,
        events: &[Event],
        outcome: DeliveryOutcome,
    ) -> Result<StepOutcome> {
        match outcome {
            DeliveryOutcome::Accepted => self.advance(events, &[]).await,
            DeliveryOutcome::Rejected(reason) => {
                self.advance(events, &[(events[0].sequence, reason)]).await
            }
            DeliveryOutcome::Retry(reason) => self.failed(lease, &reason).await,
        }
    }

    /// The lease, renewed if it expires soon; `None` while another replica has it, and during the
    /// drain.
    async fn acquire_lease(&mut self) -> Result<Option<Lease>> {
        if self.lifecycle.is_draining() {
            return Ok(None);
        }
        let now = self.clock.now_millis();
        if let Some((lease, until)) = &self.lease
            && *until >= now + millis(MIN_LEASE_LEFT)
        {
            return Ok(Some(lease.clone()));
        }
        let until = now + millis(LEASE_DURATION);
        let lease = self.store.lease(&self.name, &self.owner, now, until).await?;
        self.lease = lease.clone().map(|lease| (lease, until));
        Ok(lease)
    }

    async fn advance(
        &mut self,
        events: &[Event],
        refused: &[(u64, String)],
    ) -> Result<StepOutcome> {
        let (Some((lease, _)), Some(last)) = (&mut self.lease, events.last()) else {
            return Ok(StepOutcome::NoLease);
        };
        let delivered = (events.len() - refused.len()) as u64;
        let now = self.clock.now();
        if !self.store.advance(lease, last.sequence, delivered, refused, now).await? {
            return Ok(self.lost());
        }
        for (sequence, reason) in refused {
            tracing::warn!(sink = self.name, sequence, reason, "event refused");
        }
        lease.position = last.sequence;
        lease.failed_attempts = 0;
        Ok(StepOutcome::Progress)
    }

    async fn failed(&mut self, lease: &Lease, why: &str) -> Result<StepOutcome> {
        self.store.failed(lease, why).await?;
        let attempts = lease.failed_attempts.saturating_add(1);
        tracing::warn!(sink = self.name, attempts, error = why, "delivery failed");
        if let Some((lease, _)) = &mut self.lease {
            lease.failed_attempts = attempts;
        }
        Ok(StepOutcome::Failed(attempts))
    }

    fn lost(&mut self) -> StepOutcome {
        self.lease = None;
        StepOutcome::NoLease
    }

    async fn send(&self, lease: &Lease, events: &[Event]) -> DeliveryOutcome {
        let body = json!({ "events": events.iter().map(payload).collect::<Vec<_>>() });
        let response = match self.outbound.post_json(&self.endpoint, &body).await {
            Ok(response) => response,
            Err(error) => return DeliveryOutcome::Retry(sanitize_reason(&format!("{error:#}"))),
        };
        let status = response.status.as_u16();
        let reason = sanitize_reason(&format!(
            "{status}: {}",
            String::from_utf8_lossy(&response.body).trim()
        ));
        let is_last_attempt =
            events.len() == 1 && lease.failed_attempts >= ATTEMPTS_BEFORE_DEAD_LETTER;
        outcome_of(status, reason, is_last_attempt)
    }
}

/// The JSON of an event for a sink.
fn payload(Event { sequence, event }: &Event) -> Value {
    json!({
        "sequence": sequence,
        "eventId": event.event_id,
        "eventName": event.name,
        "eventValue": event.value,
        "memberId": event.member_id.to_string(),
        "sellClient": event.sell_client,
        "deviceNo": event.device_no,
        "campaign": event.campaign,
        "channel": event.channel,
        "receivedAt": event.received_at / 1000,
    })
}

/// Truncates a reason and removes control characters, which must not reach logs, terminals or PostgreSQL.
fn sanitize_reason(text: &str) -> String {
    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    printable.take(MAX_REASON_LENGTH).collect()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
