//! Observes a response to its last byte: deadline, drain, metrics, log line and audit line.
use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::Response;
use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{BoxFuture, OptionFuture},
};
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};
use tonic::{Code, Status};

use super::{
    audit::Audit,
    call_telemetry::{ObservedCall, ServerLog},
    deadline::sync_scope,
    error_status::code_of,
    protocol_error,
};
use crate::{
    caller::{self, Caller},
    error::{Error, ErrorCode},
    telemetry::{self, RequestLog},
};

/// Writes the audit line and the log line of a call, neither for health and reflection.
pub(super) fn server_log(path: String, audit: Option<Audit>) -> ServerLog {
    Box::new(move |code, elapsed| {
        if path.starts_with("/grpc.") {
            return;
        }
        if let Some(audit) = &audit {
            audit.record(code);
        }
        telemetry::request_log(&RequestLog {
            kind: telemetry::RPC,
            method: "",
            path: &path,
            status: u16::try_from(code as i32).unwrap_or(u16::MAX),
            elapsed,
            detail: "",
        });
    })
}

/// A response body that is observed.
pub(super) struct ObservedBody {
    inner: Option<axum::body::Body>,
    call: ObservedCall,
    caller: Arc<Caller>,
    deadline: Option<tokio::time::Instant>,
    /// Completes when the response must end early.
    end: BoxFuture<'static, Error>,
}

impl ObservedBody {
    /// Observes the response body. `draining` is set if the response is an endless stream.
    pub(super) fn wrap(
        response: Response,
        mut call: ObservedCall,
        caller: Arc<Caller>,
        deadline: Option<tokio::time::Instant>,
        draining: Option<BoxFuture<'static, ()>>,
    ) -> Response {
        if let Some(status) = response.headers().get(Status::GRPC_STATUS) {
            // A response without messages carries its status in the headers.
            call.end(code_of(Some(status)));
            return response;
        }
        let late = OptionFuture::from(deadline.map(tokio::time::sleep_until));
        let draining = OptionFuture::from(draining);
        let end = async {
            tokio::select! {
                biased;
                Some(()) = late => Error::timeout(),
                Some(()) = draining => Error::new(ErrorCode::Unavailable, "draining"),
                else => std::future::pending().await,
            }
        };
        let end = end.boxed();
        response.map(|inner| {
            let inner = Some(inner);
            axum::body::Body::new(ObservedBody { inner, call, caller, deadline, end })
        })
    }

    fn end_with(&mut self, status: Status) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.inner = None;
        self.call.end(status.code());
        let mut trailers = HeaderMap::new();
        match status.add_header(&mut trailers) {
            Ok(()) => Poll::Ready(Some(Ok(Frame::trailers(trailers)))),
            Err(error) => Poll::Ready(Some(Err(axum::Error::new(error)))),
        }
    }
}

impl Body for ObservedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Some(inner) = &mut this.inner else { return Poll::Ready(None) };
        let polled = {
            let _entered = this.call.span().enter();
            let poll = || sync_scope(this.deadline, || Pin::new(inner).poll_frame(cx));
            caller::sync_scope(this.caller.clone(), poll)
        };
        match polled {
            Poll::Ready(Some(Ok(mut frame))) => {
                if let Some(trailers) = frame.trailers_mut() {
                    protocol_error::add_details(trailers);
                    this.call.end(code_of(trailers.get(Status::GRPC_STATUS)));
                }
                return Poll::Ready(Some(Ok(frame)));
            }
            Poll::Ready(Some(Err(error))) => {
                this.call.end(Code::Unknown);
                return Poll::Ready(Some(Err(error)));
            }
            Poll::Ready(None) => {
                this.call.end(Code::Ok);
                return Poll::Ready(None);
            }
            Poll::Pending => {}
        }
        let error = std::task::ready!(this.end.as_mut().poll(cx));
        this.end_with(error.into())
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}
