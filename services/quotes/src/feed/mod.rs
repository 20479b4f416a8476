//! The quote feed. However many subscribers there are, each watched security is requested from the
//! provider once a second, and each changed quote is encoded once. A slow subscriber holds only one
//! bit per security: whether its latest quote is still to be sent.

mod slot;
mod subscription;

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use prost::Message;
use sahm_proto::quotes::v1::StreamQuotesResponse;
use tokio::time::{MissedTickBehavior, interval};

use self::slot::Slot;
pub use self::subscription::Subscription;
use crate::{
    convert::quote_message,
    domain::{Quote, Security, SecurityCode},
    providers::QuoteProvider,
};

/// Interval at which quotes of watched securities are refreshed.
const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// How long a new subscriber waits for its snapshot; after that its stream starts without it.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_millis(800);

/// Distributes quotes to all subscribers; clones share the feed.
#[derive(Clone)]
pub struct Feed {
    inner: Arc<Inner>,
}

struct Inner {
    provider: Arc<dyn QuoteProvider>,
    slots: RwLock<HashMap<SecurityCode, Arc<Slot>>>,
    subscribers: AtomicU64,
}

impl Feed {
    /// Creates a feed of a provider's quotes.
    pub fn new(provider: Arc<dyn QuoteProvider>) -> Self {
        let (slots, subscribers) = (RwLock::default(), AtomicU64::new(0));
        Self { inner: Arc::new(Inner { provider, slots, subscribers }) }
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

    /// Subscribes to quotes of these securities; the stream starts with a snapshot.
    pub async fn subscribe(&self, securities: Vec<Arc<Security>>) -> Subscription {
        let slots = securities.iter().map(|security| self.slot(security)).collect::<Vec<_>>();
        let unwatched = securities
            .into_iter()
            .zip(&slots)
            .filter_map(|(security, slot)| (!slot.is_current()).then_some(security))
            .collect::<Vec<_>>();
        if !unwatched.is_empty() {
            // After a timeout the stream starts without a complete snapshot.
            let _ = tokio::time::timeout(SNAPSHOT_TIMEOUT, self.refresh(unwatched)).await;
        }
        let id = self.inner.subscribers.fetch_add(1, Ordering::Relaxed);
        Subscription::new(id, slots)
    }

    /// Publishes a quote to the subscribers of its security.
    pub fn publish(&self, quote: &Quote) {
        let message = StreamQuotesResponse { quote: Some(quote_message(quote)) };
        self.slot(&quote.security).publish(message.encode_to_vec());
    }

    async fn refresh(&self, securities: Vec<Arc<Security>>) {
        match self.inner.provider.quotes(securities).await {
            Ok(quotes) => quotes.iter().for_each(|quote| self.publish(quote)),
            Err(error) => tracing::warn!(error = ?error, "quotes not refreshed"),
        }
    }

    fn watched(&self) -> Vec<Arc<Security>> {
        let slots = self.inner.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.values().filter(|slot| slot.is_watched()).map(|slot| slot.security()).collect()
    }

    fn slot(&self, security: &Arc<Security>) -> Arc<Slot> {
        let known = {
            let slots = self.inner.slots.read().unwrap_or_else(PoisonError::into_inner);
            slots.get(&security.code).cloned()
        };
        let slot = known.unwrap_or_else(|| {
            let mut slots = self.inner.slots.write().unwrap_or_else(PoisonError::into_inner);
            let new_slot = || Arc::new(Slot::new(security.clone()));
            slots.entry(security.code.clone()).or_insert_with(new_slot).clone()
        });
        slot.describe(security);
        slot
    }
}
