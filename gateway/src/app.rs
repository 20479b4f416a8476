//! The application: its state, and the router with every path and every layer in order.

use std::{ops::Deref, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    middleware::{from_fn, from_fn_with_state},
    response::Response,
    routing::any,
};
use http::{StatusCode, request::Parts};
use sahm_chassis::settings::Settings;
use tower::ServiceBuilder;

use crate::{
    api::Api,
    context::RequestContext,
    cookies::PageCookies,
    files::Files,
    http::{
        error_response::{text, too_many_requests, unavailable},
        headers::Protection,
        server::App,
    },
    http_metrics::{HttpMetrics, RouteLabel},
    limits::{ConcurrencyLimit, Limits, REDIS_TIME_API, RateClass},
    middleware::{
        FastPath, ResolvedUrlCache, catch_panic, concurrency_limit, metrics, trace, validate_head,
    },
    page_cache::PageCache,
    page_handler::Form,
    proxy::Proxy,
    render::PageBuilder,
    routes::RouteTable,
};

/// The JSON API.
pub(crate) const API_PREFIX: &str = "/api/";

/// The data of the page at the path that follows.
pub(crate) const DATA_PREFIX: &str = "/_data";

/// The state of the application. Clones share it.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// What requests share.
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) routes: Arc<RouteTable>,
    pub(crate) page_builder: PageBuilder,
    pub(crate) cache: PageCache,
    pub(crate) api: Api,
    pub(crate) files: Files,
    pub(crate) proxy: Proxy,
    pub(crate) limits: Limits,
    /// Requests in flight.
    pub(crate) requests: ConcurrencyLimit,
    pub(crate) resolved_urls: ResolvedUrlCache,
    pub(crate) metrics: HttpMetrics,
    pub(crate) cookies: PageCookies,
    pub(crate) protection: Arc<Protection>,
    /// The host of the site's public URL, for traces.
    pub(crate) server_address: String,
}

impl From<Shared> for AppState {
    fn from(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Builds the application. Requests pass its layers from top to bottom:
///
/// 1. [`FastPath`] answers hits of the page cache; any other request gets its [`RequestContext`].
/// 2. A span and a log line, then the metrics.
/// 3. Panics become 500, so that they are traced and counted.
/// 4. Invalid heads and requests beyond the concurrency limit are rejected.
/// 5. The router.
pub(crate) fn build_app(state: AppState) -> impl App {
    let layers = ServiceBuilder::new()
        .layer(from_fn_with_state(state.clone(), trace))
        .layer(from_fn_with_state(state.clone(), metrics))
        .layer(from_fn(catch_panic))
        .layer(from_fn_with_state(state.clone(), validate_head))
        .layer(from_fn_with_state(state.clone(), concurrency_limit));
    let router = build_router(&state).layer(layers).with_state(state.clone());
    FastPath::new(state, router)
}

/// Every path of the application.
fn build_router(state: &AppState) -> Router<AppState> {
    let router = Router::new()
        .route("/api/", any(call_api))
        .route("/api/{*path}", any(call_api))
        .route("/_data/", any(page_data))
        .route("/_data/{*path}", any(page_data))
        .fallback(file_or_page);
    // Apps beside this site, where the settings have their addresses.
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
    let response = match app.limits.spend(RateClass::Miss, client, REDIS_TIME_API).await {
        Err(wait) => too_many_requests(wait),
        Ok(()) => app.proxy.forward(request, client).await,
    };
    RouteLabel::proxied().on(response)
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

/// Why a request is rejected before its handler.
pub(crate) enum Rejection {
    /// Its head is invalid: the status and the reason.
    InvalidHead(StatusCode, &'static str),
    /// Too many requests are in flight.
    Overloaded,
}

impl Shared {
    /// Rejects a request in the form that its path has: JSON of the API, an error page, or a line of text.
    pub(crate) fn reject(
        &self,
        parts: &Parts,
        context: &RequestContext,
        rejection: Rejection,
    ) -> Response<Body> {
        let is_api = parts.uri.path().starts_with(API_PREFIX);
        match rejection {
            Rejection::InvalidHead(status, reason) if is_api => {
                self.api.refuse(parts, status, reason)
            }
            Rejection::InvalidHead(status, reason) => {
                self.page_or_text(parts, context, text(status, reason))
            }
            Rejection::Overloaded if is_api => self.api.busy(parts),
            Rejection::Overloaded => self.page_or_text(parts, context, unavailable()),
        }
    }
}
