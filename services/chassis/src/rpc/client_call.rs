//! Metrics and span of a call on the client side, recorded once when it ends or the caller drops
//! it.
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use bytes::Bytes;
use http::Response;
use http_body::Frame;
use tonic::{Code, Status, body::Body};
use tracing::Span;

use super::{
    call_telemetry::{self, Side},
    error_status::code_of,
};

/// A call in progress.
pub(super) struct ClientCall {
    /// Taken when the call is recorded.
    method: Option<&'static str>,
    began: Instant,
    span: Span,
}

impl ClientCall {
    pub(super) fn new(path: &str, server: Option<(&str, u16)>) -> ClientCall {
        let span = call_telemetry::client_span(path, server);
        ClientCall { method: Some(call_telemetry::label(path)), began: Instant::now(), span }
    }

    /// The span around the work of the call.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Records the code that the call ended with; only the first call has an effect.
    pub(super) fn end(&mut self, code: Code) {
        if let Some(method) = self.method.take() {
            let service = call_telemetry::package(method);
            call_telemetry::end(&self.span, Side::Client, service, method, code, self.began);
        }
    }

    /// Observes a response body until it ends.
    pub(super) fn observe(mut self, response: Response<Body>) -> Response<Body> {
        if let Some(status) = response.headers().get(Status::GRPC_STATUS) {
            self.end(code_of(Some(status)));
            return response;
        }
        response.map(|inner| Body::new(ObservedResponse { inner, call: self }))
    }
}

impl Drop for ClientCall {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

struct ObservedResponse {
    inner: Body,
    call: ClientCall,
}

impl http_body::Body for ObservedResponse {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    this.call.end(code_of(trailers.get(Status::GRPC_STATUS)));
                }
            }
            Poll::Ready(Some(Err(status))) => this.call.end(status.code()),
            Poll::Ready(None) => this.call.end(Code::Unknown),
            Poll::Pending => {}
        }
        polled
    }
}
