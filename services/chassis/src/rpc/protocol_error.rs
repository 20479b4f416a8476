//! Errors that tonic answers by itself, before or after a handler: their statuses carry no
//! `google.rpc` details, and some name inner types. They become errors of ours here.
use http::HeaderMap;
use tonic::{Code, Status};

use crate::error::{Error, ErrorCode};

/// How tonic's texts for requests that are no message of the method begin. All are INTERNAL, as are
/// faults of our own.
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
    // Only the code is left of a status that no header holds; ours are text.
    if described.add_header(headers).is_err() {
        headers.insert(Status::GRPC_STATUS, (described.code() as i32).into());
    }
}

/// The error of a request that could not be read, by the status that tonic gives for it.
pub fn request_error(status: &Status) -> Error {
    let message = status.message();
    match status.code() {
        Code::Internal if MALFORMED_REQUEST.iter().any(|text| message.starts_with(text)) => {
            Error::new(ErrorCode::Parameter, "the request is not a message of this rpc")
        }
        Code::OutOfRange | Code::ResourceExhausted => Error::of(ErrorCode::TooLarge),
        // Which compression is supported, for instance; empty for an rpc that does not exist.
        Code::Unimplemented if message.is_empty() => Error::of(ErrorCode::Unimplemented),
        Code::Unimplemented => Error::new(ErrorCode::Unimplemented, message),
        _ => Error::from(status),
    }
}
