//! Fake services, implemented by descriptors, that tests control.

use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::Router as Routes;
use futures_util::stream::BoxStream;
use http_body_util::BodyExt;
use prost_reflect::{DynamicMessage, Value};
use sahm_chassis::{
    caller,
    error::Error,
    lifecycle::bind,
    rpc::Transport,
    settings::{Process, ServiceName, Settings},
};
use tokio::sync::broadcast;
use tokio_stream::{StreamExt, wrappers::BroadcastStream};
use tonic::{Status, Streaming, metadata::MetadataMap, server::Grpc};
use tower::service_fn;

use super::*;
use crate::{
    dynamic_grpc_client::{DynamicCodec, Rpc, text},
    limits::Limits,
};

pub(super) const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDE";

/// Recorded calls of the fakes, and their configured responses.
pub(super) struct Fakes {
    pub(super) checks: AtomicUsize,
    /// The response of `CheckSession`: a member, 0 for none; `None` never responds.
    pub(super) member: Mutex<Option<u64>>,
    /// Delay of `CheckSession`.
    pub(super) check_delay: Mutex<Duration>,
    /// Number of sessions that `Logout` ended.
    pub(super) logouts: AtomicUsize,
    /// Number of started uploads, and of those that ended, cancelled ones included.
    pub(super) begun: AtomicUsize,
    pub(super) ended: AtomicUsize,
    /// The result of each upload.
    pub(super) uploads: Mutex<Vec<Result<Vec<String>, tonic::Code>>>,
    /// The codes of each opened stream.
    pub(super) streams: Mutex<Vec<String>>,
    pub(super) quotes: broadcast::Sender<(String, String)>,
    /// Delay of opening a stream.
    pub(super) opening: Mutex<Duration>,
}

pub(super) struct Site {
    pub(super) api: Arc<Api>,
    pub(super) fakes: Arc<Fakes>,
    pub(super) context: Context,
    _data: tempfile::TempDir,
}

type Message = DynamicMessage;

/// An item of a stream: a message or an error.
type StreamItem = Result<Result<Message, Status>, Status>;

pub(super) fn pool() -> DescriptorPool {
    let root = env!("CARGO_MANIFEST_DIR");
    let includes = [format!("{root}/../proto"), format!("{root}/src/api/tests/protos")];
    let mut compiler = protox::Compiler::new(includes).unwrap();
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(["identity.proto", "quotes.proto"]).unwrap();
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice()).unwrap()
}

fn rpc(pool: &DescriptorPool, service: &str, name: &str) -> Rpc {
    let service = pool.get_service_by_name(service).unwrap();
    let method = service.methods().find(|method| method.name() == name).unwrap();
    Rpc::of(&method).unwrap()
}

fn rpc_named(pool: &DescriptorPool, name: &str) -> Rpc {
    let (service, name) = name.rsplit_once('.').unwrap();
    rpc(pool, service, name)
}

fn path_of(rpc: &str) -> String {
    let (service, name) = rpc.rsplit_once('.').unwrap();
    format!("/{service}/{name}")
}

fn response_message(rpc: &Rpc, pairs: &[(&str, Value)]) -> Message {
    let mut message = Message::new(rpc.output());
    for (name, value) in pairs {
        message.set_field_by_name(name, value.clone());
    }
    message
}

/// The caller in the metadata.
fn caller_text(metadata: &MetadataMap) -> String {
    let mut values = Vec::new();
    for name in ["sahm-member", "sahm-session", "sahm-caller-address", "sahm-visitor"] {
        let value = metadata.get(name).map_or("-", |value| value.to_str().unwrap());
        values.push(value.to_owned());
    }
    values.join(" ")
}

/// Counts the end of an upload when it is dropped.
struct Ended<'a>(&'a AtomicUsize);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Fakes {
    fn identity(self: &Arc<Self>, pool: &DescriptorPool) -> Routes {
        let mut router = Routes::new();
        let session = "sahm.identity.v1.SessionService";
        let passport = "sahm.identity.v1.PassportService";
        for (service, name) in [
            (session, "CheckSession"),
            (passport, "Login"),
            (passport, "Logout"),
            (passport, "Check"),
            (passport, "SetPassword"),
            (passport, "Like"),
            (passport, "New"),
            (passport, "NewOfMembers"),
        ] {
            let (fakes, rpc) = (self.clone(), rpc(pool, service, name));
            let path = format!("/{service}/{name}");
            let served = service_fn(move |request: http::Request<axum::body::Body>| {
                let (fakes, rpc) = (fakes.clone(), rpc.clone());
                async move {
                    let input = rpc.input();
                    let unary = service_fn(move |request: tonic::Request<Message>| {
                        let (fakes, rpc) = (fakes.clone(), rpc.clone());
                        async move { fakes.unary(&rpc, request).await.map(Ok).map(tonic::Response::new) }
                    });
                    let mut grpc = Grpc::new(DynamicCodec::new(input));
                    Ok::<_, Infallible>(grpc.unary(unary, request).await)
                }
            });
            router = router.route_service(&path, served);
        }
        let (fakes, upload) = (self.clone(), rpc_named(pool, router::FEEDBACK_UPLOAD));
        let served = service_fn(move |request: http::Request<axum::body::Body>| {
            let (fakes, rpc) = (fakes.clone(), upload.clone());
            async move {
                let input = rpc.input();
                let take = service_fn(move |request: tonic::Request<Streaming<Message>>| {
                    let (fakes, rpc) = (fakes.clone(), rpc.clone());
                    async move { fakes.upload(&rpc, request).await.map(Ok).map(tonic::Response::new) }
                });
                let mut grpc = Grpc::new(DynamicCodec::new(input));
                Ok::<_, Infallible>(grpc.client_streaming(take, request).await)
            }
        });
        router.route_service(&path_of(router::FEEDBACK_UPLOAD), served)
    }

    async fn unary(&self, rpc: &Rpc, request: tonic::Request<Message>) -> Result<Message, Status> {
        let caller = Value::String(caller_text(request.metadata()));
        let message = request.into_inner();
        Ok(match rpc.method.name() {
            "CheckSession" => {
                self.checks.fetch_add(1, Ordering::SeqCst);
                assert_eq!(text(&message, "token"), TOKEN);
                let delay = *self.check_delay.lock().unwrap();
                tokio::time::sleep(delay).await;
                let Some(member) = *self.member.lock().unwrap() else {
                    return std::future::pending().await;
                };
                let session = Value::String("s-1".to_owned());
                response_message(rpc, &[("member", Value::U64(member)), ("session", session)])
            }
            "Login" if text(&message, "account") != "me" => {
                return Err(Error::rejected("account", "is not known").into());
            }
            "Login" => response_message(rpc, &[("session_token", Value::String(TOKEN.to_owned()))]),
            "Logout" if caller.as_str().unwrap().starts_with('-') => {
                return Err(Error::of(ErrorCode::NotLoggedIn).into());
            }
            "Logout" => {
                self.logouts.fetch_add(1, Ordering::SeqCst);
                response_message(rpc, &[("seen", caller)])
            }
            _ => response_message(rpc, &[("seen", caller)]),
        })
    }

    async fn upload(
        &self,
        rpc: &Rpc,
        request: tonic::Request<Streaming<Message>>,
    ) -> Result<Message, Status> {
        let mut stream = request.into_inner();
        let mut parts = Vec::new();
        self.begun.fetch_add(1, Ordering::SeqCst);
        let _ended = Ended(&self.ended);
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    let (field, value) = message.fields().next().unwrap();
                    let (name, value) = (field.name().to_owned(), value.clone());
                    parts.push(match value {
                        Value::Bytes(bytes) => format!("{name} {}", bytes.len()),
                        Value::Message(inner) => {
                            let texts = inner.fields().map(|(_, text)| text.as_str().unwrap());
                            format!("{name} {}", texts.collect::<Vec<_>>().join("|"))
                        }
                        _ => name,
                    });
                    if parts[0].starts_with("head refuse") {
                        return Err(Error::rejected("subject", "is refused").into());
                    }
                    if parts[0].starts_with("head take no more") {
                        return std::future::pending().await;
                    }
                }
                Ok(None) => break,
                Err(status) => {
                    self.uploads.lock().unwrap().push(Err(status.code()));
                    return Err(status);
                }
            }
        }
        if parts[0].starts_with("head never respond") {
            return std::future::pending().await;
        }
        self.uploads.lock().unwrap().push(Ok(parts));
        Ok(response_message(rpc, &[("ticket", Value::String("T-1".to_owned()))]))
    }

    fn quotes(self: &Arc<Self>, pool: &DescriptorPool) -> Routes {
        let (fakes, rpc) = (self.clone(), rpc_named(pool, router::QUOTE_STREAM));
        let served = service_fn(move |request: http::Request<axum::body::Body>| {
            let (fakes, rpc) = (fakes.clone(), rpc.clone());
            async move {
                let input = rpc.input();
                let open = service_fn(move |request: tonic::Request<Message>| {
                    let (fakes, rpc) = (fakes.clone(), rpc.clone());
                    let opening = *fakes.opening.lock().unwrap();
                    async move {
                        tokio::time::sleep(opening).await;
                        fakes.stream(&rpc, &request.into_inner()).map(tonic::Response::new)
                    }
                });
                let mut grpc = Grpc::new(DynamicCodec::new(input));
                Ok::<_, Infallible>(grpc.server_streaming(open, request).await)
            }
        });
        Routes::new().route_service(&path_of(router::QUOTE_STREAM), served)
    }

    fn stream(
        &self,
        rpc: &Rpc,
        request: &Message,
    ) -> Result<BoxStream<'static, StreamItem>, Status> {
        let security_codes = text(request, "security_codes");
        let codes = security_codes.split(',').map(str::to_owned).collect::<Vec<_>>();
        if codes.iter().any(|code| code == "NONE") {
            return Err(Error::field("security_codes", "NONE is no security").into());
        }
        self.streams.lock().unwrap().push(security_codes);
        let quote = {
            let rpc = rpc.clone();
            move |code: &str, price: &str| {
                let field = rpc.output().get_field_by_name("quote").unwrap();
                let mut quote = Message::new(field.kind().as_message().unwrap().clone());
                for (name, text) in [("id", code), ("security_code", code), ("price", price)] {
                    quote.set_field_by_name(name, Value::String(text.to_owned()));
                }
                response_message(&rpc, &[("quote", Value::Message(quote))])
            }
        };
        let changes = BroadcastStream::new(self.quotes.subscribe());
        let snapshot = codes.iter().map(|code| Ok(Ok(quote(code, "1.00")))).collect::<Vec<_>>();
        let later = changes.filter_map(move |change| {
            let (code, price) = change.ok()?;
            codes.contains(&code).then(|| Ok(Ok(quote(&code, &price))))
        });
        Ok(Box::pin(tokio_stream::iter(snapshot).chain(later)))
    }
}

impl Site {
    /// Starts the fakes, in process or over TCP.
    pub(super) async fn start(over_tcp: bool) -> Self {
        Self::start_with(over_tcp, Limits::off()).await
    }

    /// With rate limits.
    pub(super) async fn start_with(over_tcp: bool, limits: Limits) -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Gateway, pairs).unwrap());
        let pool = pool();
        let fakes = Arc::new(Fakes {
            checks: AtomicUsize::new(0),
            member: Mutex::new(Some(42)),
            check_delay: Mutex::default(),
            logouts: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            uploads: Mutex::default(),
            streams: Mutex::default(),
            quotes: broadcast::channel(1000).0,
            opening: Mutex::default(),
        });
        let mut transports = Vec::new();
        for (name, router) in [
            (ServiceName::Identity, fakes.identity(&pool)),
            (ServiceName::Quotes, fakes.quotes(&pool)),
        ] {
            let service = rpc::Service { name, routes: router.into() };
            let transport = if over_tcp {
                let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
                let url = format!("http://{}", listener.local_addr().unwrap());
                rpc::serve(listener, service, &context);
                Transport::connect(&url, &context)
            } else {
                Transport::local(service.routes)
            };
            transports.push((name, transport));
        }
        let services = Services::new(transports);
        let switches = crate::switches::Switches::open(&context.settings.data_dir);
        let api = Api::of(&pool, &services, &context, limits, switches).unwrap();
        Self { api: Arc::new(api), fakes, context, _data: data }
    }

    pub(super) async fn send(&self, request: Request<Body>) -> Response<Body> {
        // The caller of the test must not reach services.
        caller::with(caller::Caller::default(), self.api.handle(request)).await
    }

    /// Posts JSON with these headers.
    pub(super) async fn post(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (Response<()>, serde_json::Value) {
        let mut request = Request::post(path).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        json(self.send(request.body(Body::from(body.to_owned())).unwrap()).await).await
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

pub(super) async fn json(response: Response<Body>) -> (Response<()>, serde_json::Value) {
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    (Response::from_parts(parts, ()), serde_json::from_slice(&body).unwrap())
}
