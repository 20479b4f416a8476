//! A body with a timeout per frame and a deadline.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::BoxError;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::Permit;

/// A body that fails if a frame takes longer than `frame_timeout`, or the body does not end before `deadline`.
pub(super) struct TimeoutBody<B> {
    body: Pin<Box<B>>,
    frame_timeout: Duration,
    deadline: Instant,
    sleep: Pin<Box<Sleep>>,
    /// Held as long as the body.
    _permit: Option<Permit>,
}

impl<B> TimeoutBody<B> {
    pub(super) fn new(
        body: B,
        frame_timeout: Duration,
        deadline: Instant,
        permit: Option<Permit>,
    ) -> Self {
        let first = (Instant::now() + frame_timeout).min(deadline);
        Self {
            body: Box::pin(body),
            frame_timeout,
            deadline,
            sleep: Box::pin(sleep_until(first)),
            _permit: permit,
        }
    }
}

impl<B> Body for TimeoutBody<B>
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
                let next = (Instant::now() + self.frame_timeout).min(self.deadline);
                self.sleep.as_mut().reset(next);
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(other) => Poll::Ready(other.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => match self.sleep.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err("the body is too slow".into()))),
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

    const FRAME_TIMEOUT: Duration = Duration::from_secs(15);

    /// Length of a body that yields a frame after each pause.
    async fn collected_length(pauses: &[u64], deadline: u64) -> Result<usize, BoxError> {
        let frames = stream::iter(pauses.to_vec()).then(async |pause| {
            tokio::time::sleep(Duration::from_secs(pause)).await;
            Ok::<_, BoxError>(Frame::data(Bytes::from_static(b"x")))
        });
        let body = StreamBody::new(Box::pin(frames));
        let deadline = Instant::now() + Duration::from_secs(deadline);
        let body = TimeoutBody::new(body, FRAME_TIMEOUT, deadline, None);
        Ok(body.collect().await?.to_bytes().len())
    }

    #[tokio::test(start_paused = true)]
    async fn body_fails_on_a_slow_frame_or_after_the_deadline() {
        for (pauses, deadline, length) in [
            (&[0, 1, 14][..], 60, Some(3)),
            (&[16], 60, None),
            (&[1, 16], 60, None),
            (&[14, 14, 14, 14], 60, Some(4)),
            (&[14, 14, 14, 14, 14], 60, None),
            (&[], 60, Some(0)),
        ] {
            assert_eq!(collected_length(pauses, deadline).await.ok(), length, "{pauses:?}");
        }
    }
}
