//! Spans of calls, named after OpenTelemetry's semantic conventions for gRPC.
use tonic::Code;
use tracing::{Span, field::Empty};

use super::metrics::{Side, label};

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

/// Span of an outgoing call, with all its attempts. `server` is the host and port of a remote service.
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

/// The code of a call that this side counts as an error.
pub(super) fn error_type(side: Side, code: Code) -> Option<&'static str> {
    is_error(side, code).then(|| status_code(code))
}

/// On the server side, errors that the caller caused do not count.
fn is_error(side: Side, code: Code) -> bool {
    match (side, code) {
        (_, Code::Ok) => false,
        (Side::Client, _) => true,
        (Side::Server, code) => matches!(
            code,
            Code::Unknown
                | Code::DeadlineExceeded
                | Code::Unimplemented
                | Code::Internal
                | Code::Unavailable
                | Code::DataLoss
        ),
    }
}

/// The name of a code (`rpc.response.status_code`).
pub(super) fn status_code(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_faults_are_errors_on_the_client_side_only() {
        for (code, client, server) in [
            (Code::Ok, false, false),
            (Code::NotFound, true, false),
            (Code::InvalidArgument, true, false),
            (Code::Unavailable, true, true),
            (Code::Internal, true, true),
        ] {
            let found = (is_error(Side::Client, code), is_error(Side::Server, code));
            assert_eq!(found, (client, server), "{code:?}");
        }
    }
}
