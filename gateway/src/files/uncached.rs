//! Reads that no memory here answers: they cost a service or Redis something, so each address has
//! only so many, as of uncached pages (docs/limits-and-timeouts.md).

use std::time::Duration;

use axum::body::Body;
use http::{Response, request::Parts};

use crate::{
    client_address::ClientAddress,
    limits::{Budget, Limits},
    refusal::too_many,
};

/// What addresses may read.
#[derive(Clone)]
pub(super) struct Uncached(Limits);

impl Uncached {
    pub(super) fn new(limits: Limits) -> Self {
        Self(limits)
    }

    /// Spends one read of the asker's budget, which may cost it `redis`; where there is none left,
    /// the answer that says when to come back.
    pub(super) async fn refusal(&self, parts: &Parts, redis: Duration) -> Option<Response<Body>> {
        let address = ClientAddress::for_limits(&parts.extensions);
        self.0.spend(Budget::Miss, address, redis).await.err().map(too_many)
    }
}
