//! `/api/hq/stream`: quotes as server-sent events. However many clients there are, a gateway asks
//! the quotes service once for each security, encodes each quote once, and holds for a slow client
//! no more than which securities it has not seen the latest of.

mod events;
mod hub;
mod security;

use std::{sync::Arc, time::Duration};

use axum::body::Body;
use http::{HeaderName, HeaderValue, Response, Version, header, request::Parts};
use prost_reflect::DescriptorPool;
use sahm_chassis::{
    error::{Error, ErrorCode},
    lifecycle::Lifecycle,
};

#[cfg(test)]
pub(super) use self::hub::GRACE;
use self::{events::Events, hub::Hub, security::EventId};
use super::{
    envelope::Failure, log_failure, options::GatewayOnly, params::Params, request::Faults,
};
use crate::{
    client_address::ClientAddress,
    limits::{ConcurrencyLimit, STREAMS},
    services::Services,
};

/// The path.
pub(super) const PATH: &str = "/api/hq/stream";

/// Service and name of the rpc behind it.
pub(super) const RPC: [&str; 2] = ["sahm.quotes.v1.QuoteService", "StreamQuotes"];
/// The message in `data`.
pub(super) const QUOTE: &str = "sahm.quotes.v1.Quote";

/// Securities of one client.
const CODES: usize = 50;

/// Characters of one code.
const CODE_CHARACTERS: usize = 20;

/// When to come back where all streams that there may be are open.
const FULL: Duration = Duration::from_secs(60);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const NO_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The streams of this gateway.
pub(super) struct Streams {
    hub: Arc<Hub>,
    places: ConcurrencyLimit,
    lifecycle: Lifecycle,
}

impl Streams {
    /// Nothing is asked of the quotes service before the first client comes. `by_address`: whether
    /// one address may open only a part of all streams.
    pub(super) fn new(
        pool: &DescriptorPool,
        services: &Services,
        hidden: Arc<GatewayOnly>,
        lifecycle: &Lifecycle,
        by_address: bool,
    ) -> Self {
        let hub = Hub::new(pool, services, hidden, lifecycle);
        Self {
            hub,
            places: ConcurrencyLimit::new(STREAMS, by_address),
            lifecycle: lifecycle.clone(),
        }
    }

    /// Opens a client's stream.
    ///
    /// Errors: 400 where a code is malformed or the service refuses it, 429 where the context's
    /// address has too many streams, 503 where the service is away.
    pub(super) async fn answer(
        &self,
        params: &Params,
        parts: &Parts,
    ) -> Result<Response<Body>, Failure> {
        let codes = codes(params.text("codes").unwrap_or_default())
            .map_err(|why| Failure::fields(Faults::from([("codes".to_owned(), why.to_owned())])))?;
        let place = match parts.extensions.get() {
            Some(ClientAddress(context)) => self.places.take(*context),
            None => self.places.acquire_global(),
        };
        let place = place.ok_or(Failure::wait(ErrorCode::TooMany, FULL))?;
        let seen =
            parts.headers.get(LAST_EVENT_ID).and_then(|id| EventId::parse(id.to_str().ok()?));
        let client = self.hub.join(&codes, seen).await.map_err(|error| refused(&error))?;
        let events = Events::new(client.holding(place), self.lifecycle.draining());
        let mut response = Response::new(Body::new(events));
        let headers = response.headers_mut();
        let values = [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-store"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            // Reverse proxies would hold events back.
            (NO_BUFFERING, "no"),
        ];
        for (name, value) in values {
            headers.insert(name, HeaderValue::from_static(value));
        }
        // A stream outlives what its connection could be reused for; HTTP/2 has no such header.
        if parts.version < Version::HTTP_2 {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(response)
    }
}

fn refused(error: &Error) -> Failure {
    // However the rpc calls them, here they are `codes`.
    let failure = Failure::of(error, |_| "codes".to_owned());
    log_failure(PATH, &[], error, failure.id());
    failure
}

/// A comma list of codes, each once, in the order sent.
fn codes(text: &str) -> Result<Vec<String>, &'static str> {
    let mut codes: Vec<String> = Vec::new();
    for code in text.split(',').map(str::trim).filter(|code| !code.is_empty()) {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_^:".contains(&byte);
        if code.len() > CODE_CHARACTERS || !code.bytes().all(fits) {
            return Err("holds what is no security code");
        }
        if !codes.iter().any(|known| known == code) {
            codes.push(code.to_owned());
        }
        if codes.len() > CODES {
            return Err("must be at most 50");
        }
    }
    if codes.is_empty() { Err("must be a comma list of security codes") } else { Ok(codes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_lists() {
        let many = (0..50).map(|code| code.to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(codes(&many).map(|codes| codes.len()), Ok(50));
        assert!(codes(&format!("{many},50")).is_err());
        assert_eq!(codes(" 2222, AAPL,,2222 "), Ok(vec!["2222".to_owned(), "AAPL".to_owned()]));
        for wrong in ["", ",", "AA PL", "<x>", "سهم", &"A".repeat(21)] {
            assert!(codes(wrong).is_err(), "{wrong}");
        }
    }
}
