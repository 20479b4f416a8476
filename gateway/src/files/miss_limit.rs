//! The rate limit of requests for files that are not in memory. Each costs a call to a service or Redis, as an uncached
//! page does (docs/limits-and-timeouts.md).

use std::time::Duration;

use http::request::Parts;

use super::response::Rejection;
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

    /// Counts a miss against the limit of the client's address.
    ///
    /// # Errors
    /// The limit is exceeded.
    pub(super) async fn check(
        &self,
        parts: &Parts,
        redis_timeout: Duration,
    ) -> Result<(), Rejection> {
        let address = ClientAddress::for_limits(&parts.extensions);
        let checked = self.0.check(RateClass::Miss, address, redis_timeout).await;
        checked.map_err(Rejection::TooManyRequests)
    }
}
