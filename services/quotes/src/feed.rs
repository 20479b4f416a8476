//! The quote feed. However many subscribers there are, each watched security is requested from the
//! provider once a second. A slow subscriber receives only the latest quote of each security.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::ready,
    stream::{BoxStream, select_all},
};
use sahm_proto::quotes::v1::StreamQuotesResponse;
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval, interval_at},
};
use tokio_stream::{StreamExt as _, wrappers::WatchStream};

use crate::{
    convert::quote_message,
    domain::{Quote, Security, SecurityCode},
    providers::QuoteProvider,
};

/// Interval at which quotes of watched securities are refreshed.
const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// How long a new subscriber waits for its snapshot; after that its stream starts without it.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_millis(800);

/// Silence after which a stream sends an empty message.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);

/// A security that is or was watched, and its latest quote.
struct Slot {
    security: Arc<Security>,
    /// Without a quote until the first one is known.
    latest: watch::Sender<StreamQuotesResponse>,
}

impl Slot {
    fn is_watched(&self) -> bool {
        self.latest.receiver_count() > 0
    }
}

/// Distributes quotes to all subscribers; clones share the feed.
#[derive(Clone)]
pub struct Feed {
    provider: Arc<dyn QuoteProvider>,
    slots: Arc<Mutex<HashMap<SecurityCode, Slot>>>,
}

impl Feed {
    /// Creates a feed of a provider's quotes.
    pub fn new(provider: Arc<dyn QuoteProvider>) -> Self {
        Self { provider, slots: Arc::default() }
    }

    /// Refreshes watched securities until the future is dropped.
    pub async fn run(self) {
        let mut ticks = interval(REFRESH_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let watched = self.watched();
            if !watched.is_empty() {
                self.refresh(watched).await;
            }
        }
    }

    /// Streams quotes of these securities: first a snapshot, then the latest quote of each that
    /// changes; an empty message after 15 s of silence.
    pub async fn subscribe(
        &self,
        mut securities: Vec<Arc<Security>>,
    ) -> BoxStream<'static, StreamQuotesResponse> {
        let codes = securities.iter().map(|one| one.code.clone()).collect::<Vec<_>>();
        {
            let mut slots = self.slots();
            securities.retain(|security| {
                let new_slot =
                    || Slot { security: security.clone(), latest: watch::Sender::default() };
                let slot = slots.entry(security.code.clone()).or_insert_with(new_slot);
                slot.security = security.clone();
                !slot.is_watched() || slot.latest.borrow().quote.is_none()
            });
        }
        if !securities.is_empty() {
            // After a timeout the stream starts without a complete snapshot.
            let _ = tokio::time::timeout(SNAPSHOT_TIMEOUT, self.refresh(securities)).await;
        }
        let quotes = {
            let slots = self.slots();
            let slots = codes.iter().filter_map(|code| slots.get(code));
            select_all(slots.map(|slot| WatchStream::new(slot.latest.subscribe())))
        };
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let quotes = StreamExt::filter(quotes, |message| ready(message.quote.is_some()));
        let messages = quotes.timeout_repeating(heartbeat);
        StreamExt::map(messages, Result::unwrap_or_default).boxed()
    }

    /// Publishes a quote to the subscribers of its security, unless it equals the latest one.
    pub fn publish(&self, quote: &Quote) {
        let message = StreamQuotesResponse { quote: Some(quote_message(quote)) };
        if let Some(slot) = self.slots().get(&quote.security.code) {
            slot.latest.send_if_modified(|latest| {
                let is_new = *latest != message;
                *latest = message;
                is_new
            });
        }
    }

    async fn refresh(&self, securities: Vec<Arc<Security>>) {
        match self.provider.quotes(securities).await {
            Ok(quotes) => quotes.iter().for_each(|quote| self.publish(quote)),
            Err(error) => tracing::warn!(error = ?error, "quotes not refreshed"),
        }
    }

    fn watched(&self) -> Vec<Arc<Security>> {
        let slots = self.slots();
        slots.values().filter(|slot| slot.is_watched()).map(|slot| slot.security.clone()).collect()
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<SecurityCode, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
