//! Providers with OTLP exporters, if the standard `OTEL_*` variables enable them.
use std::env;

use opentelemetry::KeyValue;
use opentelemetry_otlp::{
    LogExporter, MetricExporter, SpanExporter, WithTonicConfig,
    tonic_types::transport::ClientTlsConfig,
};
use opentelemetry_sdk::{
    Resource,
    logs::SdkLoggerProvider,
    resource::{EnvResourceDetector, TelemetryResourceDetector},
    trace::SdkTracerProvider,
};
use uuid::Uuid;

use super::{
    VERSION,
    export_failures::{ObservedExporter, Signal},
    sampler::RequestSampler,
};
use crate::settings::{Process, Settings};

/// Describes this process. `OTEL_RESOURCE_ATTRIBUTES` overrides any attribute; `OTEL_SERVICE_NAME`
/// takes precedence for the name.
pub(super) fn resource(process: Process, settings: &Settings) -> Resource {
    // The attributes of a later call replace those of an earlier one.
    let builder = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.namespace", "sahm"),
            KeyValue::new("service.name", format!("sahm-{}", process.as_str())),
            KeyValue::new("service.version", VERSION),
            KeyValue::new("service.instance.id", Uuid::now_v7().to_string()),
            KeyValue::new("deployment.environment.name", settings.environment.as_str()),
        ])
        .with_detectors(&[
            Box::new(TelemetryResourceDetector),
            Box::new(EnvResourceDetector::new()),
        ]);
    match env::var("OTEL_SERVICE_NAME").ok().filter(|name| !name.is_empty()) {
        Some(name) => builder.with_service_name(name).build(),
        None => builder.build(),
    }
}

/// Whether a signal is exported.
pub(super) fn is_exported(signal: Signal) -> bool {
    is_enabled_by(signal, |name| env::var(name).ok())
}

fn is_enabled_by(signal: Signal, variable: impl Fn(&str) -> Option<String>) -> bool {
    let signal = signal.as_str().to_ascii_uppercase();
    let value = |name: &str| variable(name).filter(|value| !value.is_empty());
    if value("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return false;
    }
    let exporter = value(&format!("OTEL_{signal}_EXPORTER"));
    if exporter.is_some_and(|names| !names.split(',').any(|name| name.trim() == "otlp")) {
        return false;
    }
    value("OTEL_EXPORTER_OTLP_ENDPOINT").is_some()
        || value(&format!("OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")).is_some()
}

/// Whether a signal is exported by gRPC over TLS, for which the exporter has no default roots.
fn is_grpc_over_tls(signal: Signal) -> bool {
    is_grpc_over_tls_by(signal, |name| env::var(name).ok())
}

fn is_grpc_over_tls_by(signal: Signal, variable: impl Fn(&str) -> Option<String>) -> bool {
    let signal = signal.as_str().to_ascii_uppercase();
    let of_signal = |what: &str| {
        let names =
            [format!("OTEL_EXPORTER_OTLP_{signal}_{what}"), format!("OTEL_EXPORTER_OTLP_{what}")];
        names.iter().find_map(|name| variable(name).filter(|value| !value.is_empty()))
    };
    of_signal("PROTOCOL").is_some_and(|protocol| protocol == "grpc")
        && of_signal("ENDPOINT").is_some_and(|endpoint| endpoint.starts_with("https://"))
}

/// The system's root certificates, or those of `SSL_CERT_FILE`.
fn system_roots() -> ClientTlsConfig {
    ClientTlsConfig::new().with_native_roots()
}

/// The exporter. If it cannot be built, the reason is logged, and the process starts without it.
fn exporter<E, Error: std::fmt::Display>(
    signal: Signal,
    build: impl FnOnce() -> Result<E, Error>,
) -> Option<ObservedExporter<E>> {
    if !is_exported(signal) {
        return None;
    }
    let built = build().inspect_err(|error| {
        tracing::error!(signal = signal.as_str(), error = %error, "no otlp exporter");
    });
    Some(ObservedExporter::new(signal, built.ok()?))
}

/// Exists without an exporter too, so that trace context is created and propagated.
pub(super) fn tracer_provider(resource: Resource) -> SdkTracerProvider {
    let builder = SdkTracerProvider::builder()
        .with_resource(resource)
        .with_sampler(RequestSampler::from_env());
    let exporter = exporter(Signal::Traces, || match is_grpc_over_tls(Signal::Traces) {
        true => SpanExporter::builder().with_tonic().with_tls_config(system_roots()).build(),
        false => SpanExporter::builder().build(),
    });
    match exporter {
        Some(exporter) => builder.with_batch_exporter(exporter).build(),
        None => builder.build(),
    }
}

pub(super) fn logger_provider(resource: Resource) -> Option<SdkLoggerProvider> {
    let exporter = exporter(Signal::Logs, || match is_grpc_over_tls(Signal::Logs) {
        true => LogExporter::builder().with_tonic().with_tls_config(system_roots()).build(),
        false => LogExporter::builder().build(),
    })?;
    Some(SdkLoggerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build())
}

pub(super) fn metric_exporter() -> Option<ObservedExporter<MetricExporter>> {
    exporter(Signal::Metrics, || match is_grpc_over_tls(Signal::Metrics) {
        true => MetricExporter::builder().with_tonic().with_tls_config(system_roots()).build(),
        false => MetricExporter::builder().build(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported() {
        let cases: [(&[(&str, &str)], bool); 7] = [
            (&[], false),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4317")], true),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "")], false),
            (&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://c:4317")], true),
            (&[("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://c:4317")], false),
            (
                &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"), ("OTEL_TRACES_EXPORTER", "none")],
                false,
            ),
            (&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"), ("OTEL_SDK_DISABLED", "true")], false),
        ];
        for (pairs, expected) in cases {
            let variable =
                |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned());
            assert_eq!(is_enabled_by(Signal::Traces, variable), expected, "{pairs:?}");
        }
    }

    #[test]
    fn grpc_over_tls_is_selected_by_the_signals_own_variables_first() {
        let cases: [(&[(&str, &str)], bool); 5] = [
            (&[("ENDPOINT", "https://c")], false),
            (&[("ENDPOINT", "https://c"), ("PROTOCOL", "grpc")], true),
            (&[("ENDPOINT", "http://c"), ("PROTOCOL", "grpc")], false),
            (
                &[
                    ("ENDPOINT", "https://c"),
                    ("PROTOCOL", "grpc"),
                    ("LOGS_PROTOCOL", "http/protobuf"),
                ],
                false,
            ),
            (
                &[("ENDPOINT", "http://c"), ("PROTOCOL", "grpc"), ("LOGS_ENDPOINT", "https://c")],
                true,
            ),
        ];
        for (pairs, expected) in cases {
            let variable = |name: &str| {
                let known = |pair: &&(&str, &str)| name == format!("OTEL_EXPORTER_OTLP_{}", pair.0);
                pairs.iter().find(known).map(|pair| pair.1.to_owned())
            };
            assert_eq!(is_grpc_over_tls_by(Signal::Logs, variable), expected, "{pairs:?}");
        }
    }
}
