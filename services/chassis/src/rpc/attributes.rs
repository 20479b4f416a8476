//! Attributes that spans and metrics of calls share, following OpenTelemetry's semantic conventions
//! for RPC.
use tonic::Code;

/// Client or server side of a call.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Server,
    Client,
}

/// The label of every rpc that the protos do not declare.
const OTHER: &str = "_OTHER";

/// The name of a known rpc (`rpc.method`), `sahm.content.v1.NewsService/GetArticle`; any other path is
/// arbitrary text from the client.
pub(super) fn label(path: &str) -> &'static str {
    super::method(path).map_or(OTHER, |method| method.path.trim_start_matches('/'))
}

/// The package of a [`label`]: `content` for `sahm.content.v1.NewsService/…`.
pub(super) fn package(label: &'static str) -> &'static str {
    label.split('.').nth(1).unwrap_or(OTHER)
}

/// The code of a call (`error.type`) if this side counts it as an error.
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
            client: Option<&'static str>,
            server: Option<&'static str>,
        }
        let case = |code, client, server| Case { code, client, server };
        for Case { code, client, server } in [
            case(Code::Ok, None, None),
            case(Code::NotFound, Some("NOT_FOUND"), None),
            case(Code::InvalidArgument, Some("INVALID_ARGUMENT"), None),
            case(Code::Unavailable, Some("UNAVAILABLE"), Some("UNAVAILABLE")),
            case(Code::Internal, Some("INTERNAL"), Some("INTERNAL")),
        ] {
            let found = (error_type(Side::Client, code), error_type(Side::Server, code));
            assert_eq!(found, (client, server), "{code:?}");
        }
    }
}
