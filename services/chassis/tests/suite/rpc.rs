//! Calls over both transports: deadlines, retries, drain, errors, compression and reflection.
mod balancing;

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt};
use sahm_chassis::{
    Context, Error, ErrorCode, Process, ServiceName, Settings,
    lifecycle::bind,
    rpc::{self, Policy, Resolve, Transport, deadline, with_deadline},
};
use sahm_proto::{
    changes::v1::{
        PurgeTagsRequest, PurgeTagsResponse, WatchChangesRequest, WatchChangesResponse,
        change_log_service_client::ChangeLogServiceClient,
        change_log_service_server::{ChangeLogService, ChangeLogServiceServer},
    },
    content::v1::{
        GetMediaRequest, GetMediaResponse,
        media_service_client::MediaServiceClient,
        media_service_server::{MediaService, MediaServiceServer},
    },
};
use tokio::sync::Notify;
use tonic::{Code, Request, Response, Status, codec::CompressionEncoding};
use tonic_types::StatusExt;
use tower::ServiceExt;

use crate::log::CapturedLog;

/// A service whose behaviour depends on the requested name.
#[derive(Clone, Default)]
struct Probe {
    name: &'static str,
    next: Option<Transport>,
    calls: Arc<AtomicUsize>,
    failures: Arc<AtomicUsize>,
    /// Makes each open stream send one more message.
    next_change: Arc<Notify>,
}

impl Probe {
    fn fail(&self) -> Result<(), Status> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let left = |n: usize| n.checked_sub(1);
        match self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left) {
            Ok(_) => Err(Error::unavailable("table news is locked").into()),
            Err(_) => Ok(()),
        }
    }
}

#[tonic::async_trait]
impl MediaService for Probe {
    async fn get_media(
        &self,
        request: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        self.fail()?;
        let peer = request.remote_addr().map(|address| address.to_string());
        let message = request.into_inner();
        match &*message.name {
            "peer" => {
                let name = peer.unwrap_or_default();
                return Ok(Response::new(GetMediaResponse { name, ..Default::default() }));
            }
            "raw status" => return Err(Status::internal("relation media on 10.0.0.7")),
            "slow" => std::future::pending::<()>().await,
            "panic" => panic!("password=hidden"),
            "formatted panic" => panic!("no row of {}", message.name),
            "broken" => return Err(Error::internal("password=hidden").into()),
            "missing" => return Err(Error::of(ErrorCode::ArticleNotFound).into()),
            _ => {}
        }
        if let Some(next) = &self.next {
            return MediaServiceClient::new(next.clone()).get_media(message).await;
        }
        let left = deadline().map(|deadline| deadline - tokio::time::Instant::now());
        let content_type = left.map_or("none".to_owned(), |left| left.as_millis().to_string());
        let body = Vec::new();
        Ok(Response::new(GetMediaResponse { name: self.name.into(), content_type, body }))
    }
}

#[tonic::async_trait]
impl ChangeLogService for Probe {
    type WatchChangesStream =
        std::pin::Pin<Box<dyn Stream<Item = Result<WatchChangesResponse, Status>> + Send>>;

    async fn watch_changes(
        &self,
        _: Request<WatchChangesRequest>,
    ) -> Result<Response<Self::WatchChangesStream>, Status> {
        let first = futures_util::stream::once(async { Ok(WatchChangesResponse::default()) });
        let later = futures_util::stream::unfold(self.next_change.clone(), |next| async {
            next.notified().await;
            Some((Ok(WatchChangesResponse::default()), next))
        });
        Ok(Response::new(Box::pin(first.chain(later))))
    }

    async fn purge_tags(
        &self,
        _: Request<PurgeTagsRequest>,
    ) -> Result<Response<PurgeTagsResponse>, Status> {
        self.fail()?;
        Ok(Response::new(PurgeTagsResponse::default()))
    }
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    let pairs = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    Settings::from_pairs(Process::Gateway, pairs).unwrap()
}

fn context() -> Context {
    Context::new(settings(&[]))
}

fn service(probe: &Probe, ctx: &Context) -> rpc::Service {
    rpc::Builder::new(ServiceName::Content, ctx)
        .add(MediaServiceServer::new(probe.clone()))
        .add(ChangeLogServiceServer::new(probe.clone()))
        .build()
}

/// Serves over TCP on a free port.
/// The address is not 127.0.0.1, where the system assigns ephemeral ports to outgoing connections:
/// one of those could take the port of a server that stops and listens on it again.
async fn serve(probe: &Probe, ctx: &Context) -> SocketAddr {
    let listener = bind("127.0.0.2:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    rpc::serve(listener, service(probe, ctx), ctx);
    address
}

async fn over_tcp(probe: &Probe, ctx: &Context) -> Transport {
    let address = serve(probe, ctx).await;
    Transport::connect(&format!("http://{address}"), ctx)
}

async fn transports(probe: &Probe, ctx: &Context) -> [Transport; 2] {
    [Transport::local(service(probe, ctx).routes), over_tcp(probe, ctx).await]
}

async fn get(transport: &Transport, name: &str) -> Result<GetMediaResponse, Status> {
    let request = GetMediaRequest { name: name.into() };
    let response = MediaServiceClient::new(transport.clone()).get_media(request).await;
    response.map(Response::into_inner)
}

#[tokio::test]
async fn deadline_is_propagated_over_two_hops() {
    let ctx = context();
    for last in transports(&Probe::default(), &ctx).await {
        let middle = Probe { next: Some(last), ..Probe::default() };
        for first in transports(&middle, &ctx).await {
            let call = with_deadline(Duration::from_millis(700), get(&first, "x"));
            let left: u64 = call.await.unwrap().unwrap().content_type.parse().unwrap();
            assert!((200..=700).contains(&left), "{left}");
            // Without a deadline the default of docs/limits-and-timeouts.md applies.
            let left: u64 = get(&first, "x").await.unwrap().content_type.parse().unwrap();
            assert!((7000..=8000).contains(&left), "{left}");
        }
    }
}

#[tokio::test]
async fn call_past_its_deadline_ends_on_both_sides() {
    let ctx = context();
    let probe = Probe::default();
    for transport in transports(&probe, &ctx).await {
        let started = Instant::now();
        let outcome = with_deadline(Duration::from_millis(150), get(&transport, "slow")).await;
        let code = match outcome {
            Ok(response) => Error::from(response.unwrap_err()).code(),
            Err(error) => error.code(),
        };
        assert_eq!(code, ErrorCode::Timeout);
        assert!(started.elapsed() < Duration::from_secs(2));
        // A caller that only sends the header receives an error too.
        let mut request = Request::new(GetMediaRequest { name: "slow".into() });
        request.set_timeout(Duration::from_millis(100));
        let response = MediaServiceClient::new(transport).get_media(request).await;
        assert_eq!(response.unwrap_err().code(), Code::DeadlineExceeded);
    }
}

#[tokio::test]
async fn only_calls_without_side_effects_are_retried() {
    let ctx = context();
    let probe = Probe::default();
    for transport in transports(&probe, &ctx).await {
        for (failures, calls, ok) in [(0, 1, true), (2, 3, true), (3, 3, false)] {
            probe.calls.store(0, Ordering::SeqCst);
            probe.failures.store(failures, Ordering::SeqCst);
            assert_eq!(get(&transport, "x").await.is_ok(), ok);
            assert_eq!(probe.calls.load(Ordering::SeqCst), calls);
        }
        probe.calls.store(0, Ordering::SeqCst);
        probe.failures.store(1, Ordering::SeqCst);
        let mut client = ChangeLogServiceClient::new(transport.clone());
        let refused = client.purge_tags(PurgeTagsRequest::default()).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert_eq!(probe.calls.load(Ordering::SeqCst), 1);
        // Errors other than UNAVAILABLE are not retried.
        probe.calls.store(0, Ordering::SeqCst);
        assert!(get(&transport, "missing").await.is_err());
        assert_eq!(probe.calls.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn retries_stop_when_the_budget_is_exhausted() {
    let ctx = context();
    let probe = Probe { failures: Arc::new(AtomicUsize::new(usize::MAX)), ..Probe::default() };
    let transport = Transport::local(service(&probe, &ctx).routes);
    for _ in 0..20 {
        assert!(get(&transport, "x").await.is_err());
    }
    // Twenty calls and the five retries that the budget allows.
    assert_eq!(probe.calls.load(Ordering::SeqCst), 25);
}

#[tokio::test(start_paused = true)]
async fn call_is_not_retried_if_the_backoff_would_pass_its_deadline() {
    let probe = Probe { failures: Arc::new(AtomicUsize::new(usize::MAX)), ..Probe::default() };
    let transport = Transport::local(service(&probe, &context()).routes);
    let outcome = with_deadline(Duration::from_millis(5), get(&transport, "x")).await;
    assert_eq!(outcome.unwrap().unwrap_err().code(), Code::Unavailable);
    assert_eq!(probe.calls.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn stream_without_a_deadline_has_no_timeout() {
    let probe = Probe::default();
    let transport = Transport::local(service(&probe, &context()).routes);
    let mut client = ChangeLogServiceClient::new(transport);
    let stream = client.watch_changes(WatchChangesRequest::default()).await.unwrap();
    let mut stream = stream.into_inner();
    stream.next().await.unwrap().unwrap();
    tokio::time::advance(Duration::from_secs(3600)).await;
    assert!(stream.next().now_or_never().is_none(), "the stream ends");
    probe.next_change.notify_one();
    stream.next().await.unwrap().unwrap();
}

#[tokio::test]
async fn errors_keep_their_code_and_hide_their_source() {
    let ctx = context();
    for transport in transports(&Probe::default(), &ctx).await {
        for (name, code) in [
            ("missing", ErrorCode::ArticleNotFound),
            ("broken", ErrorCode::Internal),
            ("panic", ErrorCode::Internal),
        ] {
            let status = get(&transport, name).await.unwrap_err();
            assert!(!format!("{status:?}").contains("hidden"), "{status:?}");
            assert_eq!(Error::from(&status).code(), code);
        }
        assert!(get(&transport, "x").await.is_ok(), "a panic ends its call only");
        let other = sahm_proto::content::v1::news_service_client::NewsServiceClient::new(transport)
            .list_tabs(sahm_proto::content::v1::ListTabsRequest::default())
            .await;
        assert_eq!(other.unwrap_err().code(), Code::Unimplemented);
    }
}

#[tokio::test]
async fn panic_is_logged_with_its_message() {
    let transport = Transport::local(service(&Probe::default(), &context()).routes);
    let log = CapturedLog::start();
    for (name, message) in
        [("panic", "password=hidden"), ("formatted panic", "no row of formatted panic")]
    {
        get(&transport, name).await.unwrap_err();
        let lines = log.take();
        assert!(lines.contains(&format!("panic: {message}")), "{lines}");
    }
}

#[tokio::test]
async fn drain_ends_streams_and_lets_calls_finish() {
    for tcp in [false, true] {
        let ctx = context();
        let [local, remote] = transports(&Probe::default(), &ctx).await;
        let mut client = ChangeLogServiceClient::new(if tcp { remote } else { local });
        let stream = client.watch_changes(WatchChangesRequest::default()).await.unwrap();
        let mut stream = stream.into_inner();
        stream.next().await.unwrap().unwrap();
        ctx.lifecycle.drain();
        let end = stream.next().await.unwrap().unwrap_err();
        assert_eq!(end.code(), Code::Unavailable);
        assert_eq!(reason(&end), "UNAVAILABLE");
        tokio::time::timeout(Duration::from_secs(5), ctx.lifecycle.wait()).await.unwrap();
    }
}

#[tokio::test]
async fn call_over_tcp_does_not_wait_for_delayed_acks() {
    let ctx = context();
    let transport = over_tcp(&Probe::default(), &ctx).await;
    get(&transport, "x").await.unwrap();
    let started = Instant::now();
    for _ in 0..50 {
        get(&transport, "x").await.unwrap();
    }
    // 44 ms each without nodelay.
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

#[tokio::test]
async fn outside_dev_calls_that_write_need_a_token() {
    let key = "k".repeat(32);
    let pairs = |tokens| {
        [("SAHM_ENV", "uat"), ("SAHM_SESSION_KEYS", &*key), ("SAHM_CALLER_TOKENS", tokens)]
    };
    let ours = Context::new(settings(&pairs("gateway=a-token-of-16-chars")));
    let theirs = Context::new(settings(&pairs("gateway=another-token-of-16")));
    let address = serve(&Probe::default(), &ours).await;
    let refused = Err((Code::Unauthenticated, "CALLER_TOKEN_REQUIRED".to_owned()));
    for (ctx, writes) in [(&ours, Ok(())), (&theirs, refused)] {
        let transport = Transport::connect(&format!("http://{address}"), ctx);
        assert!(get(&transport, "x").await.is_ok());
        let mut client = ChangeLogServiceClient::new(transport);
        let outcome = client.purge_tags(PurgeTagsRequest::default()).await;
        let outcome = outcome.map(drop).map_err(|status| (status.code(), reason(&status)));
        assert_eq!(outcome, writes);
    }
}

#[tokio::test]
async fn health_is_serving_until_the_drain() {
    use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
    let ctx = context();
    for transport in transports(&Probe::default(), &ctx).await {
        let mut client = HealthClient::new(transport);
        for name in ["", "sahm.content.v1.MediaService"] {
            let response = client.check(HealthCheckRequest { service: name.into() }).await.unwrap();
            assert_eq!(response.into_inner().status, 1, "{name}");
        }
        let unknown = client.check(HealthCheckRequest { service: "nobody".into() }).await;
        assert_eq!(unknown.unwrap_err().code(), Code::NotFound);
    }
}

/// The reason in the status's ErrorInfo; empty if there is none.
fn reason(status: &Status) -> String {
    let details = status.get_error_details();
    let info = details.error_info().filter(|info| info.domain == "sahm");
    info.map(|info| info.reason.clone()).unwrap_or_default()
}

/// Sends a call whose body is one frame of the gRPC protocol and returns its status.
async fn call_raw(
    transport: &Transport,
    path: &str,
    headers: &[(&'static str, &str)],
    is_compressed: bool,
    message: &[u8],
) -> Status {
    let mut frame = vec![u8::from(is_compressed)];
    frame.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    frame.extend(message);
    let body = tonic::body::Body::new(http_body_util::Full::new(frame.into()));
    let mut request = http::Request::post(path).header("content-type", "application/grpc");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = transport.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    Status::from_header_map(response.headers()).expect("the headers hold the status")
}

const GET_MEDIA: &str = "/sahm.content.v1.MediaService/GetMedia";

/// A request that tonic rejects before the handler, and the expected status.
struct Unreadable<'a> {
    path: &'static str,
    encoding: &'static str,
    is_compressed: bool,
    message: &'a [u8],
    code: Code,
    reason: &'static str,
    /// A part of the status's message.
    text: &'static str,
}

#[tokio::test]
async fn malformed_request_is_rejected_with_error_info() {
    let malformed = Unreadable {
        path: GET_MEDIA,
        encoding: "identity",
        is_compressed: false,
        message: b"\xff\xff\xff",
        code: Code::InvalidArgument,
        reason: "PARAMETER_EXCEPTION",
        text: "the request is not a message of this rpc",
    };
    let too_large = vec![0; 5 << 20];
    let unimplemented = Unreadable {
        code: Code::Unimplemented,
        reason: "UNIMPLEMENTED",
        text: "this service has no such rpc",
        ..malformed
    };
    let cases = [
        Unreadable { is_compressed: true, message: b"", ..malformed },
        Unreadable { encoding: "gzip", is_compressed: true, message: b"x", ..malformed },
        Unreadable {
            message: &too_large,
            code: Code::ResourceExhausted,
            reason: "TOO_LARGE",
            text: "the request is too large",
            ..malformed
        },
        Unreadable { encoding: "deflate", is_compressed: true, text: "deflate", ..unimplemented },
        Unreadable { path: "/sahm.content.v1.MediaService/Nothing", ..unimplemented },
        Unreadable { path: "/sahm.content.v1.NewsService/ListTabs", ..unimplemented },
        malformed,
    ];
    let ctx = context();
    for transport in transports(&Probe::default(), &ctx).await {
        for case in &cases {
            let headers = [("grpc-encoding", case.encoding)];
            let status =
                call_raw(&transport, case.path, &headers, case.is_compressed, case.message).await;
            assert_eq!((status.code(), &*reason(&status)), (case.code, case.reason), "{status:?}");
            assert!(status.message().contains(case.text), "{status:?}");
            assert!(!status.message().contains("GetMediaRequest"), "{status:?}");
        }
        let status = get(&transport, "raw status").await.unwrap_err();
        assert_eq!((status.code(), &*reason(&status)), (Code::Internal, "INTERNAL_ERROR"));
        assert!(!format!("{status:?}").contains("10.0.0.7"), "{status:?}");
    }
}

#[tokio::test]
async fn outside_dev_only_the_gateway_may_call_rpcs_of_members() {
    let key = "k".repeat(32);
    let tokens = "gateway=a-token-of-16-chars,team=another-token-of-16";
    let uat = [("SAHM_ENV", "uat"), ("SAHM_SESSION_KEYS", &*key), ("SAHM_CALLER_TOKENS", tokens)];
    let ctx = Context::new(settings(&uat));
    let address = serve(&Probe::default(), &ctx).await;
    // A process without a caller token, so that the tokens of the cases are sent.
    let nobody = Settings::from_pairs(
        Process::Service(ServiceName::Quotes),
        uat.map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let transport =
        Transport::connect(&format!("http://{address}"), &Context::new(nobody.unwrap()));
    let cases = [
        ("Bearer another-token-of-16", Code::PermissionDenied, "GATEWAY_ONLY"),
        ("bearer another-token-of-16", Code::PermissionDenied, "GATEWAY_ONLY"),
        // Authorised; the service of this test does not implement the rpc.
        ("Bearer a-token-of-16-chars", Code::Unimplemented, "UNIMPLEMENTED"),
        ("Bearer unknown", Code::Unauthenticated, "CALLER_TOKEN_REQUIRED"),
    ];
    for (token, code, expected) in cases {
        let headers = [("authorization", token), ("sahm-member", "7")];
        let path = "/sahm.activity.v1.ParticipantService/GetAssetsStandard";
        let status = call_raw(&transport, path, &headers, false, b"").await;
        assert_eq!((status.code(), &*reason(&status)), (code, expected), "{status:?}");
    }
}

#[tokio::test]
async fn scopes_limit_which_calls_a_token_permits() {
    struct Case {
        scopes: &'static str,
        path: &'static str,
        is_permitted: bool,
    }
    const WRITE: &str = "/sahm.content.v1.NewsService/WithdrawArticles";
    const READ: &str = "/sahm.content.v1.NewsService/GetArticle";
    const DRAFT: &str = "/sahm.content.v1.DraftService/GetDraft";
    const NEWS: &str = "team=sahm.content.v1.NewsService";
    let cases = [
        Case { scopes: "", path: WRITE, is_permitted: true },
        Case { scopes: "team=*", path: WRITE, is_permitted: true },
        Case { scopes: "team=sahm.content.v1", path: WRITE, is_permitted: true },
        Case { scopes: NEWS, path: WRITE, is_permitted: true },
        Case { scopes: NEWS, path: DRAFT, is_permitted: false },
        Case {
            scopes: "team=sahm.quotes.v1,team=sahm.content.v1.NewsService/WithdrawArticles",
            path: WRITE,
            is_permitted: true,
        },
        Case {
            scopes: "team=sahm.content.v1.NewsService/GetArticle",
            path: WRITE,
            is_permitted: false,
        },
        Case { scopes: "team=sahm.quotes.v1", path: WRITE, is_permitted: false },
        // Needs no token.
        Case { scopes: "team=sahm.quotes.v1", path: READ, is_permitted: true },
    ];
    let key = "k".repeat(32);
    let caller = context();
    for Case { scopes, path, is_permitted } in cases {
        let served = Context::new(settings(&[
            ("SAHM_ENV", "uat"),
            ("SAHM_SESSION_KEYS", &key),
            ("SAHM_CALLER_TOKENS", "gateway=a-token-of-16-chars,team=another-token-of-16"),
            ("SAHM_CALLER_SCOPES", scopes),
        ]));
        let address = serve(&Probe::default(), &served).await;
        let transport = Transport::connect(&format!("http://{address}"), &caller);
        for (token, is_permitted) in
            [("Bearer another-token-of-16", is_permitted), ("Bearer a-token-of-16-chars", true)]
        {
            let status = call_raw(&transport, path, &[("authorization", token)], false, b"").await;
            let given = reason(&status);
            let found = (status.code(), given.as_str());
            if is_permitted {
                // This test's service does not have the rpc.
                assert_eq!(found, (Code::Unimplemented, "UNIMPLEMENTED"), "{scopes} {path}");
            } else {
                assert_eq!(found, (Code::PermissionDenied, "FORBIDDEN"), "{scopes} {path}");
                let message = format!("the scopes of team do not include {}", &path[1..]);
                assert_eq!(status.message(), message);
            }
        }
    }
}

#[tokio::test]
async fn requests_and_responses_may_be_compressed() {
    let ctx = context();
    for transport in transports(&Probe { name: "a", ..Probe::default() }, &ctx).await {
        let plain = MediaServiceClient::new(transport.clone());
        let gzip = plain
            .clone()
            .send_compressed(CompressionEncoding::Gzip)
            .accept_compressed(CompressionEncoding::Gzip);
        for (mut client, encoding) in [(plain, None), (gzip, Some("gzip"))] {
            let response = client.get_media(GetMediaRequest { name: "x".into() }).await.unwrap();
            let found =
                response.metadata().get("grpc-encoding").map(|value| value.to_str().unwrap());
            assert_eq!(found, encoding);
            assert_eq!(response.into_inner().name, "a");
            // The bound of a message applies to its decompressed size.
            let too_large = GetMediaRequest { name: "x".repeat(5 << 20) };
            let status = client.get_media(too_large).await.unwrap_err();
            assert_eq!((status.code(), &*reason(&status)), (Code::ResourceExhausted, "TOO_LARGE"));
        }
    }
}

/// Clients of reflection send further requests after the first response.
#[tokio::test]
async fn reflection_is_served_in_both_versions_while_the_client_may_send() {
    use tonic_reflection::pb::{v1, v1alpha};
    fn open<T: Send + 'static>(request: T) -> impl Stream<Item = T> + Send + 'static {
        tokio_stream::once(request).chain(futures_util::stream::pending())
    }
    let ctx = context();
    for transport in transports(&Probe::default(), &ctx).await {
        let today = v1::ServerReflectionRequest {
            message_request: Some(v1::server_reflection_request::MessageRequest::ListServices(
                String::new(),
            )),
            ..Default::default()
        };
        let mut client =
            v1::server_reflection_client::ServerReflectionClient::new(transport.clone());
        let response = client.server_reflection_info(open(today)).await.unwrap();
        let today = format!("{:?}", response.into_inner().next().await.unwrap().unwrap());
        let former = v1alpha::ServerReflectionRequest {
            message_request: Some(
                v1alpha::server_reflection_request::MessageRequest::ListServices(String::new()),
            ),
            ..Default::default()
        };
        let mut client =
            v1alpha::server_reflection_client::ServerReflectionClient::new(transport.clone());
        let response = client.server_reflection_info(open(former)).await.unwrap();
        let former = format!("{:?}", response.into_inner().next().await.unwrap().unwrap());
        for services in [today, former] {
            assert!(services.contains("sahm.content.v1.MediaService"), "{services}");
        }
    }
}
