//! The application: every path and every layer, in order.

use axum::{
    Router,
    extract::{Request, State},
    middleware::{from_fn, from_fn_with_state},
    response::Response,
    routing::any,
};
use tower::ServiceBuilder;

use crate::{
    context::RequestContext,
    http::{error_response::too_many_requests, server::App},
    http_metrics::RouteLabel,
    limits::{REDIS_TIMEOUT_API, RateClass},
    middleware::{FastPath, admission, catch_panic, observe},
    page_handler::Form,
    state::{AppState, DATA_PREFIX},
};

/// Builds the application. Requests pass its layers from top to bottom:
///
/// 1. [`FastPath`] serves hits of the page cache, and adds a [`RequestContext`] to any other request.
/// 2. A span, the metrics and a log line.
/// 3. Panics become 500, so that they are traced and counted.
/// 4. Requests that must not reach a handler are rejected.
/// 5. The router.
pub(crate) fn build_app(state: AppState) -> impl App {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(state.clone(), observe))
        .layer(from_fn(catch_panic))
        .layer(from_fn_with_state(state.clone(), admission));
    let router = build_router(&state).layer(layers).with_state(state.clone());
    FastPath::new(state, router)
}

fn build_router(state: &AppState) -> Router<AppState> {
    let router = Router::new()
        .route("/api/", any(call_api))
        .route("/api/{*path}", any(call_api))
        .route("/_data/", any(page_data))
        .route("/_data/{*path}", any(page_data))
        .fallback(file_or_page);
    // Proxied apps whose addresses are set.
    state.proxy.names().fold(router, |router, app| {
        router
            .route(&format!("/{app}/"), any(proxied))
            .route(&format!("/{app}/{{*path}}"), any(proxied))
    })
}

async fn call_api(State(app): State<AppState>, request: Request) -> Response {
    app.api.handle(request).await
}

async fn proxied(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
) -> Response {
    let client = context.client_address;
    let response = match app.limits.check(RateClass::Miss, client, REDIS_TIMEOUT_API).await {
        Err(wait) => too_many_requests(wait),
        Ok(()) => app.proxy.forward(request, client).await,
    };
    RouteLabel::PROXIED.on(response)
}

async fn page_data(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path().strip_prefix(DATA_PREFIX).unwrap_or_default();
    app.page(&parts, &context, path, Form::Data).await
}

async fn file_or_page(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
) -> Response {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path();
    match app.files.handle(&parts).await {
        Some(file) => RouteLabel::file(path).on(file),
        None => app.page(&parts, &context, path, Form::Html).await,
    }
}
