//! The rate limit of file reads that miss the memory of this process: each costs a call to a service or
//! Redis, as an uncached page does (docs/limits-and-timeouts.md).

use std::time::Duration;

use http::request::Parts;

use super::answer::Rejection;
use crate::{
    client_address::ClientAddress,
    limits::{Limits, RateClass},
};

#[derive(Clone)]
pub(super) struct MissLimit(Limits);

impl MissLimit {
    pub(super) fn new(limits: Limits) -> Self {
        Self(limits)
    }

    /// Counts a miss against the limit of the caller's address. `redis_timeout` bounds the share of
    /// Redis in it.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) async fn check(
        &self,
        parts: &Parts,
        redis_timeout: Duration,
    ) -> Result<(), Rejection> {
        let address = ClientAddress::for_limits(&parts.extensions);
        let checked = self.0.spend(RateClass::Miss, address, redis_timeout).await;
        checked.map_err(Rejection::TooManyRequests)
    }
}
