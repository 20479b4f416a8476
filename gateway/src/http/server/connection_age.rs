//! The maximum age of HTTP/2 connections. A client that never opens a stream's flow-control window holds its response
//! and cannot be told from a client that paused; closing the connection bounds that. Clients that reconnect also reach
//! new replicas.
//!
//! HTTP/1.1 needs no maximum age: hyper closes idle connections, and the write timeout closes those whose client reads
//! nothing.

use std::time::Duration;

use tokio::time::sleep;

/// The phases of a connection's life.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionAge {
    /// After this time without a request, GOAWAY asks the client to reconnect.
    pub(super) idle: Duration,
    /// After about this time GOAWAY is sent in any case.
    max_age: Duration,
    /// The time that responses in flight then have to complete, as in a drain.
    pub(super) grace: Duration,
}

impl Default for ConnectionAge {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(120),
            max_age: Duration::from_secs(3600),
            grace: Duration::from_secs(300),
        }
    }
}

impl ConnectionAge {
    /// Returns when the connection has reached its age, which is randomised so that clients that connected together do
    /// not reconnect together.
    pub(super) async fn reached(self) {
        sleep(self.max_age.mul_f64(0.9 + rand::random::<f64>() / 5.0)).await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::{convert::Infallible, sync::Arc};

    use axum::body::Body;
    use bytes::Bytes;
    use http::{Request, Response};
    use http_body_util::{BodyExt, Empty};
    use hyper::client::conn::http2::{Builder, SendRequest};
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use sahm_chassis::{
        lifecycle::Lifecycle,
        settings::{Process, Settings},
    };
    use tokio::{
        net::{TcpListener, TcpStream},
        task::JoinHandle,
        time::{Instant, timeout},
    };

    use super::{
        super::{App, RequestBody, Server},
        *,
    };
    use crate::limits::Connections;

    const LONG: Duration = Duration::from_secs(3600);
    const SHORT: Duration = Duration::from_millis(300);
    const PAGE: usize = 100 << 10;

    fn pages() -> impl App {
        tower::service_fn(async |_: Request<RequestBody>| {
            Ok::<_, Infallible>(Response::new(Body::from(vec![7; PAGE])))
        })
    }

    /// A client with stream windows of this many bytes, and the tasks of its connection and its server.
    async fn client(
        age: ConnectionAge,
        write_timeout: Duration,
        window: u32,
    ) -> (SendRequest<Empty<Bytes>>, JoinHandle<()>, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
        let connections = Connections::new(&settings);
        let server = Server::new(pages(), |_| Bytes::new(), Lifecycle::new(), write_timeout);
        let server = Arc::new(Server { age, ..server });
        let serving = tokio::spawn(async move {
            let (stream, peer) = listener.accept().await.unwrap();
            let admission = connections.admit(peer.ip()).unwrap();
            let _ = server.serve_connection(stream, peer, admission).await;
        });
        let io = TokioIo::new(TcpStream::connect(address).await.unwrap());
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (sender, connection) = builder.handshake(io).await.unwrap();
        let connection = tokio::spawn(async move {
            let _ = connection.await;
        });
        (sender, connection, serving)
    }

    fn page() -> Request<Empty<Bytes>> {
        Request::get("http://x/").body(Empty::new()).unwrap()
    }

    #[tokio::test]
    async fn a_window_that_never_opens_does_not_keep_the_connection() {
        for (idle, max_age) in [(SHORT, LONG), (LONG, SHORT)] {
            let age = ConnectionAge { idle, max_age, grace: SHORT };
            let (mut sender, _connection, serving) = client(age, SHORT, 100).await;
            let mut unread = sender.send_request(page()).await.unwrap().into_body();
            assert_eq!(unread.frame().await.unwrap().unwrap().into_data().unwrap().len(), 100);
            // Not consumed, so that the window for the next 100 bytes stays closed.
            timeout(Duration::from_secs(10), serving).await.unwrap().unwrap();
            drop(unread);
        }
    }

    #[tokio::test]
    async fn stream_whose_window_stays_shut_is_reset_and_others_are_served() {
        let age = ConnectionAge { idle: LONG, max_age: LONG, grace: LONG };
        // 1 byte: the response is sent in part; 0: not at all.
        for window in [0, 1] {
            let (mut sender, _connection, _serving) = client(age, SHORT, window).await;
            let mut stuck = Vec::new();
            for _ in 0..20 {
                stuck.push(sender.send_request(page()).await.unwrap().into_body());
            }
            for body in &mut stuck {
                let read = timeout(Duration::from_secs(10), async {
                    while let Some(frame) = body.frame().await {
                        // Keeps the window closed.
                        std::mem::forget(frame?);
                    }
                    Ok::<_, hyper::Error>(())
                });
                assert!(read.await.unwrap().is_err(), "the stream goes on");
            }
            // The connection itself stays usable.
            assert_eq!(sender.send_request(page()).await.unwrap().status(), 200);
        }
    }

    #[tokio::test]
    async fn slow_reader_that_makes_progress_gets_the_whole_response() {
        let age = ConnectionAge { idle: LONG, max_age: LONG, grace: LONG };
        let (mut sender, _connection, _serving) = client(age, SHORT, 16 << 10).await;
        let mut body = sender.send_request(page()).await.unwrap().into_body();
        let mut length = 0;
        while let Some(frame) = body.frame().await {
            length += frame.unwrap().into_data().unwrap().len();
            sleep(SHORT / 6).await;
        }
        assert_eq!(length, PAGE);
    }

    #[tokio::test]
    async fn a_client_with_occasional_requests_stays_connected() {
        let age = ConnectionAge { idle: SHORT, max_age: LONG, grace: SHORT };
        let (mut sender, _connection, serving) = client(age, LONG, 1 << 20).await;
        let began = Instant::now();
        while began.elapsed() < SHORT * 4 {
            let response = sender.send_request(page()).await.unwrap();
            assert_eq!(response.into_body().collect().await.unwrap().to_bytes().len(), PAGE);
            sleep(SHORT / 10).await;
        }
        timeout(Duration::from_secs(10), serving).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn responses_in_flight_are_completed_after_goaway() {
        let age = ConnectionAge { idle: LONG, max_age: SHORT, grace: LONG };
        let (mut sender, connection, serving) = client(age, LONG, 64 << 10).await;
        let response = sender.send_request(page()).await.unwrap();
        sleep(SHORT * 2).await;
        assert_eq!(response.into_body().collect().await.unwrap().to_bytes().len(), PAGE);
        for task in [connection, serving] {
            timeout(Duration::from_secs(10), task).await.unwrap().unwrap();
        }
    }
}
