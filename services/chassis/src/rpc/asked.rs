//! A call from its caller's side, counted once when it ends, also when the caller gives it up.
//! Its span ends then too.
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use bytes::Bytes;
use http::Response;
use http_body::{Frame, SizeHint};
use tonic::{Code, Status, body::Body};
use tracing::Span;

use super::{
    figures::{self, Side},
    server::code_of,
    spans,
};

/// A call that has begun.
pub(super) struct Asked {
    /// Taken when it is counted.
    method: Option<&'static str>,
    began: Instant,
    span: Span,
}

impl Asked {
    pub(super) fn new(path: &str) -> Asked {
        let span = spans::client(path);
        Asked { method: Some(figures::label(path)), began: Instant::now(), span }
    }

    /// Around the work of making the call.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Counts the call with the code it ended with; the first one counts.
    pub(super) fn end(&mut self, code: Code) {
        if let Some(method) = self.method.take() {
            figures::record(Side::Client, figures::package(method), method, code, self.began);
            spans::end(&self.span, Side::Client, code);
        }
    }

    /// Follows an answer to its end.
    pub(super) fn follow(mut self, response: Response<Body>) -> Response<Body> {
        if let Some(status) = response.headers().get(Status::GRPC_STATUS) {
            self.end(code_of(Some(status)));
            return response;
        }
        response.map(|inner| Body::new(Answer { inner, asked: self }))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

struct Answer {
    inner: Body,
    asked: Asked,
}

impl http_body::Body for Answer {
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
                    this.asked.end(code_of(trailers.get(Status::GRPC_STATUS)));
                }
            }
            Poll::Ready(Some(Err(status))) => this.asked.end(status.code()),
            Poll::Ready(None) => this.asked.end(Code::Unknown),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
