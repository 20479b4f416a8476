//! Single-flight: concurrent requests for the same work share one execution and its result.
//!
//! [`SingleFlight`] runs at most one flight per key, led by the first request. [`SharedTask`] is one flight without a
//! key, for callers that decide themselves how long to reuse the result.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use sahm_chassis::error::{Error, Result};
use tokio::sync::watch;
use tonic::Status;
use tracing::Instrument;

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

#[derive(Debug)]
pub(crate) enum Role<T> {
    /// The first request, which does the work.
    Leader(Leader<T>),
    /// A later request, which waits for the result.
    Waiter(Waiter<T>),
}

/// Owns the flight of a key. Dropping it ends the flight.
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
    /// Joins the flight of a key as a waiter, or starts one as its leader.
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

    /// Sends the result to all waiters. Later results are ignored.
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

/// A running or finished operation with any number of waiters. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct SharedTask<T: Clone>(Shared<BoxFuture<'static, std::result::Result<T, Status>>>);

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// Spawns the operation: no waiter's deadline, caller identity or cancellation reaches it.
    pub(crate) fn start(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        let task = tokio::spawn(work.in_current_span());
        let outcome = async move {
            let ended = || Error::unavailable("the operation ended without a result");
            let outcome = task.await.unwrap_or_else(|_| Err(ended()));
            // `Status` implements `Clone`, `Error` does not.
            Ok(outcome.inspect_err(|error| tracing::debug!(?error, "shared operation failed"))?)
        };
        Self(outcome.boxed().shared())
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// Those of the operation, without their sources; `Unavailable` if it panicked.
    pub(crate) async fn result(&self) -> Result<T> {
        self.0.clone().await.map_err(|status| Error::from(&status))
    }

    /// The result without waiting: `None` while the operation runs, `Some(None)` after it failed.
    pub(crate) fn peek(&self) -> Option<Option<T>> {
        self.0.clone().now_or_never().map(|outcome| outcome.ok())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn waiters_receive_first_result_or_none_if_leader_is_dropped() {
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
    async fn shared_task_that_panics_reports_a_failure() {
        let task = SharedTask::<u8>::start(async { panic!("on purpose") });
        assert!(task.result().await.is_err());
        assert_eq!(task.peek(), Some(None));
        let task = SharedTask::start(async { Ok(7) });
        assert_eq!((task.result().await.ok(), task.peek()), (Some(7), Some(Some(7))));
    }
}
