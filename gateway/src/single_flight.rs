//! Single-flight: requests for the same thing share one execution of the work and its result.
//!
//! [`SingleFlight`] runs at most one flight a key, led by the first request. [`SharedTask`] is one flight without a
//! key, for callers that decide themselves how long a result serves.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use sahm_chassis::error::{Error, Result};
use tokio::sync::watch;
use tonic::Status;
use tracing::Instrument;

/// Receives the result of a flight. Clones receive it too.
#[derive(Clone, Debug)]
pub(crate) struct Waiter<T>(watch::Receiver<Option<T>>);

impl<T: Clone> Waiter<T> {
    /// Waits for the result; `None` if the leader was dropped without one.
    pub(crate) async fn result(&self) -> Option<T> {
        self.0.clone().wait_for(Option::is_some).await.ok()?.clone()
    }
}

type Running<T> = Mutex<HashMap<Arc<str>, Waiter<T>>>;

/// All flights in progress, by key.
#[derive(Debug)]
pub(crate) struct SingleFlight<T> {
    running: Arc<Running<T>>,
}

/// The role of a request in a flight.
#[derive(Debug)]
pub(crate) enum Role<T> {
    /// The first request: does the work.
    Leader(Leader<T>),
    /// A later request: waits.
    Waiter(Waiter<T>),
}

/// The duty to produce the result of a key. The flight ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Leader<T> {
    running: Arc<Running<T>>,
    key: Arc<str>,
    sender: watch::Sender<Option<T>>,
}

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self { running: Arc::default() }
    }
}

impl<T: Clone> SingleFlight<T> {
    /// Joins the flight of a key, or leads it.
    pub(crate) fn join(&self, key: &str) -> Role<T> {
        let mut running = lock(&self.running);
        if let Some(waiter) = running.get(key) {
            return Role::Waiter(waiter.clone());
        }
        let key = Arc::<str>::from(key);
        let (sender, waiter) = watch::channel(None);
        running.insert(key.clone(), Waiter(waiter));
        Role::Leader(Leader { running: self.running.clone(), key, sender })
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.running).len()
    }
}

impl<T> Leader<T> {
    pub(crate) fn key(&self) -> &Arc<str> {
        &self.key
    }

    pub(crate) fn waiter(&self) -> Waiter<T> {
        Waiter(self.sender.subscribe())
    }

    /// Hands the result to all waiters. Only the first one counts.
    pub(crate) fn complete(&self, result: T) {
        self.sender.send_if_modified(|slot| {
            let is_first = slot.is_none();
            if is_first {
                *slot = Some(result);
            }
            is_first
        });
    }
}

impl<T> Drop for Leader<T> {
    fn drop(&mut self) {
        lock(&self.running).remove(&self.key);
    }
}

fn lock<T>(running: &Running<T>) -> MutexGuard<'_, HashMap<Arc<str>, Waiter<T>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running or finished operation, whose result any number of waiters take. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct SharedTask<T>(Waiter<std::result::Result<T, Status>>);

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// Starts the operation in a task of its own: no waiter's deadline, identity or end reaches it.
    pub(crate) fn start(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        let (sender, receiver) = watch::channel(None);
        let task = async move {
            let outcome = work.await.inspect_err(|error| {
                tracing::debug!(?error, "shared operation failed");
            });
            // A status is an error that can be cloned.
            sender.send_replace(Some(outcome.map_err(Status::from)));
        };
        tokio::spawn(task.in_current_span());
        Self(Waiter(receiver))
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// Those of the operation, without their sources; `Unavailable` where it panicked.
    pub(crate) async fn result(&self) -> Result<T> {
        match self.0.result().await {
            Some(outcome) => outcome.map_err(|status| Error::from(&status)),
            None => Err(Error::unavailable("the operation ended without a result")),
        }
    }

    /// The result so far: `None` while the operation runs, `Some(None)` after it failed.
    pub(crate) fn so_far(&self) -> Option<Option<T>> {
        // An operation that panicked leaves no result, and no sender of one.
        let is_over = self.0.0.has_changed().is_err();
        match &*self.0.0.borrow() {
            Some(outcome) => Some(outcome.as_ref().ok().cloned()),
            None => is_over.then_some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn waiters_receive_the_first_result_or_learn_that_the_leader_is_gone() {
        let flights = SingleFlight::default();
        let Role::Leader(leader) = flights.join("k") else { unreachable!() };
        let Role::Waiter(waiter) = flights.join("k") else { unreachable!() };
        assert!(matches!(flights.join("other"), Role::Leader(_)));
        leader.complete(1);
        leader.complete(2);
        assert_eq!(waiter.result().await, Some(1));
        drop(leader);
        assert_eq!((waiter.result().await, flights.len()), (Some(1), 0));

        let Role::Leader(leader) = flights.join("k") else { unreachable!() };
        let Role::Waiter(waiter) = flights.join("k") else { unreachable!() };
        drop(leader);
        assert_eq!(waiter.result().await, None);
        assert!(matches!(flights.join("k"), Role::Leader(_)));
    }

    #[tokio::test]
    async fn shared_task_that_panicked_has_failed() {
        let task = SharedTask::<u8>::start(async { panic!("on purpose") });
        assert!(task.result().await.is_err());
        assert_eq!(task.so_far(), Some(None));
        let task = SharedTask::start(async { Ok(7) });
        assert_eq!((task.result().await.ok(), task.so_far()), (Some(7), Some(Some(7))));
    }
}
