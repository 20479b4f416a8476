//! Rejects requests whose head is invalid (docs/limits-and-timeouts.md).

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, StatusCode, Version, header};

use crate::{
    context::RequestContext,
    http::error_response::{MAX_HEADER_BYTES, MAX_URL_BYTES},
    http_metrics::RouteLabel,
    rejection::Rejection,
    state::AppState,
};

pub(crate) async fn validate_head(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    let Some((status, reason)) = head_error(&request) else { return next.run(request).await };
    let rejection = Rejection::InvalidHead(status, reason);
    RouteLabel::refused().on(app.reject(&request.into_parts().0, &context, &rejection))
}

/// The error of a request head, if it has one: it is too large, or it has a host that two parsers could read differently
/// (RFC 9112 §3.2).
pub(super) fn head_error<B>(request: &http::Request<B>) -> Option<(StatusCode, &'static str)> {
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
