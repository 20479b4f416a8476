//! The maintenance page: the response to every page and call while the site is turned off.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use sahm_proto::options::v1::Feature;

use crate::{
    context::RequestContext, http_metrics::RouteLabel, rejection::Rejection, state::AppState,
};

/// Responds 503 while the site is turned off, except to files: open pages keep their scripts and pictures.
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
    let response = app.reject(&request.into_parts().0, &context, &Rejection::Maintenance(switch));
    RouteLabel::turned_off().on(response)
}
