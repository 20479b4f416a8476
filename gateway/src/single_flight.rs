//! Single-flight: one run of an operation serves everybody who asks for its result meanwhile.

use std::future::Future;

use sahm_chassis::error::{Error, Result};
use tokio::sync::watch;
use tonic::Status;
use tracing::Instrument;

/// A status is an error that can be cloned.
type Outcome<T> = std::result::Result<T, Status>;

/// A running or finished operation, whose result any number of waiters take. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct SharedTask<T>(watch::Receiver<Option<Outcome<T>>>);

impl<T: Clone + Send + Sync + 'static> SharedTask<T> {
    /// Starts the operation in a task of its own: no waiter's deadline, identity or end reaches it.
    pub(crate) fn start(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        let (sender, receiver) = watch::channel(None);
        let task = async move {
            let outcome = work.await.inspect_err(|error| {
                tracing::debug!(?error, "shared operation failed");
            });
            sender.send_replace(Some(outcome.map_err(Status::from)));
        };
        tokio::spawn(task.in_current_span());
        Self(receiver)
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// Those of the operation, without their sources; `Unavailable` where it panicked.
    pub(crate) async fn result(&self) -> Result<T> {
        let mut receiver = self.0.clone();
        let outcome = receiver.wait_for(Option::is_some).await.map_err(Error::unavailable)?;
        match &*outcome {
            Some(Ok(value)) => Ok(value.clone()),
            Some(Err(status)) => Err(Error::from(status)),
            None => Err(Error::unavailable("the operation ended without a result")),
        }
    }

    /// The result so far: `None` while the operation runs, `Some(None)` after it failed.
    pub(crate) fn so_far(&self) -> Option<Option<T>> {
        // An operation that panicked leaves no result, and no sender of one.
        let is_over = self.0.has_changed().is_err();
        match &*self.0.borrow() {
            Some(outcome) => Some(outcome.as_ref().ok().cloned()),
            None => is_over.then_some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_operation_that_panicked_has_failed() {
        let task = SharedTask::<u8>::start(async { panic!("on purpose") });
        assert!(task.result().await.is_err());
        assert_eq!(task.so_far(), Some(None));
        let task = SharedTask::start(async { Ok(7) });
        assert_eq!((task.result().await.ok(), task.so_far()), (Some(7), Some(Some(7))));
    }
}
