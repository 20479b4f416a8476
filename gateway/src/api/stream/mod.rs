//! Quotes as server-sent events. The gateway subscribes to each security once and encodes each quote once, for any
//! number of clients. For a slow client it stores only which securities have an update to send.

mod events;
mod hub;
mod security;

use std::{sync::Arc, time::Duration};

use axum::body::Body;
use http::{HeaderName, HeaderValue, Response, Version, header};
use sahm_chassis::{
    error::{Error, ErrorCode},
    lifecycle::{self, Lifecycle},
};
use sahm_proto::options::v1::Feature;

#[cfg(test)]
pub(super) use self::hub::DISCONNECT_GRACE;
use self::{events::events, hub::Hub};
use super::{
    call_context::CallContext, envelope::Failure, logging::logged_failure,
    redaction::RedactedFields,
};
use crate::{
    dynamic_grpc_client::Rpc,
    limits::{ConcurrencyLimit, LimitExceeded, STREAMS},
    services::Services,
    switches::Switches,
};

/// Maximum number of securities of one client.
const MAX_CODES: usize = 50;

const MAX_CODE_BYTES: usize = 20;

/// `Retry-After` when the limit of open streams is reached.
const RETRY_AFTER_TOO_MANY: Duration = Duration::from_secs(60);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const NO_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

pub(super) struct Streams {
    hub: Arc<Hub>,
    permits: ConcurrencyLimit,
    lifecycle: Lifecycle,
    switches: Switches,
}

impl Streams {
    /// Does not call the quotes service before the first client connects.
    pub(super) fn new(
        rpc: Option<&Rpc>,
        services: &Services,
        redacted: Arc<RedactedFields>,
        switches: &Switches,
        context: &lifecycle::Context,
    ) -> Self {
        let lifecycle = context.lifecycle.clone();
        let hub = Hub::new(rpc, services, redacted, &lifecycle);
        let permits = ConcurrencyLimit::new(STREAMS, context.settings.rate_limits)
            .export("quote_stream.clients", "Clients that watch quotes");
        Self { hub, permits, lifecycle, switches: switches.clone() }
    }

    /// Opens a client's stream.
    ///
    /// # Errors
    /// 400 for a code that is malformed or that the service rejects, 429 if the caller's address has too many streams,
    /// 503 if all clients have too many or the service is unavailable.
    pub(super) async fn open(&self, context: &CallContext<'_>) -> Result<Response<Body>, Failure> {
        let codes = context.params()?.text("codes").unwrap_or_default();
        let codes = codes_of(codes).map_err(|why| Failure::field("codes", why))?;
        let permit = self.permits.acquire(context.address).map_err(|exceeded| match exceeded {
            LimitExceeded::Address => Failure::wait(ErrorCode::TooMany, RETRY_AFTER_TOO_MANY),
            LimitExceeded::Total => Failure::of(&Error::unavailable("too many streams")),
        })?;
        let last_event_id = context.parts.headers.get(LAST_EVENT_ID);
        let last_event_id = last_event_id.and_then(|id| id.to_str().ok());
        let client = self.hub.join(&codes, last_event_id).await.map_err(|error| {
            // The service's error names the field of the rpc.
            let failure = logged_failure(context.operation, &error);
            failure.with_field_names(|_| "codes".to_owned())
        })?;
        let off = self.switches.clone().until_turned_off(Feature::Streams);
        let draining = self.lifecycle.draining();
        let ended = async move {
            // Held until the client disconnects.
            let _permit = permit;
            tokio::select! {
                () = draining => {}
                () = off => {}
            }
        };
        let mut response = Response::new(Body::from_stream(events(client, ended)));
        let headers = response.headers_mut();
        let values = [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-store"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            // Keeps reverse proxies from buffering events.
            (NO_BUFFERING, "no"),
        ];
        for (name, value) in values {
            headers.insert(name, HeaderValue::from_static(value));
        }
        // The connection is not reused after a stream. HTTP/2 has no `Connection` header.
        if context.parts.version < Version::HTTP_2 {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(response)
    }
}

/// Splits a comma-separated list of codes and removes duplicates, in the order sent.
fn codes_of(text: &str) -> Result<Vec<String>, &'static str> {
    let mut codes: Vec<String> = Vec::new();
    for code in text.split(',').map(str::trim).filter(|code| !code.is_empty()) {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_^:".contains(&byte);
        if code.len() > MAX_CODE_BYTES || !code.bytes().all(fits) {
            return Err("contains an invalid security code");
        }
        if !codes.iter().any(|known| known == code) {
            codes.push(code.to_owned());
        }
        if codes.len() > MAX_CODES {
            return Err("must be at most 50");
        }
    }
    if codes.is_empty() { Err("must be a comma list of security codes") } else { Ok(codes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_lists_are_split_deduplicated_and_bounded() {
        let many = (0..50).map(|code| code.to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(codes_of(&many).map(|codes| codes.len()), Ok(50));
        assert!(codes_of(&format!("{many},50")).is_err());
        assert_eq!(codes_of(" 2222, AAPL,,2222 "), Ok(vec!["2222".to_owned(), "AAPL".to_owned()]));
        for invalid in ["", ",", "AA PL", "<x>", "سهم", &"A".repeat(21)] {
            assert!(codes_of(invalid).is_err(), "{invalid}");
        }
    }
}
