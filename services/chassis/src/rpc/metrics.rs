//! Metrics of calls that are made and served: count, duration and outcome, by OpenTelemetry's semantic
//! conventions for RPC.
use std::{sync::LazyLock, time::Instant};

use opentelemetry::{KeyValue, metrics::Histogram};
use tonic::Code;

use super::spans::{error_type, status_code};
use crate::telemetry;

static SERVED: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.server.call.duration",
        "Calls served, by method and code, from first header to last byte",
    )
});

static MADE: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.client.call.duration",
        "Calls made, by method and code, until the last byte; one however often it was tried",
    )
});

/// Client or server side of a call.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Server,
    Client,
}

/// Records a call that has ended; `method` is its [`label`]. The label `service` is not part of the
/// conventions: it distinguishes the services of the all-in-one, which share a process.
pub(super) fn record(
    side: Side,
    service: &'static str,
    method: &'static str,
    code: Code,
    began: Instant,
) {
    let durations = match side {
        Side::Server => &SERVED,
        Side::Client => &MADE,
    };
    let mut labels = vec![
        KeyValue::new("service", service),
        KeyValue::new("rpc.system.name", "grpc"),
        KeyValue::new("rpc.method", method),
        KeyValue::new("rpc.response.status_code", status_code(code)),
    ];
    labels.extend(error_type(side, code).map(|kind| KeyValue::new("error.type", kind)));
    durations.record(began.elapsed().as_secs_f64(), &labels);
}

/// Stands for every call that the protos do not declare.
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
}
