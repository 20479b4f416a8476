//! Error responses in plain text, never stored: one function for each kind.

use std::time::Duration;

use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header};

use super::headers;

pub(crate) fn text(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers::no_store(headers);
    response
}

pub(crate) fn not_found() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "not found\n")
}

pub(crate) fn internal_error() -> Response<Body> {
    text(StatusCode::INTERNAL_SERVER_ERROR, "internal error\n")
}

pub(crate) fn gateway_timeout() -> Response<Body> {
    text(StatusCode::GATEWAY_TIMEOUT, "out of time, try again\n")
}

/// 405 with `Allow`.
pub(crate) fn method_not_allowed(allow: &'static str, reason: &'static str) -> Response<Body> {
    let mut response = text(StatusCode::METHOD_NOT_ALLOWED, reason);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
    response
}

/// 429 with `Retry-After`: the time until the client's budget suffices.
pub(crate) fn too_many_requests(wait: Duration) -> Response<Body> {
    let mut response = text(StatusCode::TOO_MANY_REQUESTS, "too many requests, slow down\n");
    response.headers_mut().insert(header::RETRY_AFTER, retry_after(wait));
    response
}

/// 503 with `Retry-After` of one second, after which a short overload has passed.
pub(crate) fn unavailable() -> Response<Body> {
    let mut response = text(StatusCode::SERVICE_UNAVAILABLE, "busy, try again shortly\n");
    response.headers_mut().insert(header::RETRY_AFTER, retry_after(Duration::ZERO));
    response
}

/// `Retry-After` in whole seconds, at least one.
pub(crate) fn retry_after(wait: Duration) -> HeaderValue {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1).into()
}
