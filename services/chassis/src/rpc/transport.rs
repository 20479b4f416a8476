//! The client side, in process and over the network.
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
    balance::{Balance, Policy, REFRESH_INTERVAL, Resolve, SystemResolver},
    call_telemetry::ObservedCall,
    caller::own_token,
    client_call::observe,
    deadline::{GRPC_TIMEOUT, deadline, to_header},
    error_status::code_of,
    retry::{ATTEMPTS, Budget, Delivery, backoff, has_cause},
};
use crate::{
    error::{Error, with_causes},
    lifecycle::Context,
    methods::{Method, method},
    telemetry,
    tls::ClientTls,
};

/// Timeout of a call without a deadline: the longest of docs/limits-and-timeouts.md. Streams have
/// none.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(8);

/// The channel of generated clients: `NewsServiceClient::new(transport)`. It propagates deadline,
/// trace and [caller](crate::caller), and retries calls that are marked `NO_SIDE_EFFECTS` while the
/// response is `UNAVAILABLE`. Clones share connections.
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

/// The error of one attempt without a response.
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
    /// A transport to a service in this process.
    pub fn local(routes: Routes) -> Transport {
        Transport::new(Backend::Local(routes.prepare()), None)
    }

    /// A transport to the service behind a URL like `http://content:7001`. It connects on the first
    /// call, resolves the name again every few seconds, and balances calls over all addresses. Must
    /// be called inside a runtime.
    pub fn connect(url: &str, context: &Context) -> Transport {
        Transport::connect_by(Policy::LeastLoaded, url, context)
    }

    /// Same as [`Transport::connect`], with a policy.
    pub fn connect_by(policy: Policy, url: &str, context: &Context) -> Transport {
        Transport::connect_with(policy, url, context, Arc::new(SystemResolver), REFRESH_INTERVAL)
    }

    /// Same as [`Transport::connect_by`], with another resolver.
    pub fn connect_with(
        policy: Policy,
        url: &str,
        context: &Context,
        resolver: Arc<dyn Resolve>,
        refresh: Duration,
    ) -> Transport {
        let tls = url.starts_with("https://").then(|| ClientTls::load(&context.settings.tls));
        let tls = tls.transpose().unwrap_or_else(|error| {
            // No call can succeed without the client's certificate.
            context.lifecycle.fail(error);
            None
        });
        let balance = Balance::start(url, resolver, refresh, tls, policy);
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
            let server = match &inner.backend {
                Backend::Local(_) => None,
                Backend::Remote(balance) => Some(balance.server()),
            };
            let mut call = ObservedCall::of_client(request.uri().path(), server);
            Ok(match inner.send(request).instrument(call.span().clone()).await {
                Ok(response) => observe(call, response),
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
            let outcome = self.with_failover(&call, &mut tried).await;
            let unavailable = match &outcome {
                Ok(response) => is_unavailable(response),
                Err(status) => status.code() == Code::Unavailable,
            };
            if !unavailable {
                self.budget.succeeded();
                return outcome;
            }
            attempt += 1;
            let pause = backoff(attempt);
            let in_time = deadline.is_none_or(|deadline| Instant::now() + pause < deadline);
            if attempt > ATTEMPTS || !in_time || !self.budget.withdraw() {
                return outcome;
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Sends once, because a client stream cannot be sent again.
    async fn once(
        &self,
        mut request: Request<Body>,
        deadline: Option<Instant>,
    ) -> Result<Response<Body>, Status> {
        let declared = method(request.uri().path());
        if matches!(self.backend, Backend::Local(_)) || declared.is_none_or(|m| m.client_streaming)
        {
            set_timeout(request.headers_mut(), deadline);
            let outcome = self.attempt(request, &mut Vec::new()).await;
            return outcome.map_err(|failed| failed.status);
        }
        self.with_failover(&Call::read(request, deadline).await?, &mut Vec::new()).await
    }

    /// Sends the call until a service may have received it, so this is not a retry. If an address
    /// cannot be reached, the call goes to the next, until all were tried; if a connection was
    /// about to close, it goes over another one, up to `ATTEMPTS` times per address.
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
        let in_flight = peer.run();
        let outcome = peer.channel.clone().oneshot(request).await;
        drop(in_flight);
        let delivery = match &outcome {
            Ok(_) => Delivery::Unknown,
            Err(error) => Delivery::of(error),
        };
        // A closing connection implies nothing about the next one to the same address.
        if delivery != Delivery::Refused && !tried.contains(&peer.address) {
            tried.push(peer.address);
        }
        match outcome {
            Ok(response) => {
                balance.responded(&peer);
                Ok(response)
            }
            // The channel reads the header too and may report the timeout first.
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
    /// # Errors
    /// The caller's body failed.
    async fn read(request: Request<Body>, deadline: Option<Instant>) -> Result<Call, Status> {
        let (parts, body) = request.into_parts();
        Ok(Call { parts, body: body.collect().await?.to_bytes(), deadline })
    }

    /// Builds a request with the remaining time.
    fn request(&self) -> Request<Body> {
        let body = Body::new(Full::new(self.body.clone()));
        let mut request = Request::from_parts(self.parts.clone(), body);
        set_timeout(request.headers_mut(), self.deadline);
        request
    }
}

/// The earliest of the surrounding deadline, the request's own and the default.
fn limit(headers: &HeaderMap, declared: Option<&Method>) -> Option<Instant> {
    let requested = super::deadline::from_headers(headers);
    match (deadline(), requested) {
        (Some(surrounding), Some(requested)) => Some(surrounding.min(requested)),
        (Some(one), None) | (None, Some(one)) => Some(one),
        (None, None) if declared.is_none_or(|m| m.server_streaming || m.client_streaming) => None,
        (None, None) => Some(Instant::now() + DEFAULT_TIMEOUT),
    }
}

fn set_timeout(headers: &mut HeaderMap, deadline: Option<Instant>) {
    if let Some(deadline) = deadline {
        headers.insert(GRPC_TIMEOUT, to_header(deadline));
    }
}

fn is_unavailable(response: &Response<Body>) -> bool {
    code_of(response.headers().get(Status::GRPC_STATUS)) == Code::Unavailable
}
