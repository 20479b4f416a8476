//! The public listener: HTTP/1.1 and cleartext HTTP/2 by hyper-util's `auto` server, with bounded request heads, bounded
//! connections, and a graceful shutdown.
//!
//! - `connection`: one connection, and how it is closed.
//! - `head_limit`: the size of request heads, and the answers to unreadable ones.
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
use super::error_response::{MAX_HEADER_BYTES, MAX_URL_BYTES};
use crate::limits::Connections;

/// Maximum size of a request head that is read at all, bytes: a URL and headers of their maximum size. Larger ones that
/// fit are rejected later, where the response can be a page.
const MAX_HEAD_BYTES: usize = MAX_URL_BYTES + MAX_HEADER_BYTES;

/// How long a client may take to send a request head, also on an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a client may read nothing while data waits for it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long new connections and requests are still accepted after the drain began: they were sent before it, and wait in
/// the kernel's queues.
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

/// Makes the whole HTTP/1.1 response to a request whose head cannot be read.
pub(crate) type RefuseHead = fn(StatusCode) -> Bytes;

/// Accepts connections until the drain; open ones then complete what is in flight. Connections beyond a limit are
/// closed at once.
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
            // Connections that wait are accepted first, even if the process was too busy for it while it drained.
            biased;
            accepted = listener.accept() => accepted,
            () = &mut drained => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most likely out of descriptors: open connections must end first.
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

/// What all connections share.
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

    /// Returns after the drain began and everything sent before it was accepted.
    async fn drained(&self) {
        self.lifecycle.draining().await;
        tokio::time::sleep(DRAIN_SETTLE_TIME).await;
    }
}
