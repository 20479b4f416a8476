//! Metrics of calls that are made and served: count, duration and outcome.
use std::{sync::LazyLock, time::Instant};

use opentelemetry::{KeyValue, metrics::Histogram};
use tonic::Code;

use crate::telemetry;

static SERVED: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.server.duration",
        "Calls served, by method and code, from first header to last byte",
    )
});

static MADE: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "rpc.client.duration",
        "Calls made, by method and code, until the last byte; one however often it was tried",
    )
});

/// Client or server side of a call.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Server,
    Client,
}

/// Records a call that has ended; `method` is its [`label`].
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
    let labels = [
        KeyValue::new("service", service),
        KeyValue::new("method", method),
        KeyValue::new("code", i64::from(code as i32)),
    ];
    durations.record(began.elapsed().as_secs_f64(), &labels);
}

const OTHER: &str = "other";

/// The path of a known rpc; any other path is arbitrary text from the client.
pub(super) fn label(path: &str) -> &'static str {
    super::method(path).map_or(OTHER, |method| &method.path)
}

/// The package of a [`label`]: `content` for `/sahm.content.v1.NewsService/…`.
pub(super) fn package(label: &'static str) -> &'static str {
    label.split('.').nth(1).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_is_taken_from_known_methods() {
        for (path, expected) in [
            ("/sahm.content.v1.NewsService/GetArticle", "content"),
            ("/sahm.changes.v1.ChangeLogService/WatchChanges", "changes"),
            ("/sahm.content.v1.NewsService/Nothing", "other"),
            ("/grpc.health.v1.Health/Watch", "other"),
            ("", "other"),
        ] {
            assert_eq!(package(label(path)), expected, "{path}");
        }
    }
}
