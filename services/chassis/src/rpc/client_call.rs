//! Observes the response of a call on the client side.
use std::{
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::Response;
use http_body::Frame;
use tonic::{Code, Status, body::Body};

use super::{call_telemetry::ObservedCall, error_status::code_of};

/// Observes the body of a response until it ends.
pub(super) fn observe(mut call: ObservedCall, response: Response<Body>) -> Response<Body> {
    if let Some(status) = response.headers().get(Status::GRPC_STATUS) {
        call.end(code_of(Some(status)));
        return response;
    }
    response.map(|inner| Body::new(ObservedResponse { inner, call }))
}

struct ObservedResponse {
    inner: Body,
    call: ObservedCall,
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
