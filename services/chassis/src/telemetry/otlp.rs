//! Providers with OTLP exporters where the standard `OTEL_*` variables ask for them.
use std::env;

use opentelemetry::KeyValue;
use opentelemetry_otlp::{
    LogExporter, MetricExporter, SpanExporter, WithTonicConfig,
    tonic_types::transport::ClientTlsConfig,
};
use opentelemetry_sdk::{Resource, logs::SdkLoggerProvider, trace::SdkTracerProvider};

use super::VERSION;
use crate::settings::{Process, Settings};

/// Who speaks. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win.
pub(super) fn resource(process: Process, settings: &Settings) -> Resource {
    let builder = Resource::builder().with_attributes([
        KeyValue::new("service.namespace", "sahm"),
        KeyValue::new("service.version", VERSION),
        KeyValue::new("deployment.environment.name", settings.environment.as_str()),
    ]);
    match env::var_os("OTEL_SERVICE_NAME") {
        Some(_) => builder.build(),
        None => builder.with_service_name(format!("sahm-{}", process.as_str())).build(),
    }
}

/// Whether a signal (`TRACES`, `METRICS`, `LOGS`) is to be exported.
fn is_asked_for(signal: &str) -> bool {
    is_asked_for_by(signal, |name| env::var(name).ok())
}

/// Whether spans go anywhere.
pub(super) fn exports_traces() -> bool {
    is_asked_for("TRACES")
}

fn is_asked_for_by(signal: &str, variable: impl Fn(&str) -> Option<String>) -> bool {
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

/// Whether a signal goes by gRPC over TLS, for which the exporter itself trusts nobody.
fn is_grpc_over_tls(signal: &str) -> bool {
    is_grpc_over_tls_by(signal, |name| env::var(name).ok())
}

fn is_grpc_over_tls_by(signal: &str, variable: impl Fn(&str) -> Option<String>) -> bool {
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

/// The exporter, or a line that says why there is none: telemetry never stops a start.
fn exporter<E, Error: std::fmt::Display>(
    signal: &str,
    build: impl FnOnce() -> Result<E, Error>,
) -> Option<E> {
    if !is_asked_for(signal) {
        return None;
    }
    build().inspect_err(|error| tracing::error!(signal, error = %error, "no otlp exporter")).ok()
}

/// Always there, so that context is made and travels; sampling by `OTEL_TRACES_SAMPLER`.
pub(super) fn tracer_provider(resource: Resource) -> SdkTracerProvider {
    let builder = SdkTracerProvider::builder().with_resource(resource);
    let exporter = exporter("TRACES", || match is_grpc_over_tls("TRACES") {
        true => SpanExporter::builder().with_tonic().with_tls_config(system_roots()).build(),
        false => SpanExporter::builder().build(),
    });
    match exporter {
        Some(exporter) => builder.with_batch_exporter(exporter).build(),
        None => builder.build(),
    }
}

pub(super) fn logger_provider(resource: Resource) -> Option<SdkLoggerProvider> {
    let exporter = exporter("LOGS", || match is_grpc_over_tls("LOGS") {
        true => LogExporter::builder().with_tonic().with_tls_config(system_roots()).build(),
        false => LogExporter::builder().build(),
    })?;
    Some(SdkLoggerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build())
}

pub(super) fn metric_exporter() -> Option<MetricExporter> {
    exporter("METRICS", || match is_grpc_over_tls("METRICS") {
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
        for (pairs, asked) in cases {
            let variable =
                |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned());
            assert_eq!(is_asked_for_by("TRACES", variable), asked, "{pairs:?}");
        }
    }

    #[test]
    fn grpc_over_tls_is_told_by_the_signals_own_variables_first() {
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
            assert_eq!(is_grpc_over_tls_by("LOGS", variable), expected, "{pairs:?}");
        }
    }
}
