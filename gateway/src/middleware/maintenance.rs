//! The maintenance page: what every page and call answers while the site is turned off.

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{StatusCode, header};
use sahm_proto::options::v1::Feature;

use crate::{
    context::RequestContext,
    http::error_response::{retry_after, text},
    http_metrics::RouteLabel,
    state::{API_PREFIX, AppState},
    switches,
};

/// Answers 503 while the site is turned off, but for files: a page that is open keeps its scripts and pictures.
pub(crate) async fn maintenance(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    if !app.switches.is_in_maintenance() || app.files.has(request.uri().path()) {
        return next.run(request).await;
    }
    let Some(switch) = app.switches.turned_off(Feature::Site) else {
        return next.run(request).await;
    };
    let (parts, _) = request.into_parts();
    let response = if parts.uri.path().starts_with(API_PREFIX) {
        app.api.turned_off(&parts, &switch)
    } else {
        let mut line = text(StatusCode::SERVICE_UNAVAILABLE, "maintenance, try again later\n");
        let wait = retry_after(switches::retry_after(&switch));
        line.headers_mut().insert(header::RETRY_AFTER, wait);
        app.page_or_text(&parts, &context, line, Some(&switch))
    };
    RouteLabel::turned_off().on(response.map(Body::from))
}
