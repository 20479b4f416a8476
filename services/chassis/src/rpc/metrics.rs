//! Metrics of outgoing and served calls: count, duration and outcome, following OpenTelemetry's
//! semantic conventions for RPC.
use std::{sync::LazyLock, time::Instant};

use opentelemetry::{KeyValue, metrics::Histogram};
use tonic::Code;

use super::attributes::{Side, error_type, status_code};
use crate::telemetry;

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

/// Records a call that has ended; `method` is its [`label`](super::attributes::label). The label `service` is not part of the
/// conventions: it distinguishes the services of the all-in-one, which share a process.
pub(super) fn record(
    side: Side,
    service: &'static str,
    method: &'static str,
    code: Code,
    began: Instant,
) {
    let durations = match side {
        Side::Server => &SERVER_DURATION,
        Side::Client => &CLIENT_DURATION,
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
