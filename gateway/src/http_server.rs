//! The public listener: HTTP/1.1 and cleartext HTTP/2 with bounded heads, drained on stop.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use axum::body::Body;
use http::{HeaderValue, Request, Response, Version, header};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
};
use sahm_chassis::lifecycle::Lifecycle;
use tokio::net::TcpListener;

use crate::{lingering::Lingering, patience::Patient};

/// Bytes of a request's head that are read at all. The limits of contract §8 are lower and judged
/// where there is more to say than a status.
const HEAD_BYTES: usize = 96 << 10;

/// How long a client may take to send a request's head, also on an idle connection.
const HEAD_TIME: Duration = Duration::from_secs(15);

const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// What answers requests.
pub(crate) trait Handler: Clone + Send + Sync + 'static {
    /// Answers one request; failures are answers too.
    fn handle(
        &self,
        request: Request<Incoming>,
        peer: SocketAddr,
    ) -> impl Future<Output = Response<Body>> + Send;
}

/// Serves until the drain, then finishes what is under way.
pub(crate) async fn serve(listener: TcpListener, handler: impl Handler, lifecycle: Lifecycle) {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        // No `pipeline_flush`: with it the answer to a head that is too large or no HTTP, which
        // leaves unread bytes, would never be sent.
        .max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(HEAD_BYTES as u32)
        .max_concurrent_streams(128)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    let connections = GracefulShutdown::new();
    let draining = lifecycle.draining();
    tokio::pin!(draining);

    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut draining => break,
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
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay not set");
        }
        let (handler, life) = (handler.clone(), lifecycle.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let (handler, life) = (handler.clone(), life.clone());
            async move {
                let is_h1 = request.version() < Version::HTTP_2;
                let mut response = handler.handle(request, peer).await;
                // A kept connection would end at the drain, perhaps with a request on its way.
                if is_h1 && life.is_leaving() {
                    response.headers_mut().insert(header::CONNECTION, CLOSE);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let stream = TokioIo::new(Patient::new(Lingering::new(stream)));
        let connection = builder.serve_connection(stream, service).into_owned();
        // A connection is moved into its task, and streams keep theirs for long: a pointer is less.
        let connection = Box::pin(connections.watch(connection));
        lifecycle.spawn("connection", async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended");
            }
        });
    }
    drop(listener);
    connections.shutdown().await;
}
