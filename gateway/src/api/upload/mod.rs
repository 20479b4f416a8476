//! Feedback with files: a multipart form that is forwarded to identity while it is received. Identity validates the
//! contents of the files; the gateway only limits their number and size.

mod forwarder;

use std::{
    net::IpAddr,
    pin::{Pin, pin},
    sync::OnceLock,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::Stream;
use http::{HeaderMap, StatusCode, header};
use multer::{Constraints, Multipart, SizeLimit};
use prost_reflect::DynamicMessage;
use sahm_chassis::{
    error::{Error, ErrorCode},
    rpc,
};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

#[cfg(test)]
pub(super) use self::forwarder::MAX_FILES;
use self::forwarder::{Forwarded, MultipartForwarder, too_large};
use super::{
    body::announced_length,
    call_context::{CALL_TIMEOUT, CallContext},
    envelope::Failure,
    logging::logged_failure,
    params::is_encoded,
};
use crate::{
    dynamic_grpc_client::Rpc,
    limits::{ConcurrencyLimit, Permit, UPLOADS},
    services::Services,
    visitor::Locale,
};

/// Timeout of a whole upload, for slow connections.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// Capacity of the channel between form and service; each message holds a chunk.
const CHANNEL_MESSAGES: usize = 4;

pub(super) struct Uploads {
    services: Services,
    permits: ConcurrencyLimit,
}

/// Opens a form of at most `max_bytes`.
///
/// # Errors
/// 415 for another content type, 413 for a larger `Content-Length`.
pub(super) fn multipart(
    headers: &HeaderMap,
    body: Body,
    max_bytes: usize,
) -> Result<Multipart<'static>, Failure> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.filter(|_| !is_encoded(headers));
    let boundary = content_type.and_then(|text| multer::parse_boundary(text).ok());
    let boundary = boundary.ok_or_else(|| {
        let why = "must be multipart/form-data with a boundary";
        Failure::body(StatusCode::UNSUPPORTED_MEDIA_TYPE, why)
    })?;
    let max_bytes = max_bytes as u64;
    if announced_length(headers) > max_bytes {
        return Err(too_large(max_bytes));
    }
    let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(max_bytes));
    let chunks = Backpressured { chunks: body.into_data_stream(), has_given: false };
    Ok(Multipart::with_constraints(chunks, boundary, constraints))
}

/// Yields at most one chunk per poll. The parser buffers all chunks that are ready, which would be most of an upload if
/// the service is slower than the client.
struct Backpressured {
    chunks: BodyDataStream,
    has_given: bool,
}

impl Stream for Backpressured {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, axum::Error>>> {
        if std::mem::take(&mut self.has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut self.chunks).poll_next(context);
        self.has_given = polled.is_ready();
        polled
    }
}

impl Uploads {
    /// `by_address`: whether the permits of one address are limited.
    pub(super) fn new(services: &Services, by_address: bool) -> Self {
        let permits = ConcurrencyLimit::new(UPLOADS, by_address);
        Self { services: services.clone(), permits }
    }

    /// # Errors
    /// 503 if the address or the process has no permit left.
    pub(super) fn admit(&self, address: IpAddr) -> Result<Permit, Failure> {
        let permit = self.permits.acquire(address).ok();
        permit.ok_or_else(|| Failure::wait(ErrorCode::Unavailable, Duration::ZERO))
    }

    /// Forwards a form. Returns identity's response, and the locale of messages, from the form if it names one.
    pub(super) async fn submit(
        &self,
        form: Multipart<'_>,
        context: &CallContext<'_>,
        rpc: &Rpc,
    ) -> (Result<DynamicMessage, Failure>, Locale) {
        let form_locale = OnceLock::new();
        let forwarding = self.forward(form, context, rpc, &form_locale);
        let result = rpc::with_deadline(UPLOAD_TIMEOUT, forwarding).await;
        let result = result.unwrap_or_else(|timeout| Err(Failure::of(&timeout)));
        (result, form_locale.into_inner().unwrap_or(context.locale))
    }

    async fn forward(
        &self,
        form: Multipart<'_>,
        context: &CallContext<'_>,
        rpc: &Rpc,
        form_locale: &OnceLock<Locale>,
    ) -> Result<DynamicMessage, Failure> {
        let (sender, receiver) = mpsc::channel(CHANNEL_MESSAGES);
        let operation = context.operation;
        let response = async {
            let response = self.call(rpc, receiver).await;
            response.map_err(|error| logged_failure(operation, &error))
        };
        let mut response = pin!(response);
        // Declared after the call and so dropped before it, so that the call still sends the error that ends the
        // messages.
        let mut forwarder = MultipartForwarder::new(rpc, operation, sender, form_locale);
        tokio::select! {
            forwarded = forwarder.run(form) => forwarded?,
            // The service responded before the end of the form.
            early = &mut response => return early,
        }
        let response = rpc::with_deadline(CALL_TIMEOUT, response).await;
        response.unwrap_or_else(|timeout| Err(logged_failure(operation, &timeout)))
    }

    /// Calls identity with the messages, which end with an error unless the form is complete. The call starts with the
    /// first message, so that an idle form does not reach identity.
    async fn call(
        &self,
        rpc: &Rpc,
        mut receiver: mpsc::Receiver<Forwarded>,
    ) -> Result<DynamicMessage, Error> {
        let first = receiver.recv().await;
        let broken_off = Some(Err(tonic::Status::cancelled("broken off")));
        let messages = tokio_stream::iter(first)
            .chain(ReceiverStream::new(receiver))
            .map(|message| message.map(Ok))
            .chain(tokio_stream::once(broken_off))
            .map_while(|message| message);
        rpc.client_streaming(&self.services, messages).await
    }
}
