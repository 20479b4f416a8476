//! Failures of OTLP exporters: counted for each signal, and logged at most once a minute.
use std::{
    sync::{LazyLock, Mutex, PoisonError},
    time::{Duration, Instant},
};

use opentelemetry::{KeyValue, metrics::Counter};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    logs::{LogBatch, LogExporter},
    metrics::{Temporality, data::ResourceMetrics, exporter::PushMetricExporter},
    trace::{SpanData, SpanExporter},
};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use tracing::Metadata;

use super::counter;

/// Minimum interval between log lines about failures of a signal.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
/// Not under `sahm`, because lines with that target are exported themselves.
const TARGET: &str = "otlp";

static FAILURES: LazyLock<Counter<u64>> =
    LazyLock::new(|| counter("otel.export.failures", "Failed exports of telemetry, by signal"));

/// A kind of telemetry in OpenTelemetry's terms.
#[derive(Clone, Copy, Debug, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Signal {
    Traces,
    Metrics,
    Logs,
}

impl Signal {
    pub(super) fn as_str(self) -> &'static str {
        self.into()
    }

    fn labels(self) -> [KeyValue; 1] {
        [KeyValue::new("signal", self.as_str())]
    }
}

/// Exports the counter of each exported signal from the start, because a rate needs the 0 before the
/// first failure.
pub(super) fn register_metrics(is_exported: impl Fn(Signal) -> bool) {
    for signal in Signal::iter().filter(|signal| is_exported(*signal)) {
        FAILURES.add(0, &signal.labels());
    }
}

/// Whether an event is not the SDK's own report of a failed export, which takes up to two lines per
/// batch.
pub(super) fn is_no_sdk_report(metadata: &Metadata<'_>) -> bool {
    let name = metadata.name();
    !(name.starts_with("Export.Failed.") || name.ends_with(".ExportError"))
}

/// An exporter whose failures are counted and logged.
#[derive(Debug)]
pub(super) struct ObservedExporter<E> {
    inner: E,
    signal: Signal,
    unlogged: Mutex<Unlogged>,
}

/// Failures since the last log line.
#[derive(Debug, Default)]
struct Unlogged {
    count: u64,
    logged_at: Option<Instant>,
}

impl Unlogged {
    /// Counts a failure. Returns the number of failures to log if the log interval has passed.
    fn add(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        if self.logged_at.is_some_and(|at| now.duration_since(at) < LOG_INTERVAL) {
            return None;
        }
        self.logged_at = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

impl<E> ObservedExporter<E> {
    pub(super) fn new(signal: Signal, inner: E) -> Self {
        Self { inner, signal, unlogged: Mutex::default() }
    }

    fn observe(&self, exported: OTelSdkResult) -> OTelSdkResult {
        if let Err(error) = &exported {
            FAILURES.add(1, &self.signal.labels());
            let mut unlogged = self.unlogged.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(batches) = unlogged.add(Instant::now()) {
                let signal = self.signal.as_str();
                tracing::warn!(target: TARGET, signal, batches, %error, "telemetry not exported");
            }
        }
        exported
    }
}

impl<E: SpanExporter> SpanExporter for ObservedExporter<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.observe(self.inner.export(batch).await)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

impl<E: LogExporter> LogExporter for ObservedExporter<E> {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        self.observe(self.inner.export(batch).await)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

impl<E: PushMetricExporter> PushMetricExporter for ObservedExporter<E> {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        self.observe(self.inner.export(metrics).await)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn temporality(&self) -> Temporality {
        self.inner.temporality()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use opentelemetry_otlp::MetricExporter;

    use super::*;

    /// A collector may need deltas, which `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE`
    /// selects.
    #[tokio::test]
    async fn temporality_is_that_of_the_inner_exporter() {
        crate::outbound::install_tls_provider();
        for temporality in [Temporality::Cumulative, Temporality::Delta] {
            let inner = MetricExporter::builder().with_temporality(temporality).build().unwrap();
            let exporter = ObservedExporter::new(Signal::Metrics, inner);
            assert_eq!(exporter.temporality(), temporality);
        }
    }

    #[test]
    fn failures_within_a_minute_share_a_line() {
        let began = Instant::now();
        let mut unlogged = Unlogged::default();
        struct Case {
            seconds: u64,
            batches: Option<u64>,
        }
        for Case { seconds, batches } in [
            Case { seconds: 0, batches: Some(1) },
            Case { seconds: 5, batches: None },
            Case { seconds: 59, batches: None },
            Case { seconds: 60, batches: Some(3) },
            Case { seconds: 61, batches: None },
            Case { seconds: 200, batches: Some(2) },
        ] {
            assert_eq!(unlogged.add(began + Duration::from_secs(seconds)), batches, "{seconds}");
        }
    }
}
