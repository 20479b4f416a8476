//! What is under way on one connection of HTTP/2: a client that asks nothing more has no need of it.

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
use crate::limits::Place;

/// Bytes that HTTP/2 is given of a response at once: a client that takes none of them shows it.
const MAX_PIECE_BYTES: usize = 16 << 10;

/// How many answers were begun and handed on to their end.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    begun: AtomicU64,
    ended: AtomicU64,
}

impl UnderWay {
    /// An answer begins; dropped, it has ended.
    pub(super) fn begin(under_way: &Arc<Self>) -> Begun {
        under_way.begun.fetch_add(1, Ordering::Relaxed);
        Begun(Arc::clone(under_way))
    }

    /// Returns once nothing was asked or on its way for at least `time`, and at most twice it.
    pub(super) async fn has_nothing_for(&self, time: Duration) {
        loop {
            let begun = self.begun.load(Ordering::Relaxed);
            let is_idle = self.ended.load(Ordering::Relaxed) == begun;
            sleep(time).await;
            if is_idle && self.begun.load(Ordering::Relaxed) == begun {
                return;
            }
        }
    }
}

/// An answer under way.
#[derive(Debug)]
pub(super) struct Begun(Arc<UnderWay>);

impl Begun {
    /// An answer's body, at whose end it has ended; `place` is held as long.
    pub(super) fn with<B>(self, body: B, place: Option<Place>) -> Answer<B> {
        Answer {
            body,
            rest: Bytes::new(),
            progress: progress::current(),
            _begun: self,
            _place: place,
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of an answer under way, given out in pieces. The last byte is a piece of its own: it is
/// asked for only when the client's window has taken all before it, so that a client that takes
/// nothing keeps the answer under way, however short it is.
pub(super) struct Answer<B> {
    body: B,
    /// What is left of the body's last frame.
    rest: Bytes,
    progress: Option<Arc<Progress>>,
    _begun: Begun,
    _place: Option<Place>,
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answer<B> {
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
        let (body, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(body.lower() + rest);
        hint
    }
}
