//! Decides which traces are recorded (docs/telemetry.md#traces).
use opentelemetry::{
    Context, KeyValue,
    trace::{Link, SpanKind, TraceContextExt, TraceId, TraceState},
};
use opentelemetry_sdk::trace::{Config, SamplingDecision, SamplingResult, ShouldSample};

/// Records only traces that begin with a request. A call without a parent is made by a background
/// task, for instance by the poll of quotes, which would begin a trace every second. Its metrics and
/// the log line of its failure suffice.
#[derive(Clone, Debug)]
pub(super) struct RequestSampler {
    /// Decides on all other spans.
    inner: Box<dyn ShouldSample>,
}

impl RequestSampler {
    /// Follows `OTEL_TRACES_SAMPLER`.
    pub(super) fn from_env() -> RequestSampler {
        RequestSampler { inner: Config::default().sampler }
    }
}

impl ShouldSample for RequestSampler {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace_id: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let is_root = parent.is_none_or(|parent| !parent.span().span_context().is_valid());
        if is_root && *kind == SpanKind::Client {
            return SamplingResult {
                decision: SamplingDecision::Drop,
                attributes: Vec::new(),
                trace_state: TraceState::default(),
            };
        }
        self.inner.should_sample(parent, trace_id, name, kind, attributes, links)
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanContext, SpanId, TraceFlags};
    use opentelemetry_sdk::trace::Sampler;

    use super::*;

    fn parent(flags: TraceFlags) -> Context {
        let (trace, span) = (TraceId::from(1), SpanId::from(2));
        let parent = SpanContext::new(trace, span, flags, true, TraceState::default());
        Context::new().with_remote_span_context(parent)
    }

    #[test]
    fn root_client_spans_are_dropped_and_others_left_to_the_inner_sampler() {
        struct Case {
            parent: Option<Context>,
            kind: SpanKind,
            is_sampled: bool,
        }
        let (sampled, unsampled) = (parent(TraceFlags::SAMPLED), parent(TraceFlags::default()));
        let cases = [
            Case { parent: None, kind: SpanKind::Client, is_sampled: false },
            Case { parent: Some(Context::new()), kind: SpanKind::Client, is_sampled: false },
            Case { parent: None, kind: SpanKind::Server, is_sampled: true },
            Case { parent: Some(sampled.clone()), kind: SpanKind::Client, is_sampled: true },
            Case { parent: Some(sampled), kind: SpanKind::Server, is_sampled: true },
            Case { parent: Some(unsampled), kind: SpanKind::Client, is_sampled: false },
        ];
        let inner = Sampler::ParentBased(Box::new(Sampler::AlwaysOn));
        let sampler = RequestSampler { inner: Box::new(inner) };
        for Case { parent, kind, is_sampled } in cases {
            let found =
                sampler.should_sample(parent.as_ref(), TraceId::from(1), "", &kind, &[], &[]);
            let is_found = found.decision == SamplingDecision::RecordAndSample;
            assert_eq!(is_found, is_sampled, "{kind:?} {parent:?}");
        }
    }
}
