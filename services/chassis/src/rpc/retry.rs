//! When a call is retried, and whether a failed call may be sent again.
use std::{
    error::Error,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use rand::RngExt;

use crate::error::causes;

/// Upper bound on the attempts of a call.
pub(super) const ATTEMPTS: u32 = 3;

const MAX_TOKENS: i64 = 1000;
const MIN_TOKENS: i64 = MAX_TOKENS / 2;
const RETRY_COST: i64 = 100;
const SUCCESS_CREDIT: i64 = 10;
const MIN_BACKOFF: Duration = Duration::from_millis(20);

/// Retry budget, which keeps retries from amplifying an overload: a retry costs as much as ten
/// successful calls bring in, and below half of the budget nothing is retried.
#[derive(Debug)]
pub(super) struct Budget {
    tokens: AtomicI64,
}

impl Budget {
    pub(super) fn full() -> Budget {
        Budget { tokens: AtomicI64::new(MAX_TOKENS) }
    }

    /// Records a successful call.
    pub(super) fn succeeded(&self) {
        if self.tokens.load(Ordering::Relaxed) < MAX_TOKENS {
            self.tokens.fetch_add(SUCCESS_CREDIT, Ordering::Relaxed);
        }
    }

    /// Withdraws the cost of one retry; false if the budget does not allow it.
    pub(super) fn withdraw(&self) -> bool {
        let pay = |tokens| (tokens > MIN_TOKENS).then_some(tokens - RETRY_COST);
        self.tokens.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pay).is_ok()
    }
}

/// Backoff before attempt `next` (2, 3 …): doubles each time, half of it is random.
pub(super) fn backoff(next: u32) -> Duration {
    let base = MIN_BACKOFF * 2_u32.saturating_pow(next.saturating_sub(2).min(8));
    base.mul_f64(rand::rng().random_range(0.5..1.5))
}

/// How far a call without a response got: whether a handler may have received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// There was no connection to send it over.
    NotConnected,
    /// The connection closed before the call was sent, or the server refused it unprocessed: with
    /// `REFUSED_STREAM`, or as a stream after the last one of its GOAWAY (RFC 9113, 6.8 and 8.7).
    Refused,
    /// The call was sent, or may have been.
    Unknown,
}

impl Delivery {
    /// Derives it from the error of a channel.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Delivery {
        if has_cause::<tonic::ConnectError>(error) {
            return Delivery::NotConnected;
        }
        let refused = causes(error).any(|cause| {
            // This is how hyper reports calls that it has not handed to the connection.
            cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled)
                || cause.downcast_ref::<h2::Error>().is_some_and(is_refused)
        });
        if refused { Delivery::Refused } else { Delivery::Unknown }
    }
}

/// A GOAWAY ends only streams that the server has not processed; the others continue.
fn is_refused(error: &h2::Error) -> bool {
    let is_unseen = error.is_go_away() || error.reason() == Some(h2::Reason::REFUSED_STREAM);
    error.is_remote() && is_unseen
}

/// Whether an error, or one of its sources, has this type.
pub(super) fn has_cause<E: Error + 'static>(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(|cause| cause.is::<E>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_budget_is_exhausted_and_refilled() {
        let budget = Budget::full();
        // Successful calls do not raise a full budget.
        budget.succeeded();
        let allowed = (0..100).filter(|_| budget.withdraw()).count();
        assert_eq!(allowed, 5);
        assert!(!budget.withdraw());
        for _ in 0..10 {
            budget.succeeded();
        }
        assert!(budget.withdraw());
    }

    #[test]
    fn backoff_grows_with_jitter() {
        for _ in 0..100 {
            assert!((10..=30).contains(&backoff(2).as_millis()));
            assert!((20..=60).contains(&backoff(3).as_millis()));
        }
    }
}
