//! Trace propagation over in-process and network hops; the span and the metric of providers' calls.
#![allow(clippy::unwrap_used, missing_docs)]
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use axum::{Router, http::StatusCode, routing::post};
use opentelemetry::trace::{SpanId, SpanKind, TracerProvider};
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{SdkTracerProvider, SpanData, SpanExporter},
};
use sahm_chassis::{
    Context, Process, ServiceName, Settings,
    lifecycle::bind,
    outbound::Outbound,
    rpc::{self, Transport},
    settings::Endpoint,
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
struct ExportedSpans(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for ExportedSpans {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(batch);
        Ok(())
    }
}

static EXPORTED: LazyLock<ExportedSpans> = LazyLock::new(|| {
    let spans = ExportedSpans::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(spans.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let filter = tracing_subscriber::filter::Targets::new()
        .with_target("sahm", tracing::Level::INFO)
        .with_target("telemetry", tracing::Level::INFO);
    tracing::subscriber::set_global_default(
        tracing_subscriber::registry().with(filter).with(layer),
    )
    .unwrap();
    spans
});

/// The spans of the tests so far.
fn exported() -> Vec<SpanData> {
    EXPORTED.0.lock().unwrap().clone()
}

struct Hop(Option<Transport>);

#[tonic::async_trait]
impl MediaService for Hop {
    async fn get_media(
        &self,
        request: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        let message = request.into_inner();
        if message.name == "slow" {
            drop(tracing::info_span!("begun"));
            std::future::pending::<()>().await;
        }
        match &self.0 {
            Some(next) => MediaServiceClient::new(next.clone()).get_media(message).await,
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
    LazyLock::force(&EXPORTED);
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
    let response = MediaServiceClient::new(first)
        .get_media(GetMediaRequest::default())
        .instrument(span.clone())
        .await;
    assert_eq!(response.unwrap().into_inner().name, trace);
    let mut out = http::HeaderMap::new();
    span.in_scope(|| telemetry::inject(&mut out));
    assert!(out["traceparent"].to_str().unwrap().contains(trace));
    drop(span);
    ctx.lifecycle.drain();
    ctx.lifecycle.wait().await;

    let mut spans = exported();
    spans.retain(|span| span.span_context.trace_id().to_string() == trace);
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
    let remote = path.iter().find(|span| attributes(span).contains_key("server.address")).unwrap();
    let port = url.rsplit_once(':').unwrap().1;
    assert_eq!(attributes(remote)["server.address"], "127.0.0.1");
    assert_eq!(attributes(remote)["server.port"], port);
    assert_eq!(remote.span_kind, SpanKind::Client);
    let root = path.last().unwrap();
    assert_eq!(root.parent_span_id, SpanId::from_hex("b7ad6b7169203331").unwrap());

    // Both sides have recorded both calls as successful.
    for side in ["server", "client"] {
        assert_eq!(call_count(side, "OK"), 2, "{side}");
    }
    for span in path.iter().filter(|span| span.name == METHOD) {
        assert_eq!(attributes(span)["rpc.response.status_code"], "OK");
        assert!(!attributes(span).contains_key("error.type"));
        assert_eq!(span.status, opentelemetry::trace::Status::Unset);
    }
}

/// How many calls of [`METHOD`] a side has recorded with a code.
fn call_count(side: &str, code: &str) -> u64 {
    let count = format!("rpc_{side}_call_duration_seconds_count{{");
    let code = format!("rpc_response_status_code=\"{code}\"");
    let metrics = telemetry::prometheus_text();
    let is_recorded =
        |line: &&str| line.starts_with(&count) && line.contains(METHOD) && line.contains(&code);
    let line = metrics.lines().find(is_recorded);
    line.map_or(0, |line| line.rsplit_once(' ').unwrap().1.parse().unwrap())
}

#[tokio::test]
async fn call_that_its_caller_drops_is_recorded_as_cancelled_on_both_sides() {
    LazyLock::force(&EXPORTED);
    let ctx = Context::new(Settings::from_pairs(Process::Site, []).unwrap());
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = MediaServiceServer::new(Hop(None));
    rpc::serve(listener, rpc::Builder::new(ServiceName::Content, &ctx).add(server).build(), &ctx);
    let mut client = MediaServiceClient::new(Transport::connect(&url, &ctx));
    let request = tracing::info_span!("dropped request");
    let trace = request.in_scope(telemetry::trace_id);
    let slow = client.get_media(GetMediaRequest { name: "slow".to_owned() });
    // The caller waits until the server has begun the call.
    let begun = async {
        let served = |span: &SpanData| span.name == "begun";
        while !exported().iter().any(served) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        response = slow.instrument(request) => panic!("{response:?}"),
        () = begun => {}
    }
    let recorded = async {
        while call_count("client", "CANCELLED") + call_count("server", "CANCELLED") < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), recorded).await.unwrap();
    assert_eq!(call_count("client", "CANCELLED"), 1);
    let is_of_call =
        |span: &&SpanData| span.name == METHOD && span.span_context.trace_id().to_string() == trace;
    let spans = exported();
    let span = |kind| spans.iter().filter(is_of_call).find(|span| span.span_kind == kind).unwrap();
    let (client, server) = (span(SpanKind::Client), span(SpanKind::Server));
    for span in [client, server] {
        assert_eq!(attributes(span)["rpc.response.status_code"], "CANCELLED");
    }
    // The server does not count the decision of its caller as an error.
    assert_eq!(attributes(client)["error.type"], "CANCELLED");
    assert_ne!(client.status, opentelemetry::trace::Status::Unset);
    assert!(!attributes(server).contains_key("error.type"));
    assert_eq!(server.status, opentelemetry::trace::Status::Unset);
}

#[test]
fn span_is_linked_to_the_trace_of_its_request_and_renamed() {
    LazyLock::force(&EXPORTED);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let headers = http::HeaderMap::from_iter([(
        http::HeaderName::from_static("traceparent"),
        format!("00-{trace}-00f067aa0ba902b7-01").parse().unwrap(),
    )]);
    let span = tracing::info_span!("unrouted");
    telemetry::link(&span, &headers);
    telemetry::rename(&span, "GET /news/{id}".to_owned());
    drop(span);
    let spans = exported();
    let span = spans.iter().find(|span| span.name == "GET /news/{id}").unwrap();
    let links: Vec<_> = span.links.iter().map(|link| &link.span_context).collect();
    let [link] = links[..] else { panic!("{span:?}") };
    assert_eq!((link.trace_id().to_string().as_str(), link.is_remote()), (trace, true));
    assert_ne!(span.span_context.trace_id(), link.trace_id(), "the trace is not continued");
}

fn attributes(span: &SpanData) -> BTreeMap<String, String> {
    let pair = |pair: &opentelemetry::KeyValue| (pair.key.to_string(), pair.value.to_string());
    span.attributes.iter().map(pair).collect()
}

/// A provider that responds with the status in its path; `/hang` notifies `called` and never responds.
async fn provider(called: Arc<tokio::sync::Notify>) -> String {
    let hang = async move || {
        called.notify_one();
        std::future::pending::<()>().await;
    };
    let router = Router::new()
        .route("/v1/200", post(|| async { "{}" }))
        .route("/v1/422", post(|| async { StatusCode::UNPROCESSABLE_ENTITY }))
        .route("/v1/503", post(|| async { StatusCode::SERVICE_UNAVAILABLE }))
        .route("/v1/hang", post(hang));
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

#[tokio::test]
async fn provider_calls_have_a_span_and_a_metric_that_say_how_they_ended() {
    LazyLock::force(&EXPORTED);
    let called = Arc::new(tokio::sync::Notify::new());
    let responding = provider(called.clone()).await;
    let closed = format!("127.0.0.1:{}", sahm_testkit::free_port().unwrap());
    struct Case<'a> {
        provider: &'static str,
        address: &'a str,
        path: &'static str,
        timeout: Duration,
        is_cancelled: bool,
        status: Option<&'static str>,
        error: Option<&'static str>,
    }
    let usual = Case {
        provider: "",
        address: &responding,
        path: "/v1/hang",
        timeout: Duration::from_secs(5),
        is_cancelled: false,
        status: None,
        error: None,
    };
    let (ok, refused) = (Some("200"), Some("422"));
    let broken = Some("503");
    for Case { provider, address, path, timeout, is_cancelled, status, error } in [
        Case { provider: "good", path: "/v1/200", status: ok, ..usual },
        Case { provider: "refuses", path: "/v1/422", status: refused, error: refused, ..usual },
        Case { provider: "broken", path: "/v1/503", status: broken, error: broken, ..usual },
        Case { provider: "away", address: &closed, error: Some("connect"), ..usual },
        Case { provider: "dropped", is_cancelled: true, error: Some("cancelled"), ..usual },
        Case {
            provider: "hangs",
            timeout: Duration::from_millis(100),
            error: Some("timeout"),
            ..usual
        },
    ] {
        let outbound = Outbound::new(provider, timeout).unwrap();
        let endpoint = Endpoint {
            url: format!("http://{address}{path}?key=hidden-key"),
            token: Some(sahm_chassis::settings::Secret::new("hidden-token".to_owned())),
        };
        let body = serde_json::json!({ "to": "+966500000001" });
        let call = outbound.post_json(&endpoint, &body);
        match is_cancelled {
            true => tokio::select! {
                response = call => panic!("{response:?}"),
                () = called.notified() => {}
            },
            false => assert_eq!(call.await.is_ok(), status.is_some(), "{provider}"),
        }

        let is_of_provider = |span: &SpanData| {
            attributes(span).get("service.peer.name").is_some_and(|name| name == provider)
        };
        let spans: Vec<_> = exported().into_iter().filter(is_of_provider).collect();
        let [span] = &spans[..] else { panic!("{spans:?}") };
        assert_eq!((&*span.name, &span.span_kind), (&*format!("POST {path}"), &SpanKind::Client));
        let (host, port) = address.rsplit_once(':').unwrap();
        let url = format!("http://{address}{path}");
        let mut expected = BTreeMap::from([
            ("http.request.method", "POST"),
            ("server.address", host),
            ("server.port", port),
            ("service.peer.name", provider),
            ("url.full", &url),
            ("url.template", path),
        ]);
        expected.extend(status.map(|status| ("http.response.status_code", status)));
        expected.extend(error.map(|error| ("error.type", error)));
        let mut found = attributes(span);
        found.retain(|name, _| !name.starts_with("code.") && !name.starts_with("thread."));
        found.retain(|name, _| !["target", "busy_ns", "idle_ns"].contains(&&**name));
        let found: BTreeMap<_, _> = found.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(found, expected, "{provider}");
        assert_eq!(span.status == opentelemetry::trace::Status::Unset, error.is_none());

        let metrics = telemetry::prometheus_text();
        let is_count = |line: &&str| {
            line.starts_with("http_client_request_duration_seconds_count{")
                && line.contains(&format!("service_peer_name=\"{provider}\""))
        };
        let counts: Vec<_> = metrics.lines().filter(is_count).collect();
        let [count] = counts[..] else { panic!("{counts:?}") };
        assert!(count.ends_with(" 1"), "{count}");
        let label = error.map(|error| format!("error_type=\"{error}\""));
        assert_eq!(count.contains("error_type"), label.is_some(), "{count}");
        assert!(label.is_none_or(|label| count.contains(&label)), "{count}");
        for hidden in ["hidden", "966500000001"] {
            assert!(!format!("{span:?}{metrics}").contains(hidden), "{hidden}");
        }
    }
}
