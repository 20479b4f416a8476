//! The admin address: `/livez`, `/readyz`, `/metrics`, `/log-level`, and routes that the process
//! adds.
mod access;
mod browsers;
mod log_level;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{StatusCode, header},
    middleware::{from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::Value;
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::{Context, Lifecycle};
use crate::telemetry;

use access::Access;

pub use access::AuditDetails;

/// Timeout of all readiness checks together.
const READINESS_TIMEOUT: Duration = Duration::from_secs(1);
/// Timeout of reading a child process's metrics.
const CHILD_METRICS_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_BODY_BYTES: usize = 4 * 1024;

/// Serves the admin address until the hard stop, so that a draining process can be observed.
pub fn serve_admin(listener: TcpListener, context: &Context) {
    let lifecycle = &context.lifecycle;
    let is_loopback = listener.local_addr().is_ok_and(|address| address.ip().is_loopback());
    let access = Access { tokens: context.settings.admin_tokens.clone(), is_loopback };
    let administration = Router::new()
        .route("/log-level", get(log_level::get).post(log_level::set))
        .fallback(process_routes)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn(browsers::refuse_browsers));
    let router = Router::new()
        .route("/livez", get(|| async { "ok\n" }))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .merge(administration)
        .layer(from_fn_with_state(Arc::new(access), access::authorize))
        .with_state(lifecycle.clone());
    let stopped = lifecycle.hard_stop();
    // Not tracked, because it outlives the drain on purpose.
    tokio::spawn(async move {
        // The audit line contains the client's address.
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let served = axum::serve(listener, service).into_future();
        if let Some(Err(error)) = stopped.run_until_cancelled_owned(served).await {
            tracing::error!(error = %error, "admin server ended");
        }
    });
}

async fn readyz(State(lifecycle): State<Lifecycle>) -> impl IntoResponse {
    match tokio::time::timeout(READINESS_TIMEOUT, lifecycle.failed_readiness_check()).await {
        Ok(None) => (StatusCode::OK, "ok\n".to_owned()),
        Ok(Some(check)) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {check}\n")),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready: out of time\n".to_owned()),
    }
}

/// Serves the routes that the process added.
async fn process_routes(State(lifecycle): State<Lifecycle>, request: Request) -> Response {
    match lifecycle.operator_routes() {
        Some(routes) => routes.oneshot(request).await.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn metrics(State(lifecycle): State<Lifecycle>) -> impl IntoResponse {
    let mut text = telemetry::prometheus_text();
    if let Ok(child) = tokio::time::timeout(CHILD_METRICS_TIMEOUT, lifecycle.child_metrics()).await
    {
        text.push_str(&child);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// A response of the admin address in JSON.
pub fn admin_response(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], format!("{body:#}\n")).into_response()
}
