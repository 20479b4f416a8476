//! Spans of calls, named as OpenTelemetry's semantic conventions for gRPC say.
use tonic::Code;
use tracing::{Span, field::Empty};

use super::metrics::Side;
use crate::methods::method;

const OTHER: &str = "_OTHER";

/// A call that is served; its parent is what the request came with.
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

/// A call that is made, however often it is tried.
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

/// Writes down how a call ended.
pub(super) fn end(span: &Span, side: Side, code: Code) {
    span.record("rpc.response.status_code", text(code));
    if is_error(side, code) {
        span.record("otel.status_code", "ERROR");
    }
}

/// `sahm.content.v1.NewsService/GetArticle`; an unknown path is anybody's text.
fn name(path: &str) -> &'static str {
    method(path).map_or(OTHER, |method| method.path.trim_start_matches('/'))
}

/// For the one who serves, what the caller did wrong is no error.
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
    fn names_are_those_of_our_calls() {
        for (path, expected) in [
            ("/sahm.content.v1.NewsService/GetArticle", "sahm.content.v1.NewsService/GetArticle"),
            ("/sahm.content.v1.NewsService/+966500000001", OTHER),
            ("/grpc.health.v1.Health/Watch", OTHER),
        ] {
            assert_eq!(name(path), expected, "{path}");
        }
    }

    #[test]
    fn who_is_to_blame_decides_what_an_error_is() {
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
