//! Quotes as they change. However many subscribers there are, the provider is asked once a second
//! for each watched security, each changed quote is encoded once, and a slow subscriber holds no
//! more than which securities it has not seen the latest of.

mod quote_message;
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

pub(crate) use self::quote_message::quote_message;
use self::slot::Slot;
pub use self::subscription::Subscription;
use crate::{
    domain::{Quote, Security, SecurityCode},
    providers::QuoteProvider,
};

/// How often watched securities are asked for.
const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// How long a new subscriber waits for its snapshot before it is let in without.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_millis(800);

/// What all subscribers share; clones are the same feed.
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
    /// A feed of what the provider says.
    pub fn new(provider: Arc<dyn QuoteProvider>) -> Self {
        let (slots, subscribers) = (RwLock::default(), AtomicU64::new(0));
        Self { inner: Arc::new(Inner { provider, slots, subscribers }) }
    }

    /// Asks for watched securities until it is dropped.
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

    /// A stream of these securities' quotes that begins with what is known of them now.
    pub async fn subscribe(&self, securities: Vec<Arc<Security>>) -> Subscription {
        let slots = securities.iter().map(|security| self.slot(security)).collect::<Vec<_>>();
        let unwatched = securities
            .into_iter()
            .zip(&slots)
            .filter_map(|(security, slot)| (!slot.is_current()).then_some(security))
            .collect::<Vec<_>>();
        if !unwatched.is_empty() {
            // Too late for the snapshot is not too late for the stream.
            let _ = tokio::time::timeout(SNAPSHOT_TIMEOUT, self.refresh(unwatched)).await;
        }
        let id = self.inner.subscribers.fetch_add(1, Ordering::Relaxed);
        Subscription::new(id, slots)
    }

    /// Shows a quote to whoever watches its security.
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
            let made = || Arc::new(Slot::new(security.clone()));
            slots.entry(security.code.clone()).or_insert_with(made).clone()
        });
        slot.describe(security);
        slot
    }
}
