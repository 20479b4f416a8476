//! Records the duration, status and route of each request.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};

use crate::{context::RequestContext, http_metrics::RouteLabel, state::AppState};

pub(crate) async fn metrics(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    let method = request.method().clone();
    let response = next.run(request).await;
    let route = RouteLabel::read(&response);
    let (status, elapsed) = (response.status(), context.started.elapsed());
    app.metrics.record(&method, context.scheme, route, status, elapsed);
    response
}
