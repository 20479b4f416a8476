//! The calling side, in process and over the network.
use std::{
    fmt,
    net::SocketAddr,
    sync::Arc,
    task::{Context as TaskContext, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{FutureExt, future::BoxFuture};
use http::{HeaderMap, HeaderValue, Request, Response, header::AUTHORIZATION};
use http_body_util::{BodyExt, Full};
use tokio::time::Instant;
use tonic::{Code, Status, body::Body, service::Routes};
use tower::{BoxError, Service, ServiceExt};
use tracing::Instrument;

use super::{
    asked::Asked,
    balance::{Balance, REFRESH},
    caller::own_token,
    deadline::{GRPC_TIMEOUT, deadline, to_header},
    methods::{Method, method},
    resolve::{Resolve, SystemResolver},
    retry::{ATTEMPTS, Budget, pause},
};
use crate::{error::Error, lifecycle::Context, telemetry};

/// What a call gets whose caller set no deadline: the longest of contract §8. Streams have none.
const DEFAULT_LIMIT: Duration = Duration::from_secs(8);

/// What generated clients call through: `NewsServiceClient::new(transport)`. It hands deadline,
/// trace and [caller](crate::caller) on and asks again where that is allowed: only calls marked `NO_SIDE_EFFECTS`, only when
/// the answer is `UNAVAILABLE`. Clones share connections.
#[derive(Clone)]
pub struct Transport {
    inner: Arc<Inner>,
}

struct Inner {
    way: Way,
    token: Option<HeaderValue>,
    budget: Budget,
}

enum Way {
    Local(Routes),
    Remote(Arc<Balance>),
}

/// How one attempt failed before there was an answer.
struct Unreached {
    status: Status,
    /// Nothing was sent.
    unsent: bool,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl Transport {
    /// Calls a service of this process.
    pub fn local(routes: Routes) -> Transport {
        Transport::new(Way::Local(routes.prepare()), None)
    }

    /// Calls a service behind a URL like `http://content:7001`. Connects when first called; the
    /// name is resolved anew every few seconds and calls go to all of its addresses. Call it inside
    /// a runtime.
    pub fn connect(url: &str, context: &Context) -> Transport {
        Transport::connect_with(url, context, Arc::new(SystemResolver), REFRESH)
    }

    /// As [`Transport::connect`], with another resolver.
    pub fn connect_with(
        url: &str,
        context: &Context,
        resolver: Arc<dyn Resolve>,
        refresh: Duration,
    ) -> Transport {
        let balance = Balance::start(url, resolver, refresh);
        Transport::new(Way::Remote(balance), own_token(&context.settings))
    }

    fn new(way: Way, token: Option<HeaderValue>) -> Transport {
        Transport { inner: Arc::new(Inner { way, token, budget: Budget::full() }) }
    }
}

impl Service<Request<Body>> for Transport {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = self.inner.clone();
        async move {
            let mut asked = Asked::new(request.uri().path());
            Ok(match inner.ask(request).instrument(asked.span()).await {
                Ok(response) => asked.follow(response),
                Err(status) => {
                    asked.end(status.code());
                    status.into_http()
                }
            })
        }
        .boxed()
    }
}

impl Inner {
    async fn ask(&self, mut request: Request<Body>) -> Result<Response<Body>, Status> {
        let declared = method(request.uri().path());
        let deadline = limit(request.headers(), declared);
        let headers = request.headers_mut();
        telemetry::inject(headers);
        match crate::caller::shared() {
            Some(caller) => caller.write(headers),
            None => crate::caller::strip(headers),
        }
        if let Some(token) = &self.token {
            headers.insert(AUTHORIZATION, token.clone());
        }
        let asked = async {
            match declared {
                Some(method) if method.no_side_effects && !method.client_streaming => {
                    self.ask_again(request, deadline).await
                }
                _ => {
                    set_timeout(request.headers_mut(), deadline);
                    self.ask_once(request).await
                }
            }
        };
        match deadline {
            Some(deadline) => tokio::time::timeout_at(deadline, asked)
                .await
                .unwrap_or_else(|_| Err(Error::timeout().into())),
            None => asked.await,
        }
    }

    /// Asks up to three times while the answer is `UNAVAILABLE`.
    async fn ask_again(
        &self,
        request: Request<Body>,
        deadline: Option<Instant>,
    ) -> Result<Response<Body>, Status> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let mut tried = Vec::new();
        let mut attempt = 1;
        loop {
            let mut request = Request::from_parts(parts.clone(), full(&body));
            set_timeout(request.headers_mut(), deadline);
            let answer = self.attempt(request, &mut tried).await;
            let answer = answer.map_err(|failed| failed.status);
            let unavailable = match &answer {
                Ok(response) => says_unavailable(response),
                Err(status) => status.code() == Code::Unavailable,
            };
            if !unavailable {
                self.budget.succeeded();
                return answer;
            }
            attempt += 1;
            let pause = pause(attempt);
            let in_time = deadline.is_none_or(|deadline| Instant::now() + pause < deadline);
            if attempt > ATTEMPTS || !in_time || !self.budget.withdraw() {
                return answer;
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Asks once. While nothing could be sent, other addresses are tried: the service has seen
    /// nothing of it, so this is no retry.
    async fn ask_once(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let declared = method(request.uri().path());
        if matches!(self.way, Way::Local(_)) || declared.is_none_or(|m| m.client_streaming) {
            return self.attempt(request, &mut Vec::new()).await.map_err(|failed| failed.status);
        }
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let mut tried = Vec::new();
        loop {
            let before = tried.len();
            let request = Request::from_parts(parts.clone(), full(&body));
            match self.attempt(request, &mut tried).await {
                Ok(response) => return Ok(response),
                // An address tried before came up again: all have been.
                Err(failed) if !failed.unsent || tried.len() == before => {
                    return Err(failed.status);
                }
                Err(_) if tried.len() >= ATTEMPTS as usize => {
                    return Err(Error::unavailable(anyhow::anyhow!("no address reached")).into());
                }
                Err(_) => {}
            }
        }
    }

    async fn attempt(
        &self,
        request: Request<Body>,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Response<Body>, Unreached> {
        let balance = match &self.way {
            Way::Local(routes) => {
                let Ok(response) = routes.clone().oneshot(request).await;
                return Ok(response);
            }
            Way::Remote(balance) => balance,
        };
        let Some(peer) = balance.pick(tried).await else {
            let status = Error::unavailable(anyhow::anyhow!("no address known")).into();
            return Err(Unreached { status, unsent: false });
        };
        if !tried.contains(&peer.address) {
            tried.push(peer.address);
        }
        let running = peer.run();
        let answer = peer.channel.clone().oneshot(request).await;
        drop(running);
        match answer {
            Ok(response) => {
                balance.answered(&peer);
                Ok(response)
            }
            // The channel reads the header too and may be the first to say so.
            Err(error) if has_cause::<tonic::TimeoutExpired>(&error) => {
                Err(Unreached { status: Error::timeout().into(), unsent: false })
            }
            Err(error) => {
                balance.failed(&peer);
                let unsent = has_cause::<tonic::ConnectError>(&error);
                let error = anyhow::Error::new(error).context(peer.address.to_string());
                Err(Unreached { status: Error::unavailable(error).into(), unsent })
            }
        }
    }
}

/// The narrowest of: what the work has left, what the request asks for itself, the default.
fn limit(headers: &HeaderMap, declared: Option<&Method>) -> Option<Instant> {
    let asked = super::deadline::from_headers(headers);
    match (deadline(), asked) {
        (Some(around), Some(asked)) => Some(around.min(asked)),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) if declared.is_none_or(|m| m.server_streaming || m.client_streaming) => None,
        (None, None) => Some(Instant::now() + DEFAULT_LIMIT),
    }
}

fn set_timeout(headers: &mut HeaderMap, deadline: Option<Instant>) {
    if let Some(deadline) = deadline {
        headers.insert(GRPC_TIMEOUT, to_header(deadline));
    }
}

fn full(body: &Bytes) -> Body {
    Body::new(Full::new(body.clone()))
}

fn says_unavailable(response: &Response<Body>) -> bool {
    let status = response.headers().get(Status::GRPC_STATUS);
    status.is_some_and(|status| Code::from_bytes(status.as_bytes()) == Code::Unavailable)
}

fn has_cause<E: std::error::Error + 'static>(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<E>())
}
