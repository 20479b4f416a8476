//! Admits requests to the router, or rejects them (docs/limits-and-timeouts.md).

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderName, HeaderValue, StatusCode, Version, header};
use sahm_proto::options::v1::Feature;

use crate::{
    context::RequestContext,
    http::server::{MAX_HEADER_BYTES, MAX_URL_BYTES},
    http_metrics::RouteLabel,
    limits::LimitExceeded,
    rejection::Rejection,
    state::{API_PREFIX, AppState},
};

/// Rejects requests with an invalid head, requests while the site is turned off, except for files, so that open pages
/// keep their scripts and pictures, and requests beyond the limits of those in flight until their response head.
pub(crate) async fn admission(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let maintenance = (app.switches.is_in_maintenance() && !app.files.has(path))
        .then(|| app.switches.turned_off(Feature::Site))
        .flatten();
    let (route, rejection) = if let Some((status, reason)) = head_error(&request) {
        (RouteLabel::REFUSED, Rejection::InvalidHead(status, reason))
    } else if let Some(switch) = maintenance {
        (RouteLabel::TURNED_OFF, Rejection::Maintenance(switch))
    } else {
        let route = match app.requests.acquire(context.client_address) {
            Ok(_permit) => return next.run(request).await,
            Err(LimitExceeded::Address) => RouteLabel::REFUSED,
            // A failure of this process: the request counts for its route in the service levels.
            Err(LimitExceeded::Total) if path.starts_with(API_PREFIX) => app.api.route(path),
            Err(LimitExceeded::Total) => RouteLabel::OVERLOADED,
        };
        (route, Rejection::Overloaded)
    };
    route.on(app.reject(&request.into_parts().0, &context, &rejection))
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
