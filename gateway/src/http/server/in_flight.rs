//! Responses in flight on an HTTP/2 connection, which may close after a while without any.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::sleep;

use super::progress::{self, Progress};
use crate::limits::Permit;

/// Largest piece of a response that is handed to HTTP/2 at once, so that a client that reads nothing is noticed.
const MAX_PIECE_BYTES: usize = 16 << 10;

/// Counts the responses that have started and those that have ended.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    started: AtomicU64,
    ended: AtomicU64,
}

impl InFlight {
    /// Starts a response; it ends when the guard is dropped.
    pub(super) fn begin(in_flight: &Arc<Self>) -> InFlightGuard {
        in_flight.started.fetch_add(1, Ordering::Relaxed);
        InFlightGuard(Arc::clone(in_flight))
    }

    /// Returns once nothing has been in flight for at least `time` and at most twice that.
    pub(super) async fn idle_for(&self, time: Duration) {
        loop {
            let started = self.started.load(Ordering::Relaxed);
            let is_idle = self.ended.load(Ordering::Relaxed) == started;
            sleep(time).await;
            if is_idle && self.started.load(Ordering::Relaxed) == started {
                return;
            }
        }
    }
}

/// A response in flight.
#[derive(Debug)]
pub(super) struct InFlightGuard(Arc<InFlight>);

impl InFlightGuard {
    /// Wraps the body; the response ends, and `permit` is released, at the end of the body.
    pub(super) fn with<B>(self, body: B, permit: Option<Permit>) -> InFlightBody<B> {
        InFlightBody {
            body,
            rest: Bytes::new(),
            progress: progress::current(),
            _guard: self,
            _permit: permit,
        }
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of a response in flight, in pieces. The last byte is a piece of its own: it is polled only when the
/// client's window has taken everything before it, so that the response of a client that reads nothing stays in
/// flight, however short it is.
pub(super) struct InFlightBody<B> {
    body: B,
    /// The rest of the body's last frame.
    rest: Bytes,
    progress: Option<Arc<Progress>>,
    _guard: InFlightGuard,
    _permit: Option<Permit>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for InFlightBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if self.rest.is_empty() {
            let polled = Pin::new(&mut self.body).poll_frame(context);
            if let Some(progress) = &self.progress {
                progress.note(polled.is_ready());
            }
            match ready!(polled) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return Poll::Ready(other),
            }
        } else if let Some(progress) = &self.progress {
            progress.note(true);
        }
        let length = match self.rest.len() {
            length if length > MAX_PIECE_BYTES => MAX_PIECE_BYTES,
            length if length > 1 && self.body.is_end_stream() => length - 1,
            length => length,
        };
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.rest.is_empty() {
            true => self.body.size_hint(),
            false => SizeHint::default(),
        }
    }
}
