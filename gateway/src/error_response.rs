//! Error responses in plain text, never stored; and the validation of request heads.

use std::time::Duration;

use axum::body::Body;
use http::{HeaderName, HeaderValue, Request, Response, StatusCode, Version, header};

use crate::headers;

/// Maximum size of a URL, bytes (docs/limits-and-timeouts.md).
pub(crate) const MAX_URL_BYTES: usize = 8 << 10;

/// Maximum size of all headers, bytes (docs/limits-and-timeouts.md).
pub(crate) const MAX_HEADER_BYTES: usize = 32 << 10;

/// What is wrong with a request head: too large (docs/limits-and-timeouts.md), or a host that two parsers could read
/// differently (RFC 9112 §3.2).
pub(crate) fn validate_head<B>(request: &Request<B>) -> Option<(StatusCode, &'static str)> {
    let uri = request.uri();
    if uri.path().len() + uri.query().map_or(0, |query| query.len() + 1) > MAX_URL_BYTES {
        return Some((StatusCode::URI_TOO_LONG, "the address is longer than 8 KB\n"));
    }
    let line = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    if request.headers().iter().map(line).sum::<usize>() > MAX_HEADER_BYTES {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Some((status, "the headers are longer than 32 KB\n"));
    }
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 {
        return Some((StatusCode::BAD_REQUEST, "the request has more than one host header\n"));
    }
    if hosts == 0 && request.version() == Version::HTTP_11 {
        return Some((StatusCode::BAD_REQUEST, "the request has no host header\n"));
    }
    None
}

/// A response of one line.
pub(crate) fn text(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers::no_store(headers);
    response
}

/// 429 with `Retry-After`.
pub(crate) fn too_many_requests(wait: Duration) -> Response<Body> {
    let mut response = text(StatusCode::TOO_MANY_REQUESTS, "too many requests, slow down\n");
    response.headers_mut().insert(header::RETRY_AFTER, retry_after(wait));
    response
}

/// 503 with `Retry-After`.
pub(crate) fn unavailable() -> Response<Body> {
    let mut response = text(StatusCode::SERVICE_UNAVAILABLE, "busy, try again shortly\n");
    response.headers_mut().insert(header::RETRY_AFTER, retry_after(Duration::ZERO));
    response
}

/// Whole seconds, at least one.
pub(crate) fn retry_after(wait: Duration) -> HeaderValue {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1).into()
}
