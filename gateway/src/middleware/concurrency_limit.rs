//! Limits the requests in flight, per client address and in total, until their response head.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};

use crate::{
    context::RequestContext,
    http_metrics::RouteLabel,
    limits::LimitExceeded,
    rejection::Rejection,
    state::{API_PREFIX, AppState},
};

/// Responds 503 beyond a limit. An exhausted total limit is a failure of this process: the request counts for its route
/// in the service levels.
pub(crate) async fn concurrency_limit(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    let exceeded = match app.requests.acquire(context.client_address) {
        Ok(_permit) => return next.run(request).await,
        Err(exceeded) => exceeded,
    };
    let path = request.uri().path();
    let route = match exceeded {
        LimitExceeded::Address => RouteLabel::refused(),
        LimitExceeded::Total if path.starts_with(API_PREFIX) => app.api.route(path),
        LimitExceeded::Total => RouteLabel::overloaded(),
    };
    route.on(app.reject(&request.into_parts().0, &context, &Rejection::Overloaded))
}
