//! A collector of traces over OTLP/HTTP, as protobuf or JSON.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Bytes, extract::State, routing::post};
use http::{HeaderMap, StatusCode, header};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{AnyValue, KeyValue, any_value::Value as Any},
};
use prost::Message;
use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

/// A received span.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// `service.name` of the sender.
    pub(crate) service: String,
    pub(crate) trace: String,
    pub(crate) id: String,
    /// Empty for a root.
    pub(crate) parent: String,
    pub(crate) name: String,
    /// `SpanKind` of the protocol: 1 internal, 2 server, 3 client.
    pub(crate) kind: i64,
    pub(crate) attributes: BTreeMap<String, String>,
    /// Events of the span, as text.
    pub(crate) events: Vec<String>,
    /// Epoch nanoseconds.
    pub(crate) times: [u64; 2],
}

/// A collector, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
    _task: AbortOnDropHandle<()>,
}

type ReceivedSpans = Arc<Mutex<Vec<Span>>>;

impl Collector {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let spans = ReceivedSpans::default();
        let router = Router::new().route("/v1/traces", post(receive)).with_state(spans.clone());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, spans, _task: AbortOnDropHandle::new(task) }
    }

    /// All spans so far.
    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap().clone()
    }

    /// The spans of a trace so far.
    pub(crate) fn trace(&self, id: &str) -> Vec<Span> {
        let spans = self.spans.lock().unwrap();
        spans.iter().filter(|span| span.trace == id).cloned().collect()
    }
}

async fn receive(
    State(received): State<ReceivedSpans>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|it| it == "application/json");
    let spans = if is_json { of_json(&body) } else { of_protobuf(&body) };
    received.lock().unwrap().extend(spans);
    StatusCode::OK
}

fn of_protobuf(body: &Bytes) -> Vec<Span> {
    let sent = ExportTraceServiceRequest::decode(body.clone()).unwrap();
    let mut spans = Vec::new();
    for resource in sent.resource_spans {
        let of = attributes(&resource.resource.unwrap_or_default().attributes);
        for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            spans.push(Span {
                service: of["service.name"].clone(),
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                kind: span.kind.into(),
                attributes: attributes(&span.attributes),
                events: span.events.iter().map(|it| format!("{it:?}")).collect(),
                times: [span.start_time_unix_nano, span.end_time_unix_nano],
                name: span.name,
            });
        }
    }
    spans
}

fn attributes(pairs: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &Option<AnyValue>| match value.as_ref().and_then(|it| it.value.as_ref()) {
        Some(Any::StringValue(text)) => text.clone(),
        Some(Any::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    pairs.iter().map(|pair| (pair.key.clone(), text(&pair.value))).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_json(body: &Bytes) -> Vec<Span> {
    let sent: Value = serde_json::from_slice(body).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let attributes = |of: &Value| -> BTreeMap<String, String> {
        let value = |it: &Value| {
            let any = &it["value"];
            text(if any["intValue"].is_null() { &any["stringValue"] } else { &any["intValue"] })
        };
        items(&of["attributes"]).map(|it| (text(&it["key"]), value(it))).collect()
    };
    let time = |value: &Value| text(value).parse().unwrap();
    let mut spans = Vec::new();
    for resource in items(&sent["resourceSpans"]) {
        let of = attributes(&resource["resource"]);
        for span in items(&resource["scopeSpans"]).flat_map(|scope| items(&scope["spans"])) {
            spans.push(Span {
                service: of["service.name"].clone(),
                trace: text(&span["traceId"]),
                id: text(&span["spanId"]),
                parent: text(&span["parentSpanId"]),
                name: text(&span["name"]),
                kind: span["kind"].as_i64().unwrap(),
                attributes: attributes(span),
                events: items(&span["events"]).map(Value::to_string).collect(),
                times: [time(&span["startTimeUnixNano"]), time(&span["endTimeUnixNano"])],
            });
        }
    }
    spans
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}
