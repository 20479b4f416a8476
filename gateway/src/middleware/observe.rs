//! A span, the metrics and a log line of each request.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::Method;
use sahm_chassis::telemetry::{self, RequestLog};
use tracing::{Instrument, field::Empty};

use crate::{
    context::RequestContext,
    http_metrics::{RouteLabel, method_name},
    state::AppState,
};

pub(crate) async fn observe(
    State(app): State<AppState>,
    context: RequestContext,
    request: Request,
    next: Next,
) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let span = tracing::info_span!(
        target: "sahm::http",
        "request",
        "otel.kind" = "server",
        "otel.name" = span_method(&method),
        "otel.status_code" = Empty,
        "http.request.method" = method_name(&method),
        "url.scheme" = context.scheme,
        "url.path" = path,
        "server.address" = app.server_address,
        "server.port" = app.server_port,
        "http.route" = Empty,
        "http.response.status_code" = Empty,
        "error.type" = Empty,
    );
    match context.is_from_trusted_proxy && app.settings.trust_trace_context {
        true => telemetry::set_parent(&span, request.headers()),
        // A visitor's trace is only linked, because visitors must not decide whether this trace is recorded. Proxies
        // forward the header as the visitor sent it unless they take part in the trace.
        false => telemetry::link(&span, request.headers()),
    }
    let response = next.run(request).instrument(span.clone()).await;
    let (route, status) = (RouteLabel::read(&response), response.status());
    let elapsed = context.started.elapsed();
    telemetry::rename(&span, format!("{} {}", span_method(&method), route.as_str()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", status.as_str());
    }
    span.record("http.route", route.as_str());
    span.record("http.response.status_code", status.as_u16());
    let cache = response.headers().get("x-page-cache").and_then(|status| status.to_str().ok());
    span.in_scope(|| {
        app.metrics.record(&method, context.scheme, route, status, elapsed);
        telemetry::request_log(&RequestLog {
            kind: "http",
            method: method.as_str(),
            path: &path,
            status: status.as_u16(),
            elapsed,
            detail: cache.unwrap_or_default(),
        });
    });
    response
}

/// The method in a span's name; `HTTP` for an unknown method, as in OpenTelemetry's semantic conventions.
fn span_method(method: &Method) -> &'static str {
    match method_name(method) {
        "_OTHER" => "HTTP",
        name => name,
    }
}
