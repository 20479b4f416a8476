//! The metric and the span of a database call, following OpenTelemetry's semantic conventions for
//! databases. Neither contains values, keys or the text of a statement.
use std::{
    sync::LazyLock,
    time::{Duration, SystemTime},
};

use opentelemetry::{
    KeyValue,
    metrics::Histogram,
    trace::{Span as _, SpanKind, Status, TraceContextExt, Tracer},
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{exported_tracer, seconds};

static DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    seconds("db.client.operation.duration", "Calls of databases and Redis, by operation")
});

/// A completed database call.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseCall<'a> {
    /// `db.system.name`
    pub system: &'static str,
    /// `db.namespace`: the service that owns the database; in Redis the index of the database.
    pub namespace: &'a str,
    /// `db.operation.name`
    pub operation: &'static str,
    /// `db.collection.name`: the table; in spans only, because tables times operations would be too
    /// many time series.
    pub collection: Option<&'a str>,
    /// `db.stored_procedure.name`: the script.
    pub stored_procedure: Option<&'static str>,
    /// `error.type` of a call that failed.
    pub error: Option<&'static str>,
    /// How long the call took.
    pub elapsed: Duration,
}

impl DatabaseCall<'_> {
    /// Records the metric and, in a sampled trace that is exported, a span.
    pub fn record(&self) {
        let labels = self.labels();
        DURATION.record(self.elapsed.as_secs_f64(), &labels);
        self.trace(labels);
    }

    /// The attributes of the metric, which the span has too.
    fn labels(&self) -> Vec<KeyValue> {
        let mut labels = vec![
            KeyValue::new("db.system.name", self.system),
            KeyValue::new("db.namespace", self.namespace.to_owned()),
            KeyValue::new("db.operation.name", self.operation),
        ];
        let script = self.stored_procedure;
        labels.extend(script.map(|name| KeyValue::new("db.stored_procedure.name", name)));
        labels.extend(self.error.map(|kind| KeyValue::new("error.type", kind)));
        labels
    }

    fn trace(&self, mut attributes: Vec<KeyValue>) {
        let Some(tracer) = exported_tracer() else { return };
        let context = Span::current().context();
        // Background tasks start no traces.
        if !context.span().span_context().is_sampled() {
            return;
        }
        let summary = match self.collection.or(self.stored_procedure) {
            Some(target) => format!("{} {target}", self.operation),
            None => self.operation.to_owned(),
        };
        attributes.push(KeyValue::new("db.query.summary", summary.clone()));
        let table = self.collection;
        attributes.extend(table.map(|it| KeyValue::new("db.collection.name", it.to_owned())));
        #[expect(clippy::disallowed_methods, reason = "spans use the machine's clock")]
        let now = SystemTime::now();
        let mut span = tracer
            .span_builder(summary)
            .with_kind(SpanKind::Client)
            .with_start_time(now - self.elapsed)
            .with_attributes(attributes)
            .start_with_context(tracer, &context);
        if self.error.is_some() {
            span.set_status(Status::error(""));
        }
        span.end_with_timestamp(now);
    }
}
