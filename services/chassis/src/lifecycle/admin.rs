//! The admin address: `/livez`, `/readyz`, `/metrics`, and routes that the process adds.
use std::{net::SocketAddr, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::Lifecycle;
use crate::telemetry;

/// Timeout of all readiness checks together.
const READINESS_LIMIT: Duration = Duration::from_secs(1);
/// Timeout of reading a child process's metrics.
const CHILD_LIMIT: Duration = Duration::from_secs(1);

/// Serves the admin address until the hard stop, so that a draining process can be observed.
pub fn serve_admin(listener: TcpListener, lifecycle: &Lifecycle) {
    let router = Router::new()
        .route("/livez", get(|| async { "ok\n" }))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .fallback(process_routes)
        .with_state(lifecycle.clone());
    let stopped = lifecycle.hard_stop();
    // Not tracked, because it outlives the drain on purpose.
    tokio::spawn(async move {
        // Requests are logged with the client's address.
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let served = axum::serve(listener, service).into_future();
        if let Some(Err(error)) = stopped.run_until_cancelled_owned(served).await {
            tracing::error!(error = %error, "admin server ended");
        }
    });
}

async fn readyz(State(lifecycle): State<Lifecycle>) -> impl IntoResponse {
    match tokio::time::timeout(READINESS_LIMIT, lifecycle.readiness()).await {
        Ok(Ok(())) => (StatusCode::OK, "ok\n".to_owned()),
        Ok(Err(what)) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {what}\n")),
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
    if let Ok(child) = tokio::time::timeout(CHILD_LIMIT, lifecycle.child_metrics()).await {
        text.push_str(&child);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
