//! A body with a timeout per frame and a deadline.

use std::time::Duration;

use axum::{BoxError, body::Body};
use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use tokio::time::{Instant, timeout_at};

use crate::limits::Permit;

#[derive(Debug, thiserror::Error)]
#[error("the body is too slow")]
pub(super) struct BodyTimeout;

/// Returns a body that fails with [`BodyTimeout`] if a frame takes longer than `frame_timeout`, or the body does not end before `deadline`.
/// It holds `permit` until its end.
pub(super) fn with_timeouts<B>(
    body: B,
    frame_timeout: Duration,
    deadline: Instant,
    permit: Option<Permit>,
) -> Body
where
    B: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    if body.is_end_stream() {
        return Body::empty();
    }
    let frames =
        stream::try_unfold((Box::pin(body), permit), move |(mut body, permit)| async move {
            let ends = (Instant::now() + frame_timeout).min(deadline);
            match timeout_at(ends, body.frame()).await {
                Ok(Some(frame)) => Ok(Some((frame.map_err(Into::into)?, (body, permit)))),
                Ok(None) => Ok(None),
                Err(_) => Err(BoxError::from(BodyTimeout)),
            }
        });
    Body::new(StreamBody::new(frames))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use futures_util::StreamExt;
    use http_body::Frame;

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
        let body = with_timeouts(body, FRAME_TIMEOUT, deadline, None);
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
