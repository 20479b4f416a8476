//! A body that is handed on piece by piece, within its time.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::BoxError;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::Permit;

/// A body whose pieces come within `piece` of each other, and all before `end`; else it breaks off.
pub(super) struct Timed<B> {
    body: Pin<Box<B>>,
    piece: Duration,
    end: Instant,
    late: Pin<Box<Sleep>>,
    /// Given back when the body ends.
    _permit: Option<Permit>,
}

impl<B> Timed<B> {
    pub(super) fn new(body: B, piece: Duration, end: Instant, permit: Option<Permit>) -> Self {
        let first = (Instant::now() + piece).min(end);
        Self {
            body: Box::pin(body),
            piece,
            end,
            late: Box::pin(sleep_until(first)),
            _permit: permit,
        }
    }
}

impl<B> Body for Timed<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        match self.body.as_mut().poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let next = (Instant::now() + self.piece).min(self.end);
                self.late.as_mut().reset(next);
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(other) => Poll::Ready(other.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => match self.late.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err("a body came too slowly".into()))),
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use bytes::Bytes;
    use futures_util::{StreamExt, stream};
    use http_body_util::{BodyExt, StreamBody};

    use super::*;

    const PIECE: Duration = Duration::from_secs(15);

    /// Pieces, one after each pause.
    async fn collected(pauses: &[u64], whole: u64) -> Result<usize, BoxError> {
        let pieces = stream::iter(pauses.to_vec()).then(async |pause| {
            tokio::time::sleep(Duration::from_secs(pause)).await;
            Ok::<_, BoxError>(Frame::data(Bytes::from_static(b"x")))
        });
        let body = StreamBody::new(Box::pin(pieces));
        let end = Instant::now() + Duration::from_secs(whole);
        let body = Timed::new(body, PIECE, end, None);
        Ok(body.collect().await?.to_bytes().len())
    }

    #[tokio::test(start_paused = true)]
    async fn slow_bodies_break_off() {
        for (pauses, whole, length) in [
            (&[0, 1, 14][..], 60, Some(3)),
            (&[16], 60, None),
            (&[1, 16], 60, None),
            (&[14, 14, 14, 14], 60, Some(4)),
            (&[14, 14, 14, 14, 14], 60, None),
            (&[], 60, Some(0)),
        ] {
            assert_eq!(collected(pauses, whole).await.ok(), length, "{pauses:?}");
        }
    }
}
