//! One connection: serves its requests, and decides when it closes.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{BoxError, body::Body, extract::ConnectInfo};
use futures_util::{StreamExt, TryFutureExt, stream::FuturesUnordered};
use http::{HeaderValue, Method, Request, Response, StatusCode, Version, header};
use http_body::Body as _;
use http_body_util::Either;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use sahm_chassis::lingering::Lingering;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_io_timeout::TimeoutWriter;

use super::{
    App, HEAD_TIMEOUT, Server, WRITE_TIMEOUT, date,
    head_limit::{HeadLimit, HeadState},
    in_flight::{InFlight, InFlightBody, InFlightGuard},
    request_body::Reading,
};
use crate::{
    http::error_response,
    limits::{AddressShare, Admission},
};

/// HTTP/1.1 sends bodies as they are; HTTP/2 sends them in pieces.
type ResponseBody = Either<Body, InFlightBody<Body>>;

/// The state of one connection that its requests share.
struct Connection<S> {
    server: Arc<Server<S>>,
    peer: SocketAddr,
    share: AddressShare,
    head: Arc<HeadState>,
    in_flight: Arc<InFlight>,
}

impl<S: App> Server<S> {
    /// Serves one client until it, a timeout or the drain ends the connection.
    pub(super) async fn serve_connection(
        self: Arc<Self>,
        stream: TcpStream,
        peer: SocketAddr,
        admission: Admission,
    ) -> Result<(), BoxError> {
        let Admission { permit: _permit, share } = admission;
        let head = Arc::<HeadState>::default();
        let stream = with_write_timeout(Lingering::new(stream), WRITE_TIMEOUT);
        let stream = HeadLimit::new(stream, head.clone(), share.clone(), self.refuse_head);
        let state = Arc::new(Connection {
            server: Arc::clone(&self),
            peer,
            share,
            head,
            in_flight: Arc::default(),
        });
        let requests = Arc::clone(&state);
        let service = service_fn(move |request| Arc::clone(&requests).respond(request));
        let mut connection = pin!(self.http.serve_connection(TokioIo::new(stream), service));
        // `FuturesUnordered` polls the future when it is woken, not whenever the connection is.
        let mut closing = std::iter::once(state.closing()).collect::<FuturesUnordered<_>>();
        tokio::select! {
            biased;
            ended = connection.as_mut() => return ended,
            _ = closing.next() => {}
        }
        connection.as_mut().graceful_shutdown();
        match state.head.is_http2() {
            // The responses in flight.
            true => timeout(self.age.grace, connection).await?,
            false => connection.await,
        }
    }
}

impl<S: App> Connection<S> {
    /// Returns when the connection should accept no more requests.
    async fn closing(&self) {
        let age = self.server.age;
        let expired = async {
            match timeout(HEAD_TIMEOUT, self.head.protocol()).await {
                // Too little was received to detect the protocol.
                Err(_) => {}
                Ok(Version::HTTP_2) => tokio::select! {
                    () = age.reached() => {}
                    () = self.in_flight.idle_for(age.idle) => {}
                },
                // hyper closes idle connections; the write timeout closes those whose client reads nothing.
                Ok(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.server.drained() => {}
            () = expired => {}
        }
    }

    fn begin(&self, request: &Request<Incoming>) -> Option<InFlightGuard> {
        self.head.begin_request(request.version());
        (request.version() == Version::HTTP_2).then(|| InFlight::begin(&self.in_flight))
    }

    /// Not an `async fn`: hyper reserves the space of this future for the whole connection, so a large one would have to
    /// be boxed, also for a hit of the page cache, whose response is ready at once.
    fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<ResponseBody>, Infallible>> {
        let guard = self.begin(&request);
        let is_head = *request.method() == Method::HEAD;
        let (mut request, reading) = Reading::of(request);
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let response = self.server.app.clone().call(request);
        response.map_ok(move |response| self.complete(response, is_head, &reading, guard))
    }

    /// Completes a response of the application with what depends on the connection.
    fn complete(
        &self,
        mut response: Response<Body>,
        is_head: bool,
        reading: &Reading,
        mut guard: Option<InFlightGuard>,
    ) -> Response<ResponseBody> {
        let mut permit = None;
        if guard.is_some() && !response.body().is_end_stream() {
            permit = self.share.unread_response();
            if permit.is_none() {
                response = error_response::unavailable();
            }
        }
        let status = response.status();
        let headers = response.headers_mut();
        date::insert(headers);
        // axum takes the length from the body, which these responses do not have (RFC 9110 §8.6).
        if status == StatusCode::NOT_MODIFIED
            || is_head && headers.get(header::CONTENT_LENGTH).is_some_and(|length| length == "0")
        {
            headers.remove(header::CONTENT_LENGTH);
        }
        // The client must not reuse a connection of HTTP/1.1 that the drain is about to close, or whose request body
        // was not read to its end.
        let is_reusable = !self.server.lifecycle.is_shutting_down() && reading.is_complete();
        if guard.is_none() && !is_reusable {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response.map(|body| match guard.take() {
            Some(guard) => Either::Right(guard.with(body, permit)),
            None => Either::Left(body),
        })
    }
}

/// Fails writes to a stream after `timeout` without progress. Pending data is bounded by the connection's buffers, but
/// without a timeout it would hold them and its response for ever.
fn with_write_timeout<S: AsyncRead + AsyncWrite>(
    stream: S,
    timeout: Duration,
) -> std::pin::Pin<Box<TimeoutWriter<S>>> {
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(timeout));
    Box::pin(stream)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_disconnected() {
        let (_client, server) = duplex(1 << 10);
        let mut server = with_write_timeout(server, WRITE_TIMEOUT);
        let began = Instant::now();
        let error = server.write_all(&[0; 4 << 10]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= WRITE_TIMEOUT && began.elapsed() < WRITE_TIMEOUT * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_that_makes_progress_gets_everything() {
        let (mut client, server) = duplex(1 << 10);
        let mut server = with_write_timeout(server, WRITE_TIMEOUT);
        let sending = tokio::spawn(async move { server.write_all(&[7; 4 << 10]).await });
        let mut taken = 0;
        while taken < 4 << 10 {
            tokio::time::sleep(WRITE_TIMEOUT - Duration::from_secs(1)).await;
            taken += client.read(&mut [0; 512]).await.unwrap();
        }
        sending.await.unwrap().unwrap();
    }
}
