//! Trace propagation over in-process and network hops.
#![allow(clippy::unwrap_used, missing_docs)]
use std::sync::{Arc, Mutex};

use opentelemetry::trace::{SpanId, SpanKind, TracerProvider};
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{SdkTracerProvider, SpanData, SpanExporter},
};
use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    lifecycle::bind,
    rpc::{self, Transport},
    telemetry,
};
use sahm_proto::content::v1::{
    GetMediaRequest, GetMediaResponse,
    media_service_client::MediaServiceClient,
    media_service_server::{MediaService, MediaServiceServer},
};
use tonic::{Request, Response, Status};
use tracing::Instrument;
use tracing_subscriber::layer::SubscriberExt;

#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(batch);
        Ok(())
    }
}

struct Hop(Option<Transport>);

#[tonic::async_trait]
impl MediaService for Hop {
    async fn get_media(
        &self,
        request: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        match &self.0 {
            Some(next) => {
                MediaServiceClient::new(next.clone()).get_media(request.into_inner()).await
            }
            None => Ok(Response::new(GetMediaResponse {
                name: telemetry::trace_id(),
                ..GetMediaResponse::default()
            })),
        }
    }
}

const METHOD: &str = "sahm.content.v1.MediaService/GetMedia";

#[tokio::test]
async fn trace_spans_two_hops() {
    let kept = Kept::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(kept.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let filter = tracing_subscriber::filter::Targets::new()
        .with_target("sahm", tracing::Level::INFO)
        .with_target("telemetry", tracing::Level::INFO);
    tracing::subscriber::set_global_default(
        tracing_subscriber::registry().with(filter).with(layer),
    )
    .unwrap();

    let ctx = Context::new(Settings::from_pairs(Process::Site, []).unwrap());
    let build = |next| {
        let server = MediaServiceServer::new(Hop(next));
        rpc::Builder::new(ServiceName::Content, &ctx).add(server).build()
    };
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    rpc::serve(listener, build(None), &ctx);
    let first = Transport::local(build(Some(Transport::connect(&url, &ctx))).routes);

    // The headers of a request from outside.
    let mut headers = http::HeaderMap::new();
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    headers.insert("traceparent", parent.parse().unwrap());
    let span = tracing::info_span!("request");
    telemetry::set_parent(&span, &headers);
    let answer = MediaServiceClient::new(first)
        .get_media(GetMediaRequest::default())
        .instrument(span.clone())
        .await;
    assert_eq!(answer.unwrap().into_inner().name, trace);
    let mut out = http::HeaderMap::new();
    span.in_scope(|| telemetry::inject(&mut out));
    assert!(out["traceparent"].to_str().unwrap().contains(trace));
    drop(span);
    ctx.lifecycle.drain();
    ctx.lifecycle.wait().await;
    provider.force_flush().unwrap();

    let spans = kept.0.lock().unwrap().clone();
    for span in &spans {
        assert_eq!(span.span_context.trace_id().to_string(), trace, "{}", span.name);
    }
    // From the innermost call to the outermost.
    let parent_of =
        |span: &SpanData| spans.iter().find(|s| s.span_context.span_id() == span.parent_span_id);
    let is_parent = |span: &SpanData| {
        spans.iter().any(|other| other.parent_span_id == span.span_context.span_id())
    };
    let innermost = spans.iter().find(|s| s.name == METHOD && !is_parent(s)).unwrap();
    let path = std::iter::successors(Some(innermost), |span| parent_of(span)).collect::<Vec<_>>();
    let names_and_kinds =
        path.iter().map(|span| (&*span.name, span.span_kind.clone())).collect::<Vec<_>>();
    assert_eq!(
        names_and_kinds,
        [
            (METHOD, SpanKind::Server),
            (METHOD, SpanKind::Client),
            (METHOD, SpanKind::Server),
            (METHOD, SpanKind::Client),
            ("request", SpanKind::Internal),
        ]
    );
    let root = path.last().unwrap();
    assert_eq!(root.parent_span_id, SpanId::from_hex("b7ad6b7169203331").unwrap());

    // Both sides have recorded both calls as successful.
    let metrics = telemetry::prometheus_text();
    for side in ["server", "client"] {
        let count = format!("rpc_{side}_duration_seconds_count{{");
        let is_told = |line: &&str| {
            line.starts_with(&count) && line.contains(METHOD) && line.contains("code=\"0\"")
        };
        let line = metrics.lines().find(is_told).unwrap();
        assert!(line.ends_with(" 2"), "{line}");
    }
}
