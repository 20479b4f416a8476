//! W3C trace context in and out of HTTP headers.
use std::sync::LazyLock;

use http::HeaderMap;
use opentelemetry::{Context, propagation::TextMapPropagator, trace::TraceContextExt};
use opentelemetry_http::{HeaderExtractor, HeaderInjector};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

static PROPAGATOR: LazyLock<TraceContextPropagator> = LazyLock::new(TraceContextPropagator::new);

/// The trace context in a request's headers; empty if there is none.
pub fn extract(headers: &HeaderMap) -> Context {
    if !headers.contains_key("traceparent") {
        return Context::new();
    }
    PROPAGATOR.extract_with_context(&Context::new(), &HeaderExtractor(headers))
}

/// Makes the span a child of the request's trace context.
pub fn set_parent(span: &Span, headers: &HeaderMap) {
    let parent = extract(headers);
    if parent.span().span_context().is_valid() {
        // Fails only if no trace layer is installed.
        let _ = span.set_parent(parent);
    }
}

/// Links the span to the request's trace context, without continuing its trace or sampling
/// decision.
pub fn link(span: &Span, headers: &HeaderMap) {
    let remote = extract(headers).span().span_context().clone();
    if remote.is_valid() {
        span.add_link(remote);
    }
}

/// Renames the span, for a name that is known only after its start.
pub fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

/// Writes the current span's trace context into outgoing headers.
pub fn inject(headers: &mut HeaderMap) {
    let context = Span::current().context();
    PROPAGATOR.inject_context(&context, &mut HeaderInjector(headers));
}

/// The current trace's id, 32 hex digits; empty outside a trace.
pub fn trace_id() -> String {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    if span.is_valid() { span.trace_id().to_string() } else { String::new() }
}
