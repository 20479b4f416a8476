//! Spans and metrics of calls, following OpenTelemetry's semantic conventions for RPC.
use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use opentelemetry::{KeyValue, metrics::Histogram};
use tonic::Code;
use tracing::{Span, field::Empty};

use crate::{settings::ServiceName, telemetry};

/// Client or server side of a call.
#[derive(Clone, Copy)]
enum Side {
    Server,
    Client,
}

/// The label of every rpc that the protos do not declare.
const OTHER: &str = "_OTHER";

static SERVER_DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.server.call.duration",
        "Calls served, by method and code, from first header to last byte",
    )
});

static CLIENT_DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.client.call.duration",
        "Calls made, by method and code, until the last byte; one however often it was tried",
    )
});

/// The name of a known rpc (`rpc.method`), `sahm.content.v1.NewsService/GetArticle`; any other path is
/// arbitrary text from the client.
fn label(path: &str) -> &'static str {
    super::method(path).map_or(OTHER, |method| method.path.trim_start_matches('/'))
}

/// The package of a [`label`]: `content` for `sahm.content.v1.NewsService/…`.
fn package(label: &'static str) -> &'static str {
    label.split('.').nth(1).unwrap_or(OTHER)
}

/// Span of a served call; its parent comes from the request.
fn server_span(name: &'static str) -> Span {
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
fn client_span(name: &'static str, server: Option<(&str, u16)>) -> Span {
    tracing::info_span!(
        target: "sahm::rpc",
        "call",
        "otel.name" = name,
        "otel.kind" = "client",
        "otel.status_code" = Empty,
        "rpc.system.name" = "grpc",
        "rpc.method" = name,
        "server.address" = server.map(|(host, _)| host),
        "server.port" = server.map(|(_, port)| port),
        "rpc.response.status_code" = Empty,
        "error.type" = Empty,
    )
}

/// A call, recorded once: when it ends, or when the caller drops it or disconnects.
pub(super) struct ObservedCall {
    side: Side,
    /// Not part of the conventions: it distinguishes the services of the all-in-one, which share a
    /// process.
    service: &'static str,
    /// Its [`label`].
    method: &'static str,
    span: Span,
    began: Instant,
    has_ended: bool,
    /// Writes the log lines of a served call.
    log: Option<ServerLog>,
}

/// Writes log lines for the code and the duration of a call.
pub(super) type ServerLog = Box<dyn Fn(Code, Duration) + Send + Sync>;

impl ObservedCall {
    /// A call made by this process.
    pub(super) fn of_client(path: &str, server: Option<(&str, u16)>) -> ObservedCall {
        let method = label(path);
        let span = client_span(method, server);
        ObservedCall::new(Side::Client, package(method), method, span, None)
    }

    /// A call served by this process.
    pub(super) fn of_server(service: ServiceName, path: &str, log: ServerLog) -> ObservedCall {
        let method = label(path);
        ObservedCall::new(Side::Server, service.as_str(), method, server_span(method), Some(log))
    }

    fn new(
        side: Side,
        service: &'static str,
        method: &'static str,
        span: Span,
        log: Option<ServerLog>,
    ) -> ObservedCall {
        let (began, has_ended) = (Instant::now(), false);
        ObservedCall { side, service, method, span, began, has_ended, log }
    }

    /// The span around the work of the call.
    pub(super) fn span(&self) -> &Span {
        &self.span
    }

    /// Records the code that the call ended with; only the first call has an effect.
    pub(super) fn end(&mut self, code: Code) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        let elapsed = self.began.elapsed();
        let status = status_code(code);
        let mut labels = vec![
            KeyValue::new("service", self.service),
            KeyValue::new("rpc.system.name", "grpc"),
            KeyValue::new("rpc.method", self.method),
            KeyValue::new("rpc.response.status_code", status),
        ];
        self.span.record("rpc.response.status_code", status);
        if is_error(self.side, code) {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", status);
            labels.push(KeyValue::new("error.type", status));
        }
        let durations = match self.side {
            Side::Server => &SERVER_DURATION,
            Side::Client => &CLIENT_DURATION,
        };
        durations.record(elapsed.as_secs_f64(), &labels);
        if let Some(log) = &self.log {
            self.span.in_scope(|| log(code, elapsed));
        }
    }
}

impl Drop for ObservedCall {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
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
fn status_code(code: Code) -> &'static str {
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
    fn names_are_those_of_known_methods() {
        for (path, expected) in [
            ("/sahm.content.v1.NewsService/GetArticle", "sahm.content.v1.NewsService/GetArticle"),
            ("/sahm.content.v1.NewsService/+966500000001", OTHER),
            ("/grpc.health.v1.Health/Watch", OTHER),
        ] {
            assert_eq!(label(path), expected, "{path}");
        }
    }

    #[test]
    fn package_is_taken_from_known_methods() {
        for (path, expected) in [
            ("/sahm.content.v1.NewsService/GetArticle", "content"),
            ("/sahm.changes.v1.ChangeLogService/WatchChanges", "changes"),
            ("/sahm.content.v1.NewsService/Nothing", OTHER),
            ("/grpc.health.v1.Health/Watch", OTHER),
            ("", OTHER),
        ] {
            assert_eq!(package(label(path)), expected, "{path}");
        }
    }

    #[test]
    fn client_faults_are_errors_on_the_client_side_only() {
        struct Case {
            code: Code,
            name: &'static str,
            client: bool,
            server: bool,
        }
        let case = |code, name, client, server| Case { code, name, client, server };
        for Case { code, name, client, server } in [
            case(Code::Ok, "OK", false, false),
            case(Code::NotFound, "NOT_FOUND", true, false),
            case(Code::InvalidArgument, "INVALID_ARGUMENT", true, false),
            case(Code::Unavailable, "UNAVAILABLE", true, true),
            case(Code::Internal, "INTERNAL", true, true),
        ] {
            let found = (is_error(Side::Client, code), is_error(Side::Server, code));
            assert_eq!((status_code(code), found), (name, (client, server)));
        }
    }
}
