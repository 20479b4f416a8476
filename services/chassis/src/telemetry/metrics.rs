//! One meter provider per process, with a Prometheus reader and, if configured, OTLP.
use std::sync::OnceLock;

use opentelemetry::{
    KeyValue,
    metrics::{Meter, MeterProvider},
};
use opentelemetry_sdk::{
    Resource,
    metrics::{MeterProviderBuilder, SdkMeterProvider, exporter::PushMetricExporter},
};
use prometheus::{Encoder, Registry, TextEncoder};

struct Metrics {
    provider: SdkMeterProvider,
    registry: Registry,
}

static METRICS: OnceLock<Metrics> = OnceLock::new();

fn make(mut builder: MeterProviderBuilder) -> Metrics {
    let registry = Registry::new();
    let exporter = opentelemetry_prometheus::exporter()
        .with_registry(registry.clone())
        .scope_info_enabled(false)
        .build();
    match exporter {
        Ok(exporter) => builder = builder.with_reader(exporter),
        Err(error) => tracing::error!(error = %error, "no prometheus metrics"),
    }
    let provider = builder.build();
    let build = [KeyValue::new("version", super::VERSION)];
    provider
        .meter("sahm")
        .u64_observable_gauge("build.info")
        .with_description("1; its label is the version that runs")
        .with_callback(move |observer| observer.observe(1, &build))
        .build();
    opentelemetry::global::set_meter_provider(provider.clone());
    Metrics { provider, registry }
}

pub(super) fn init(resource: Resource, otlp: Option<impl PushMetricExporter>) {
    METRICS.get_or_init(|| {
        let builder = SdkMeterProvider::builder().with_resource(resource);
        make(match otlp {
            Some(exporter) => builder.with_periodic_exporter(exporter),
            None => builder,
        })
    });
}

pub(super) fn flush() {
    if let Some(metrics) = METRICS.get() {
        let _ = metrics.provider.force_flush();
    }
}

/// The meter whose instruments `/metrics` shows; works before [`init`](super::init) too, then
/// without OTLP.
pub(super) fn meter() -> Meter {
    METRICS.get_or_init(|| make(SdkMeterProvider::builder())).provider.meter("sahm")
}

/// Every metric as Prometheus text (version 0.0.4).
pub fn prometheus_text() -> String {
    let metrics = METRICS.get_or_init(|| make(SdkMeterProvider::builder()));
    let mut text = Vec::new();
    if let Err(error) = TextEncoder::new().encode(&metrics.registry.gather(), &mut text) {
        tracing::warn!(error = %error, "metrics cannot be encoded");
    }
    String::from_utf8(text).unwrap_or_default()
}
