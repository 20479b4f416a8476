//! What is under way on one connection of HTTP/2: a client that asks nothing more has no need of it.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use http_body::{Body, Frame, SizeHint};
use tokio::time::sleep;

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
    /// An answer's body, at whose end it has ended.
    pub(super) fn with<B>(self, body: B) -> Answer<B> {
        Answer { body, _begun: self }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The body of an answer under way.
#[derive(Debug)]
pub(super) struct Answer<B> {
    body: B,
    _begun: Begun,
}

impl<B: Body + Unpin> Body for Answer<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
