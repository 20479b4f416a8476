//! Tracks whether a request body was read to its end: only then can an HTTP/1.1 connection be reused.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use http::Request;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

#[derive(Debug)]
pub(crate) struct RequestBody {
    body: Incoming,
    is_complete: Arc<AtomicBool>,
}

/// Whether a request body was read to its end.
#[derive(Debug)]
pub(super) struct Reading(Arc<AtomicBool>);

impl Reading {
    /// Observes how a request body is read.
    pub(super) fn of(request: Request<Incoming>) -> (Request<RequestBody>, Self) {
        let is_complete = Arc::new(AtomicBool::new(request.body().is_end_stream()));
        let reading = Self(Arc::clone(&is_complete));
        (request.map(|body| RequestBody { body, is_complete }), reading)
    }

    /// Whether the body has been read to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.is_complete.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
