//! Single flight: at most one fill a key in this process. Requests that arrive meanwhile wait for its result.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::watch;

use super::origin::OriginError;
use crate::page_cache::{entry::Entry, status::CacheStatus};

/// How a fill ended.
pub(in crate::page_cache) type Outcome = Result<FillResult, OriginError>;

/// The page that a fill produced.
#[derive(Clone, Debug)]
pub(in crate::page_cache) struct FillResult {
    pub(in crate::page_cache) entry: Arc<Entry>,
    pub(in crate::page_cache) cache_status: CacheStatus,
}

/// Receives the outcome; closes without one if the leader is dropped.
pub(in crate::page_cache) type Waiter = watch::Receiver<Option<Outcome>>;

type Running = Mutex<HashMap<Arc<str>, Waiter>>;

/// All fills in progress.
#[derive(Debug, Default)]
pub(in crate::page_cache) struct SingleFlight {
    running: Arc<Running>,
}

/// The right to fill a key. The flight ends when it is dropped.
#[derive(Debug)]
pub(in crate::page_cache) struct Leader {
    running: Arc<Running>,
    text: Arc<str>,
    sender: watch::Sender<Option<Outcome>>,
}

/// The role of a request in a flight.
#[derive(Debug)]
pub(in crate::page_cache) enum Role {
    /// The first request: fills.
    Leader(Leader),
    /// A later request: waits.
    Waiter(Waiter),
}

impl SingleFlight {
    pub(in crate::page_cache) fn join(&self, text: &str) -> Role {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiter) = running.get(text) {
            return Role::Waiter(waiter.clone());
        }
        let text: Arc<str> = text.into();
        let (sender, waiter) = watch::channel(None);
        running.insert(text.clone(), waiter);
        Role::Leader(Leader { running: self.running.clone(), text, sender })
    }

    pub(in crate::page_cache) fn len(&self) -> usize {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Leader {
    pub(in crate::page_cache) fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub(in crate::page_cache) fn waiter(&self) -> Waiter {
        self.sender.subscribe()
    }

    /// Hands the outcome to all waiters. Only the first one counts.
    pub(in crate::page_cache) fn complete(&self, outcome: Outcome) {
        self.sender.send_if_modified(|waiter| match waiter {
            Some(_) => false,
            None => {
                *waiter = Some(outcome);
                true
            }
        });
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.text);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn waiters_receive_the_first_outcome_or_learn_that_the_leader_is_gone() {
        let fills = SingleFlight::default();
        let Role::Leader(leader) = fills.join("k") else { unreachable!() };
        let Role::Waiter(mut waiter) = fills.join("k") else { unreachable!() };
        assert!(matches!(fills.join("other"), Role::Leader(_)));
        leader.complete(Err(OriginError::Busy));
        leader.complete(Err(OriginError::Late));
        let outcome = waiter.wait_for(Option::is_some).await.unwrap().clone();
        assert!(matches!(outcome, Some(Err(OriginError::Busy))));
        drop(leader);
        assert_eq!(fills.len(), 0);

        let Role::Leader(leader) = fills.join("k") else { unreachable!() };
        let Role::Waiter(mut waiter) = fills.join("k") else { unreachable!() };
        drop(leader);
        assert!(waiter.wait_for(Option::is_some).await.is_err());
        assert!(matches!(fills.join("k"), Role::Leader(_)));
    }
}
