//! The public listener: HTTP/1.1 and cleartext HTTP/2 by hyper-util's `auto` server, with bounded request heads, bounded
//! connections, and a graceful shutdown.
//!
//! - `connection`: one connection, and how it is closed.
//! - `head_limit`: the size of request heads, and the responses to unreadable ones.
//! - `in_flight`, `progress`: HTTP/2 responses, and streams whose client reads nothing.
//! - `connection_age`: the lifetime of HTTP/2 connections.

mod connection;
mod connection_age;
mod date;
mod head_limit;
mod in_flight;
mod progress;
mod request_body;

use std::{convert::Infallible, pin::pin, sync::Arc, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use hyper_util::{rt::TokioTimer, server::conn::auto};
use sahm_chassis::lifecycle::Lifecycle;
use tokio::net::TcpListener;
use tower::Service;

pub(crate) use self::request_body::RequestBody;
use self::{connection_age::ConnectionAge, progress::StreamExecutor};
use crate::limits::Connections;

/// Maximum size of a URL, bytes (docs/limits-and-timeouts.md).
pub(crate) const MAX_URL_BYTES: usize = 8 << 10;
/// Maximum size of all headers, bytes (docs/limits-and-timeouts.md).
pub(crate) const MAX_HEADER_BYTES: usize = 32 << 10;

/// Maximum size of a request head that is read, bytes: a URL and headers of their maximum size. If a smaller head
/// exceeds one of these limits, it is rejected later, where the response can be a page.
const MAX_HEAD_BYTES: usize = MAX_URL_BYTES + MAX_HEADER_BYTES;

/// Timeout of receiving a request head, also on an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Timeout of a client that reads nothing while data is pending for it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long new connections and requests are still accepted after the drain begins: they were sent before it, and are
/// in the kernel's queues.
const DRAIN_SETTLE_TIME: Duration = Duration::from_millis(150);

/// An application: a tower service that always responds. Requests carry the peer as
/// [`ConnectInfo`](axum::extract::ConnectInfo).
pub(crate) trait App:
    Service<
        Request<RequestBody>,
        Response = Response<Body>,
        Error = Infallible,
        Future: Send + 'static,
    > + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> App for S where
    S: Service<
            Request<RequestBody>,
            Response = Response<Body>,
            Error = Infallible,
            Future: Send + 'static,
        > + Clone
        + Send
        + Sync
        + 'static
{
}

/// Builds the complete HTTP/1.1 response to a request whose head cannot be read.
pub(crate) type RefuseHead = fn(StatusCode) -> Bytes;

/// Accepts connections until the drain; open ones then complete their requests in flight. Connections beyond a limit
/// are closed at once.
pub(crate) async fn serve(
    listener: TcpListener,
    app: impl App,
    refuse_head: RefuseHead,
    connections: Connections,
    lifecycle: Lifecycle,
) {
    let server = Arc::new(Server::new(app, refuse_head, lifecycle, WRITE_TIMEOUT));
    let mut drained = pin!(server.drained());
    loop {
        let accepted = tokio::select! {
            // Pending connections are accepted first, even if the process was too busy to do so while it drained.
            biased;
            accepted = listener.accept() => accepted,
            () = &mut drained => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most likely out of file descriptors: open connections must end first.
                tracing::warn!(%error, "connection not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(admission) = connections.admit(peer.ip()) else { continue };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay not set");
        }
        // Boxed: the layers of a task copy the future that they are given.
        let connection = Box::pin(Arc::clone(&server).serve_connection(stream, peer, admission));
        server.lifecycle.spawn("connection", async move {
            if let Err(error) = connection.await {
                tracing::debug!(error, "connection ended");
            }
        });
    }
}

/// The state that all connections share.
struct Server<S> {
    http: auto::Builder<StreamExecutor>,
    app: S,
    refuse_head: RefuseHead,
    lifecycle: Lifecycle,
    age: ConnectionAge,
}

impl<S: App> Server<S> {
    fn new(app: S, refuse_head: RefuseHead, lifecycle: Lifecycle, write_timeout: Duration) -> Self {
        let mut http = auto::Builder::new(StreamExecutor { timeout: write_timeout });
        http.http1()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            // Without `pipeline_flush`: with it, hyper would never send the response to an unreadable head, which leaves
            // unread bytes.
            .max_buf_size(MAX_HEAD_BYTES);
        http.http2()
            .timer(TokioTimer::new())
            .max_header_list_size(MAX_HEAD_BYTES as u32)
            .max_concurrent_streams(128)
            .max_pending_accept_reset_streams(20)
            .keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        Self { http, app, refuse_head, lifecycle, age: ConnectionAge::default() }
    }

    /// Returns once the drain has begun and everything sent before it has been accepted.
    async fn drained(&self) {
        self.lifecycle.draining().await;
        tokio::time::sleep(DRAIN_SETTLE_TIME).await;
    }
}
