//! The public listener: HTTP/1.1 and cleartext HTTP/2 with bounded heads, drained on stop.

mod connection_age;
mod date;
mod detached;
mod detect;
mod in_flight;
mod progress;
mod request_body;
pub(crate) mod write_timeout;

use std::{
    convert::Infallible,
    future::poll_fn,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body::Body as _;
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use sahm_chassis::{lifecycle::Lifecycle, lingering::Lingering};
use tokio::net::{TcpListener, TcpStream};

use self::{
    connection_age::ConnectionAge,
    detect::{Protocol, Wire},
    in_flight::InFlight,
    progress::StreamExecutor,
    request_body::Reading,
};
use crate::{
    error_response,
    http_server::write_timeout::{WRITE_TIMEOUT, WriteTimeout},
    limits::{Admission, Connections, Share},
};

pub(crate) use self::{detached::Detached, request_body::RequestBody};

/// Bytes of a request's head that are read at all: a URL and headers of their greatest length. Those
/// are judged where the answer can be a page.
const MAX_HEAD_BYTES: usize = error_response::MAX_URL_BYTES + error_response::MAX_HEADER_BYTES;

/// How long a client may take to send a request's head, also on an idle connection.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// How long new connections and requests are still taken once the drain has begun: they were sent
/// before, and lie in the kernel's queues.
const DRAIN_SETTLE_TIME: Duration = Duration::from_millis(150);

const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// What answers requests.
pub(crate) trait Handler: Clone + Send + Sync + 'static {
    /// Answers one request; failures are answers too.
    fn handle(
        &self,
        request: Request<RequestBody>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response<Body>> + Send;

    /// The whole HTTP/1.1 answer to a request whose head cannot be read; empty: a bare status.
    fn refuse_head(_: StatusCode) -> Bytes {
        Bytes::new()
    }
}

/// Serves until the drain, then no new connections; those that are there finish what is under way.
/// Peers that have too many are let go at once.
pub(crate) async fn serve(
    listener: TcpListener,
    handler: impl Handler,
    connections: Connections,
    lifecycle: Lifecycle,
) {
    let server = Arc::new(Server::new(handler, lifecycle, WRITE_TIMEOUT));
    let mut draining = pin!(server.drained());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut draining => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors, most likely: existing connections must end first.
                tracing::warn!(%error, "connection not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(admission) = connections.admit(peer.ip()) else { continue };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay not set");
        }
        let connection = Arc::clone(&server).connection(stream, peer, admission);
        server.lifecycle.spawn("connection", async move {
            if let Err(error) = connection.await {
                tracing::debug!(error, "connection ended");
            }
        });
    }
}

/// What connections share.
struct Server<H> {
    http1: http1::Builder,
    http2: http2::Builder<StreamExecutor>,
    handler: H,
    lifecycle: Lifecycle,
    age: ConnectionAge,
}

type Client = WriteTimeout<Lingering<TcpStream>>;
type Ended<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

impl<H: Handler> Server<H> {
    fn new(handler: H, lifecycle: Lifecycle, write_timeout: Duration) -> Self {
        let mut http1 = http1::Builder::new();
        http1
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            // No `pipeline_flush`: with it the answer to a head that is too large or no HTTP, which
            // leaves unread bytes, would never be sent.
            .max_buf_size(MAX_HEAD_BYTES);
        let mut http2 = http2::Builder::new(StreamExecutor { timeout: write_timeout });
        http2
            .timer(TokioTimer::new())
            .max_header_list_size(MAX_HEAD_BYTES as u32)
            .max_concurrent_streams(128)
            .max_pending_accept_reset_streams(20)
            .keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        Self { http1, http2, handler, lifecycle, age: ConnectionAge::default() }
    }

    /// Returns once the drain has begun and what was sent before it has been taken.
    async fn drained(&self) {
        self.lifecycle.draining().await;
        tokio::time::sleep(DRAIN_SETTLE_TIME).await;
    }

    /// One client, until it or the drain ends it.
    async fn connection(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        admission: Admission,
    ) -> Ended<()> {
        let stream = WriteTimeout::new(Lingering::new(stream));
        let begun = tokio::select! {
            begun = tokio::time::timeout(HEAD_TIME, Wire::begin(stream)) => begun,
            () = self.drained() => return Ok(()),
        };
        let Admission { place, share } = admission;
        // Apart from the task, which is small where nothing is under way.
        match begun?? {
            (Protocol::Http1, wire) => {
                let http1 = Box::pin(self.http1(wire.limit_heads(share, H::refuse_head), peer));
                if let Some((stream, answer)) = http1.await? {
                    // A task of its own: this one is as large as the largest of what it did.
                    self.lifecycle.spawn("stream", async move {
                        let _place = place;
                        if let Err(error) = detached::write(stream, answer).await {
                            tracing::debug!(%error, "stream ended");
                        }
                    });
                }
            }
            (Protocol::Http2, wire) => {
                Box::pin(self.http2(wire, peer, share)).await?;
            }
        }
        Ok(())
    }

    /// Until the end, or an answer that lasts, which is left to write.
    async fn http1(
        self: &Arc<Self>,
        wire: Wire<Client>,
        peer: SocketAddr,
    ) -> Ended<Option<(Client, Response<Body>)>> {
        let handover = wire.handover();
        let (server, leaving) = (Arc::clone(self), wire.handover());
        let service = service_fn(move |request: Request<Incoming>| {
            let (server, leaving) = (Arc::clone(&server), Arc::clone(&leaving));
            async move {
                let may_leave = detached::is_possible(&request);
                leaving.begin_body();
                let (request, reading) = Reading::of(request);
                let mut response = server.handler.handle(request, peer).await;
                date::insert(response.headers_mut());
                if may_leave && response.extensions().get::<Detached>().is_some() {
                    leaving.offer(response);
                    return std::future::pending().await;
                }
                // A kept connection would end at the drain, perhaps with a request on its way.
                // One whose request was not read to its end is closed after the answer.
                if server.lifecycle.is_leaving() || !reading.is_complete() {
                    response.headers_mut().insert(header::CONNECTION, CLOSE);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let mut connection = self.http1.serve_connection(TokioIo::new(wire), service);
        let mut draining = pin!(self.drained());
        let (mut is_watched, mut is_ending) = (false, false);
        let answer = poll_fn(|context| {
            // Asked once to be woken: the rest of a drain, which comes after leaving, is seen then.
            if !is_ending && (!is_watched || self.lifecycle.is_leaving()) {
                is_watched = true;
                is_ending = draining.as_mut().poll(context).is_ready();
                if is_ending {
                    Pin::new(&mut connection).graceful_shutdown();
                }
            }
            match Pin::new(&mut connection).poll(context) {
                Poll::Ready(ended) => Poll::Ready(ended.map(|()| None)),
                Poll::Pending => match handover.take() {
                    Some(answer) => Poll::Ready(Ok(Some(answer))),
                    None => Poll::Pending,
                },
            }
        });
        let Some(answer) = answer.await? else { return Ok(None) };
        let stream = connection.into_parts().io.into_inner().into_inner();
        Ok(Some((stream, answer)))
    }

    async fn http2(
        self: &Arc<Self>,
        wire: Wire<Client>,
        peer: SocketAddr,
        share: Share,
    ) -> Ended<()> {
        let (server, under_way) = (Arc::clone(self), Arc::<InFlight>::default());
        let begins = Arc::clone(&under_way);
        let service = service_fn(move |request: Request<Incoming>| {
            let (server, begun) = (Arc::clone(&server), InFlight::begin(&begins));
            let share = share.clone();
            async move {
                let (request, _) = Reading::of(request);
                let mut response = server.handler.handle(request, peer).await;
                let mut place = None;
                if !response.body().is_end_stream() {
                    place = share.unread_response();
                    if place.is_none() {
                        response = error_response::unavailable();
                    }
                }
                date::insert(response.headers_mut());
                Ok::<_, Infallible>(response.map(|body| begun.with(body, place)))
            }
        });
        let mut connection = pin!(self.http2.serve_connection(TokioIo::new(wire), service));
        tokio::select! {
            ended = &mut connection => return Ok(ended?),
            () = self.drained() => {}
            () = self.age.reached() => {}
            () = under_way.idle_for(self.age.idle) => {}
        }
        connection.as_mut().graceful_shutdown();
        self.age.bound(connection).await
    }
}
