//! Telemetry: traces, metrics and logs.
//!
//! Metrics are always available as Prometheus text on the admin address. Traces, metrics and logs
//! are also exported over OTLP if the standard `OTEL_EXPORTER_OTLP_ENDPOINT` or the signal's own is
//! set, by `grpc` or `http/protobuf` according to `OTEL_EXPORTER_OTLP_PROTOCOL`; `SAHM_OTLP_LOGS`
//! selects the exported log lines. Context propagates as W3C `traceparent`, with or without an
//! exporter.
mod database;
mod export_failures;
mod instruments;
mod log_level;
mod log_writer;
mod metrics;
mod otlp;
mod propagation;
mod request;
mod sampler;

use std::{io::IsTerminal, sync::OnceLock};

use opentelemetry::{InstrumentationScope, trace::TracerProvider as _};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_sdk::{
    logs::SdkLoggerProvider,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{
    Layer,
    filter::{FilterExt, Targets, filter_fn},
    fmt::time::ChronoLocal,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::settings::{Process, Settings};
use export_failures::Signal;
use log_writer::LogWriter;

pub use database::DatabaseCall;
pub use instruments::{Observed, SECONDS, counter, seconds, seconds_by};
pub use log_level::AUDIT_TARGET;
pub(crate) use log_level::{LogLevel, installed_log_level};
pub use metrics::prometheus_text;
pub use propagation::{extract, inject, link, rename, set_parent, trace_id};
pub(crate) use request::RPC;
pub use request::{RequestLog, request_log};

/// The workspace's version and, if the build knows it, the commit: `0.1.0+7791185`. Shown by
/// `--version`, the log, OTLP (`service.version`) and the metric `build_info`.
pub const VERSION: &str = env!("SAHM_VERSION");

static EXPORT_TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// The tracer for spans without a `tracing` span; `None` unless traces are exported.
fn exported_tracer() -> Option<&'static SdkTracer> {
    EXPORT_TRACER.get()
}

/// Keeps telemetry running; flush it before the process ends.
#[must_use = "telemetry that is not flushed is lost"]
#[derive(Debug)]
pub struct Guard {
    tracer: SdkTracerProvider,
    logger: Option<SdkLoggerProvider>,
    log_writer: LogWriter,
}

/// Starts telemetry for this process; call it inside a runtime. A second call in one process, as in
/// tests, keeps the log of the first.
pub fn init(process: Process, settings: &Settings) -> Guard {
    let resource = otlp::resource(process, settings);
    metrics::init(resource.clone(), otlp::metric_exporter());
    export_failures::register_metrics(otlp::is_exported);
    let tracer = otlp::tracer_provider(resource.clone());
    let logger = otlp::logger_provider(resource);
    let own = tracer.tracer_with_scope(InstrumentationScope::builder("sahm").build());
    if otlp::is_exported(Signal::Traces) {
        // A second call in one process keeps the first tracer.
        let _ = EXPORT_TRACER.set(own.clone());
    }

    let (log_level, logged) = LogLevel::from_env();
    // Colours are written to a terminal only, and not if `NO_COLOR` is set.
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let (log_writer, lines) = LogWriter::start();
    let format = tracing_subscriber::fmt::layer().with_writer(lines).with_ansi(colours);
    let format = match settings.environment.is_dev() {
        true => format.compact().with_timer(ChronoLocal::new("%T%.3f".to_owned())).boxed(),
        false => format.json().flatten_event(true).with_current_span(false).boxed(),
    };
    // Without a level hint, `and` would drop the hint of `logged`, and trace-level spans of other
    // crates would be created.
    let no_sdk_report =
        filter_fn(export_failures::is_no_sdk_report).with_max_level_hint(LevelFilter::TRACE);
    let spans = tracing_opentelemetry::layer()
        .with_tracer(own)
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        // The log line of a request would only repeat its span.
        .with_filter(ours().with_target(request::TARGET, LevelFilter::OFF));
    let sent = ours().and(settings.otlp_logs.clone());
    let bridge =
        logger.as_ref().map(|logger| OpenTelemetryTracingBridge::new(logger).with_filter(sent));
    let installed = tracing_subscriber::registry()
        .with(format.with_filter(logged.and(no_sdk_report)))
        .with(spans)
        .with(bridge)
        .try_init();
    match installed {
        Ok(()) => {
            log_level.install();
            log_writer.register_metrics();
        }
        Err(_) => tracing::debug!("telemetry was started before"),
    }
    Guard { tracer, logger, log_writer }
}

/// Only the workspace's targets: exporting the exporter's own events would never end.
fn ours() -> Targets {
    Targets::new().with_target("sahm", LevelFilter::INFO)
}

impl Guard {
    /// Exports and writes pending telemetry, and stops. May block for some seconds: call it outside
    /// the runtime.
    pub fn flush(self) {
        // Without an exporter there is nothing to send; a failed export cannot be reported any
        // more.
        let _ = self.tracer.shutdown();
        if let Some(logger) = &self.logger {
            let _ = logger.shutdown();
        }
        metrics::flush();
        drop(self.log_writer);
    }
}
