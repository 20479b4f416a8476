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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{
        collections::BTreeMap,
        mem::take,
        sync::{Arc, Mutex},
    };

    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::{
        error::OTelSdkResult,
        trace::{SdkTracerProvider, SpanData, SpanExporter},
    };
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;
    use crate::telemetry::EXPORT_TRACER;

    #[derive(Clone, Debug, Default)]
    struct ExportedSpans(Arc<Mutex<Vec<SpanData>>>);

    impl SpanExporter for ExportedSpans {
        async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
            self.0.lock().unwrap().extend(batch);
            Ok(())
        }
    }

    #[test]
    fn call_in_a_sampled_trace_has_a_client_span() {
        let exporter = ExportedSpans::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
        EXPORT_TRACER.set(provider.tracer("test")).unwrap();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        let _installed =
            tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        let query = DatabaseCall {
            system: "postgresql",
            namespace: "content",
            operation: "SELECT",
            collection: Some("entry"),
            stored_procedure: None,
            error: None,
            elapsed: Duration::from_secs(5),
        };
        let script = DatabaseCall {
            system: "redis",
            namespace: "0",
            operation: "EVALSHA",
            collection: None,
            stored_procedure: Some("renew_lease"),
            error: Some("timeout"),
            ..query
        };
        let ping = DatabaseCall {
            system: "redis",
            namespace: "0",
            operation: "PING",
            collection: None,
            ..query
        };
        struct Case<'a> {
            call: DatabaseCall<'a>,
            name: &'static str,
            attributes: &'static [(&'static str, &'static str)],
        }
        let cases = [
            Case {
                call: query,
                name: "SELECT entry",
                attributes: &[
                    ("db.collection.name", "entry"),
                    ("db.namespace", "content"),
                    ("db.operation.name", "SELECT"),
                    ("db.query.summary", "SELECT entry"),
                    ("db.system.name", "postgresql"),
                ],
            },
            Case {
                call: script,
                name: "EVALSHA renew_lease",
                attributes: &[
                    ("db.namespace", "0"),
                    ("db.operation.name", "EVALSHA"),
                    ("db.query.summary", "EVALSHA renew_lease"),
                    ("db.stored_procedure.name", "renew_lease"),
                    ("db.system.name", "redis"),
                    ("error.type", "timeout"),
                ],
            },
            Case {
                call: ping,
                name: "PING",
                attributes: &[
                    ("db.namespace", "0"),
                    ("db.operation.name", "PING"),
                    ("db.query.summary", "PING"),
                    ("db.system.name", "redis"),
                ],
            },
        ];
        for Case { call, name, attributes } in cases {
            // Outside a trace there is no span.
            call.record();
            assert_eq!(*exporter.0.lock().unwrap(), [], "{name}");
            tracing::info_span!("request").in_scope(|| call.record());
            let spans = take(&mut *exporter.0.lock().unwrap());
            let [span, request] = &spans[..] else { panic!("{spans:?}") };
            assert_eq!((&*span.name, &span.span_kind), (name, &SpanKind::Client));
            assert_eq!(span.parent_span_id, request.span_context.span_id());
            let pairs = span.attributes.iter();
            let found: BTreeMap<_, _> =
                pairs.map(|pair| (pair.key.as_str(), pair.value.to_string())).collect();
            let expected = attributes.iter().map(|(key, value)| (*key, (*value).to_owned()));
            assert_eq!(found, expected.collect());
            assert_eq!(span.end_time.duration_since(span.start_time).unwrap(), call.elapsed);
            let status = if call.error.is_some() { Status::error("") } else { Status::Unset };
            assert_eq!(span.status, status);
        }
    }
}
