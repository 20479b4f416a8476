//! Spans of calls, named after OpenTelemetry's semantic conventions for gRPC.
use tonic::Code;
use tracing::{Span, field::Empty};

use super::{methods::method, metrics::Side};

const OTHER: &str = "_OTHER";

/// Span of a served call; its parent comes from the request.
pub(super) fn server(path: &str) -> Span {
    let name = name(path);
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
    )
}

/// Span of an outgoing call, with all its attempts.
pub(super) fn client(path: &str) -> Span {
    let name = name(path);
    tracing::info_span!(
        target: "sahm::rpc",
        "call",
        "otel.name" = name,
        "otel.kind" = "client",
        "otel.status_code" = Empty,
        "rpc.system.name" = "grpc",
        "rpc.method" = name,
        "rpc.response.status_code" = Empty,
    )
}

/// Records how a call ended.
pub(super) fn end(span: &Span, side: Side, code: Code) {
    span.record("rpc.response.status_code", text(code));
    if is_error(side, code) {
        span.record("otel.status_code", "ERROR");
    }
}

/// `sahm.content.v1.NewsService/GetArticle`; an unknown path is arbitrary text from the client.
fn name(path: &str) -> &'static str {
    method(path).map_or(OTHER, |method| method.path.trim_start_matches('/'))
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

fn text(code: Code) -> &'static str {
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
    fn span_names_are_those_of_known_methods() {
        for (path, expected) in [
            ("/sahm.content.v1.NewsService/GetArticle", "sahm.content.v1.NewsService/GetArticle"),
            ("/sahm.content.v1.NewsService/+966500000001", OTHER),
            ("/grpc.health.v1.Health/Watch", OTHER),
        ] {
            assert_eq!(name(path), expected, "{path}");
        }
    }

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
