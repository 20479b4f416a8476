//! Adds details to errors that tonic itself returns, before or after a handler. Their statuses
//! carry no `google.rpc` details, and some contain names of inner types.
use http::HeaderMap;
use tonic::{Code, Status};

use crate::error::{Error, ErrorCode};

/// Prefixes of tonic's messages for requests that cannot be decoded. Their code is INTERNAL, like
/// that of server errors.
const MALFORMED_REQUEST: [&str; 5] = [
    "failed to decode Protobuf message",
    "Missing request message",
    "Unexpected EOF decoding stream",
    "Error decompressing",
    "protocol error",
];

/// Replaces a failed call's status in `headers` or trailers, where it lacks details.
pub(super) fn add_details(headers: &mut HeaderMap) {
    let Some(status) = Status::from_header_map(headers) else { return };
    if status.code() == Code::Ok || !status.details().is_empty() {
        return;
    }
    for name in [Status::GRPC_STATUS, Status::GRPC_MESSAGE] {
        headers.remove(name);
    }
    let described = Status::from(request_error(&status));
    // A status that does not fit into headers keeps only its code; ours consist of text.
    if described.add_header(headers).is_err() {
        headers.insert(Status::GRPC_STATUS, (described.code() as i32).into());
    }
}

/// The error for a request that could not be decoded, by tonic's status.
pub fn request_error(status: &Status) -> Error {
    let message = status.message();
    match status.code() {
        Code::Internal if MALFORMED_REQUEST.iter().any(|text| message.starts_with(text)) => {
            Error::new(ErrorCode::Parameter, "the request is not a message of this rpc")
        }
        Code::OutOfRange | Code::ResourceExhausted => Error::of(ErrorCode::TooLarge),
        // The message names the supported compression, for instance; it is empty for an unknown
        // rpc.
        Code::Unimplemented if message.is_empty() => Error::of(ErrorCode::Unimplemented),
        Code::Unimplemented => Error::new(ErrorCode::Unimplemented, message),
        _ => Error::from(status),
    }
}
