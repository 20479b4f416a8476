//! `/api/woms/feedback/submit`: a form with files, streamed to identity as it arrives. Identity validates the files by
//! their content; here only their number and size are bounded.

mod forwarder;

use std::{
    net::IpAddr,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, future, stream};
use http::{HeaderMap, StatusCode, header};
use multer::{Constraints, Multipart, SizeLimit};
use prost_reflect::{DescriptorPool, DynamicMessage};
use sahm_chassis::{
    error::{Error, ErrorCode},
    rpc,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use self::forwarder::Feed;
use super::{
    envelope::Failure,
    limits::CALL_TIME,
    params::{Params, is_encoded},
};
use crate::{
    dynamic::Rpc,
    limits::{ConcurrencyLimit, Permit, UPLOADS},
    services::Services,
    visitor::Locale,
};

/// The path.
pub(super) const PATH: &str = "/api/woms/feedback/submit";

/// Service and name of the rpc behind it.
pub(super) const RPC: [&str; 2] = ["sahm.identity.v1.FeedbackService", "SubmitFeedback"];
/// The message with the texts of the form.
pub(super) const HEAD: &str = "sahm.identity.v1.FeedbackHead";
/// The message that is answered.
pub(super) const ANSWER: &str = "sahm.identity.v1.SubmitFeedbackResponse";

/// An upload in all, on a slow line too. Identity itself has no longer than for any other call.
pub(super) const TIME: Duration = Duration::from_secs(60);

/// Files in one form (docs/limits-and-timeouts.md).
pub(super) const FILES: usize = 3;

/// The whole body (docs/limits-and-timeouts.md).
const BODY_BYTES: u64 = 16 << 20;

/// Messages between the form and the service; each holds a chunk as it was read.
const WAITING: usize = 4;

/// Hands uploads on.
pub(super) struct Uploads {
    rpc: Option<Rpc>,
    services: Services,
    permits: ConcurrencyLimit,
}

/// Opens a form. Errors: 415 for another type, 413 for one that says that it is too large.
pub(super) fn multipart(headers: &HeaderMap, body: Body) -> Result<Multipart<'static>, Failure> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let boundary =
        kind.filter(|_| !is_encoded(headers)).and_then(|kind| multer::parse_boundary(kind).ok());
    let boundary = boundary.ok_or_else(|| {
        let why = "must be multipart/form-data with a boundary";
        Failure::body(StatusCode::UNSUPPORTED_MEDIA_TYPE, why)
    })?;
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|text| text.parse().ok()).is_some_and(|length: u64| length > BODY_BYTES) {
        return Err(too_large());
    }
    let limit = SizeLimit::new().whole_stream(BODY_BYTES);
    let constraints = Constraints::new().size_limit(limit);
    let chunks = OneByOne { chunks: body.into_data_stream(), given: false };
    Ok(Multipart::with_constraints(chunks, boundary, constraints))
}

/// Gives one chunk each time it is asked. The parser takes whatever is there at once, and would
/// hold most of an upload whose service is slower than its client.
struct OneByOne {
    chunks: BodyDataStream,
    given: bool,
}

impl Stream for OneByOne {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, axum::Error>>> {
        if std::mem::take(&mut self.given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut self.chunks).poll_next(context);
        self.given = polled.is_ready();
        polled
    }
}

fn too_large() -> Failure {
    Failure::body(StatusCode::PAYLOAD_TOO_LARGE, "is larger than 16 MB")
}

impl Uploads {
    /// Uploads to the identity service; `by_address`: whether one address has a share only.
    pub(super) fn new(pool: &DescriptorPool, services: &Services, by_address: bool) -> Self {
        let rpc = Rpc::find(pool, RPC[0], RPC[1]);
        Self {
            rpc,
            services: services.clone(),
            permits: ConcurrencyLimit::new(UPLOADS, by_address),
        }
    }

    /// The permit for one upload.
    ///
    /// # Errors
    /// 503 where all permits that the address may have are taken.
    pub(super) fn admit(&self, address: Option<IpAddr>) -> Result<Permit, Failure> {
        let permit = match address {
            Some(address) => self.permits.take(address),
            None => self.permits.acquire_global(),
        };
        permit.ok_or_else(|| Failure::wait(ErrorCode::Unavailable, Duration::ZERO))
    }

    /// Hands a form on and gives identity's answer. `locale` judges the language by the texts.
    ///
    /// Errors: outside what is wrong with the form, inside what the service says.
    pub(super) async fn submit(
        &self,
        mut multipart: Multipart<'_>,
        locale: impl FnMut(&Params) -> Locale,
    ) -> Result<Result<DynamicMessage, Error>, Failure> {
        let Some(rpc) = &self.rpc else { return Err(Failure::new(ErrorCode::Unavailable)) };
        let (sender, mut receiver) = mpsc::channel(WAITING);
        let whole = Arc::new(AtomicBool::new(false));
        // The call begins with its first message: a form that has sent none costs identity nothing.
        let mut answer = pin!(async {
            let first = receiver.recv().await;
            rpc.client_streaming(&self.services, messages(first, receiver, &whole)).await
        });
        {
            let mut feed = Feed::new(rpc.input(), sender, locale);
            let mut feeding = pin!(feed.run(&mut multipart));
            tokio::select! {
                fed = &mut feeding => fed?,
                // The service does not want the rest.
                early = &mut answer => return Ok(early),
            }
            // Said while the channel is still open.
            whole.store(true, Ordering::Release);
        }
        // All of it has been sent on.
        Ok(rpc::with_deadline(CALL_TIME, answer).await.and_then(|answered| answered))
    }
}

/// What was fed, and where feeding ended early, for whatever reason, the word that it did: the
/// service never takes a part for the whole.
fn messages(
    first: Option<DynamicMessage>,
    receiver: mpsc::Receiver<DynamicMessage>,
    whole: &Arc<AtomicBool>,
) -> impl Stream<Item = Option<DynamicMessage>> + Send + 'static {
    let whole = whole.clone();
    let end = stream::once(future::lazy(move |_| whole.load(Ordering::Acquire)));
    let broken = end.filter_map(|whole| future::ready((!whole).then_some(None)));
    stream::iter(first).chain(ReceiverStream::new(receiver)).map(Some).chain(broken)
}
