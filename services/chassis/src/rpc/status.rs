//! Helpers for gRPC statuses.
use tonic::Status;

use crate::error::{Error, ErrorCode};

/// The code of a `grpc-status` header or trailer.
pub(super) fn code_of(status: Option<&http::HeaderValue>) -> tonic::Code {
    status.map_or(tonic::Code::Unknown, |status| tonic::Code::from_bytes(status.as_bytes()))
}

/// The status of a stream that the drain ends.
pub(super) fn draining_status() -> Status {
    Error::new(ErrorCode::Unavailable, "draining").into()
}
