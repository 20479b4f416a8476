//! The rate limit of file reads that miss the memory of this process: they cost a service or Redis something, so they
//! count like uncached pages (docs/limits-and-timeouts.md).

use std::time::Duration;

use axum::body::Body;
use http::{Response, request::Parts};

use crate::{
    client_address::ClientAddress,
    http::error_response::too_many_requests,
    limits::{Limits, RateClass},
};

/// What addresses may read.
#[derive(Clone)]
pub(super) struct MissLimit(Limits);

impl MissLimit {
    pub(super) fn new(limits: Limits) -> Self {
        Self(limits)
    }

    /// Spends one read of the client's budget, which may take `redis`; where there is none left,
    /// the answer that says when to come back.
    pub(super) async fn refusal(&self, parts: &Parts, redis: Duration) -> Option<Response<Body>> {
        let address = ClientAddress::for_limits(&parts.extensions);
        self.0.spend(RateClass::Miss, address, redis).await.err().map(too_many_requests)
    }
}
