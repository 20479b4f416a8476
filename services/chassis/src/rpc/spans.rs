//! Spans of calls, named after OpenTelemetry's semantic conventions for gRPC.
use tonic::Code;
use tracing::{Span, field::Empty};

use super::attributes::{Side, error_type, label, status_code};

/// Span of a served call; its parent comes from the request.
pub(super) fn server(path: &str) -> Span {
    let name = label(path);
    tracing::info_span!(
        target: "sahm::rpc",
        parent: None,
        "rpc",
        "otel.name" = name,
        "otel.kind" = "server",
        "otel.status_code" = Empty,
        "rpc.system.name" = "grpc",
        "rpc.method" = name,
        "rpc.response.status_code" = Empty,
        "error.type" = Empty,
    )
}

/// Span of an outgoing call, with all its attempts. `server`: host and port of a remote service.
pub(super) fn client(path: &str, server: Option<&(String, u16)>) -> Span {
    let name = label(path);
    tracing::info_span!(
        target: "sahm::rpc",
        "call",
        "otel.name" = name,
        "otel.kind" = "client",
        "otel.status_code" = Empty,
        "rpc.system.name" = "grpc",
        "rpc.method" = name,
        "server.address" = server.map(|(host, _)| host.as_str()),
        "server.port" = server.map(|(_, port)| port),
        "rpc.response.status_code" = Empty,
        "error.type" = Empty,
    )
}

/// Records how a call ended.
pub(super) fn end(span: &Span, side: Side, code: Code) {
    span.record("rpc.response.status_code", status_code(code));
    if let Some(kind) = error_type(side, code) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", kind);
    }
}
