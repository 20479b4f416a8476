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
use http::{HeaderMap, HeaderValue, Request, Response, header::AUTHORIZATION, request::Parts};
use http_body_util::{BodyExt, Full};
use tokio::time::Instant;
use tonic::{Code, Status, body::Body, service::Routes};
use tower::{BoxError, Service, ServiceExt};
use tracing::Instrument;

use super::{
    balance::{Balance, REFRESH},
    caller::own_token,
    client_call::ClientCall,
    deadline::{GRPC_TIMEOUT, deadline, to_header},
    delivery::{Delivery, has_cause},
    resolve::{Resolve, SystemResolver},
    retry::{ATTEMPTS, Budget, pause},
};
use crate::{
    error::{Error, with_causes},
    lifecycle::Context,
    methods::{Method, method},
    telemetry,
    tls::ClientTls,
};

/// What a call gets whose caller set no deadline: the longest of docs/limits-and-timeouts.md. Streams have none.
const DEFAULT_LIMIT: Duration = Duration::from_secs(8);

/// What generated clients call through: `NewsServiceClient::new(transport)`. It hands deadline,
/// trace and [caller](crate::caller) on and asks again where that is allowed: only calls marked `NO_SIDE_EFFECTS`, only when
/// the answer is `UNAVAILABLE`. Clones share connections.
#[derive(Clone)]
pub struct Transport {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Backend,
    token: Option<HeaderValue>,
    budget: Budget,
}

enum Backend {
    Local(Routes),
    Remote(Arc<Balance>),
}

/// How one attempt ended without an answer.
struct AttemptError {
    status: Status,
    delivery: Delivery,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl Transport {
    /// Calls a service of this process.
    pub fn local(routes: Routes) -> Transport {
        Transport::new(Backend::Local(routes.prepare()), None)
    }

    /// Calls a service behind a URL like `http://content:7001`. Connects when first called; the
    /// name is resolved again every few seconds and calls go to all of its addresses. Call it inside
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
        let tls = url.starts_with("https://").then(|| ClientTls::load(&context.settings.tls));
        let tls = tls.transpose().unwrap_or_else(|error| {
            // Without it no address is called.
            context.lifecycle.fail(error);
            None
        });
        let balance = Balance::start(url, resolver, refresh, tls);
        Transport::new(Backend::Remote(balance), own_token(&context.settings))
    }

    fn new(backend: Backend, token: Option<HeaderValue>) -> Transport {
        Transport { inner: Arc::new(Inner { backend, token, budget: Budget::full() }) }
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
            let mut call = ClientCall::new(request.uri().path());
            Ok(match inner.send(request).instrument(call.span()).await {
                Ok(response) => call.observe(response),
                Err(status) => {
                    call.end(status.code());
                    status.into_http()
                }
            })
        }
        .boxed()
    }
}

impl Inner {
    async fn send(&self, mut request: Request<Body>) -> Result<Response<Body>, Status> {
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
        let response = async {
            match declared {
                Some(method) if method.no_side_effects && !method.client_streaming => {
                    self.with_retry(request, deadline).await
                }
                _ => self.once(request, deadline).await,
            }
        };
        match deadline {
            Some(deadline) => tokio::time::timeout_at(deadline, response)
                .await
                .unwrap_or_else(|_| Err(Error::timeout().into())),
            None => response.await,
        }
    }

    /// Sends up to three times while the response is `UNAVAILABLE`.
    async fn with_retry(
        &self,
        request: Request<Body>,
        deadline: Option<Instant>,
    ) -> Result<Response<Body>, Status> {
        let call = Call::read(request, deadline).await?;
        let mut tried = Vec::new();
        let mut attempt = 1;
        loop {
            let answer = self.with_failover(&call, &mut tried).await;
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

    /// Sends once: what the caller streams cannot be sent again.
    async fn once(
        &self,
        mut request: Request<Body>,
        deadline: Option<Instant>,
    ) -> Result<Response<Body>, Status> {
        let declared = method(request.uri().path());
        if matches!(self.backend, Backend::Local(_)) || declared.is_none_or(|m| m.client_streaming)
        {
            set_timeout(request.headers_mut(), deadline);
            let answer = self.attempt(request, &mut Vec::new()).await;
            return answer.map_err(|failed| failed.status);
        }
        self.with_failover(&Call::read(request, deadline).await?, &mut Vec::new()).await
    }

    /// Sends until a service may have received the call, so this is not a retry: to the next address if one cannot be
    /// reached, until all were tried; over another connection if one was about to close, up to `ATTEMPTS` times for
    /// each address.
    async fn with_failover(
        &self,
        call: &Call,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Response<Body>, Status> {
        let mut refusals = 0;
        loop {
            let before = tried.len();
            let failed = match self.attempt(call.request(), tried).await {
                Ok(response) => return Ok(response),
                Err(failed) => failed,
            };
            let goes_on = match failed.delivery {
                // If no address was added, every one has been tried.
                Delivery::NotConnected => tried.len() > before,
                Delivery::Refused => {
                    refusals += 1;
                    refusals < self.addresses().saturating_mul(ATTEMPTS)
                }
                Delivery::Unknown => false,
            };
            if !goes_on {
                return Err(failed.status);
            }
        }
    }

    fn addresses(&self) -> u32 {
        match &self.backend {
            Backend::Local(_) => 1,
            Backend::Remote(balance) => balance.addresses(),
        }
    }

    async fn attempt(
        &self,
        request: Request<Body>,
        tried: &mut Vec<SocketAddr>,
    ) -> Result<Response<Body>, AttemptError> {
        let balance = match &self.backend {
            Backend::Local(routes) => {
                let Ok(response) = routes.clone().oneshot(request).await;
                return Ok(response);
            }
            Backend::Remote(balance) => balance,
        };
        let Some(peer) = balance.pick(tried).await else {
            let status = Error::unavailable("no address known").into();
            return Err(AttemptError { status, delivery: Delivery::NotConnected });
        };
        let running = peer.run();
        let answer = peer.channel.clone().oneshot(request).await;
        drop(running);
        let delivery = match &answer {
            Ok(_) => Delivery::Unknown,
            Err(error) => Delivery::of(error),
        };
        // A connection that was on its end says nothing of the next one to the same address.
        if delivery != Delivery::Refused && !tried.contains(&peer.address) {
            tried.push(peer.address);
        }
        match answer {
            Ok(response) => {
                balance.answered(&peer);
                Ok(response)
            }
            // The channel reads the header too and may be the first to say so.
            Err(error) if has_cause::<tonic::TimeoutExpired>(&error) => {
                Err(AttemptError { status: Error::timeout().into(), delivery })
            }
            Err(error) => {
                balance.failed(&peer);
                let cause = format!("{}: {}", peer.address, with_causes(&error));
                Err(AttemptError { status: Error::unavailable(cause).into(), delivery })
            }
        }
    }
}

/// A call that can be sent more than once.
struct Call {
    parts: Parts,
    body: Bytes,
    deadline: Option<Instant>,
}

impl Call {
    /// Errors: the caller's own body failed.
    async fn read(request: Request<Body>, deadline: Option<Instant>) -> Result<Call, Status> {
        let (parts, body) = request.into_parts();
        Ok(Call { parts, body: body.collect().await?.to_bytes(), deadline })
    }

    /// With the time that is left now.
    fn request(&self) -> Request<Body> {
        let body = Body::new(Full::new(self.body.clone()));
        let mut request = Request::from_parts(self.parts.clone(), body);
        set_timeout(request.headers_mut(), self.deadline);
        request
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

fn says_unavailable(response: &Response<Body>) -> bool {
    let status = response.headers().get(Status::GRPC_STATUS);
    status.is_some_and(|status| Code::from_bytes(status.as_bytes()) == Code::Unavailable)
}
