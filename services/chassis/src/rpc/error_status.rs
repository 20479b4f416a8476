//! Domain errors as gRPC statuses with `google.rpc` details, and back (docs/errors.md#grpc).
use std::borrow::Cow;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::error::{Error, ErrorCode, FieldError};

/// The `domain` of every `google.rpc.ErrorInfo` that our services send.
const DOMAIN: &str = "sahm";

/// The key of [`ErrorCode::name`] in `google.rpc.ErrorInfo.metadata`.
const NAME_KEY: &str = "name";
/// The key of [`ErrorCode::number`] in `google.rpc.ErrorInfo.metadata`.
const NUMBER_KEY: &str = "code";

/// Upper bounds on the contents of one status. gRPC clients reject trailers above 8 KiB, and texts
/// may quote the caller's input.
const MAX_TEXT_CHARS: usize = 128;
const MAX_FIELDS_BYTES: usize = 1536;
/// Length of the beginning and of the end of a longer text that are kept; they contain the reason.
const KEPT_HEAD_CHARS: usize = 32;
const KEPT_TAIL_CHARS: usize = 32;

/// The code of a `grpc-status` header or trailer.
pub(super) fn code_of(status: Option<&http::HeaderValue>) -> Code {
    status.map_or(Code::Unknown, |status| Code::from_bytes(status.as_bytes()))
}

impl ErrorCode {
    /// The gRPC code.
    fn grpc(self) -> Code {
        match self {
            ErrorCode::Parameter | ErrorCode::Rejected => Code::InvalidArgument,
            ErrorCode::TooLarge | ErrorCode::TooMany => Code::ResourceExhausted,
            ErrorCode::NotLoggedIn | ErrorCode::SessionExpired | ErrorCode::CallerTokenRequired => {
                Code::Unauthenticated
            }
            ErrorCode::SignatureInvalid | ErrorCode::Forbidden | ErrorCode::GatewayOnly => {
                Code::PermissionDenied
            }
            ErrorCode::ArticleNotFound
            | ErrorCode::CourseNotFound
            | ErrorCode::DocumentNotFound
            | ErrorCode::NotFound => Code::NotFound,
            ErrorCode::MethodNotAllowed | ErrorCode::Unimplemented => Code::Unimplemented,
            ErrorCode::Conflict => Code::AlreadyExists,
            ErrorCode::FailedPrecondition => Code::FailedPrecondition,
            // Not UNAVAILABLE, because neither a retry nor another replica helps.
            ErrorCode::TurnedOff => Code::FailedPrecondition,
            ErrorCode::Internal => Code::Internal,
            ErrorCode::Unavailable => Code::Unavailable,
            ErrorCode::Timeout => Code::DeadlineExceeded,
        }
    }

    /// The code for a status without our details.
    fn from_grpc(code: Code) -> ErrorCode {
        match code {
            Code::InvalidArgument => ErrorCode::Parameter,
            // tonic's code for a message that exceeds its size limit.
            Code::OutOfRange => ErrorCode::TooLarge,
            Code::Unauthenticated => ErrorCode::NotLoggedIn,
            Code::PermissionDenied => ErrorCode::Forbidden,
            Code::NotFound => ErrorCode::NotFound,
            Code::AlreadyExists | Code::Aborted => ErrorCode::Conflict,
            Code::FailedPrecondition => ErrorCode::FailedPrecondition,
            Code::ResourceExhausted => ErrorCode::TooMany,
            // A peer that lacks the rpc is another service or another release of this one.
            Code::Unavailable | Code::Unimplemented | Code::Cancelled => ErrorCode::Unavailable,
            Code::DeadlineExceeded => ErrorCode::Timeout,
            Code::Ok | Code::Unknown | Code::Internal | Code::DataLoss => ErrorCode::Internal,
        }
    }
}

impl From<Error> for Status {
    /// Logs the source, which is not sent, and transfers code, message and fields. The status fits
    /// into 4 KiB of trailers: long texts are cut in the middle, and excess fields are left out.
    fn from(error: Error) -> Status {
        error.log();
        let mut details = ErrorDetails::new();
        let metadata = [
            (NAME_KEY.to_owned(), error.code().name().to_owned()),
            (NUMBER_KEY.to_owned(), error.code().number().to_string()),
        ];
        details.set_error_info(error.code().reason(), DOMAIN, metadata);
        let mut size = 0;
        for FieldError { field, why } in error.fields() {
            let (field, why) = (bounded(field), bounded(why));
            size += field.len() + why.len();
            if size > MAX_FIELDS_BYTES {
                break;
            }
            details.add_bad_request_violation(field, why);
        }
        if error.retry_after().is_some() {
            details.set_retry_info(error.retry_after());
        }
        Status::with_error_details(error.code().grpc(), bounded(error.message()), details)
    }
}

/// A text of at most [`MAX_TEXT_CHARS`]; a longer one is cut in the middle.
fn bounded(text: &str) -> Cow<'_, str> {
    if text.chars().nth(MAX_TEXT_CHARS).is_none() {
        return text.into();
    }
    let head = text.char_indices().nth(KEPT_HEAD_CHARS).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().nth_back(KEPT_TAIL_CHARS - 1).map_or(0, |(at, _)| at);
    format!("{}…{}", &text[..head], &text[tail..]).into()
}

impl From<&Status> for Error {
    /// Restores our details; a status without them is mapped by its gRPC code. The peer's message
    /// is kept for the log only.
    fn from(status: &Status) -> Error {
        let details = status.get_error_details();
        let ours = details.error_info().filter(|info| info.domain == DOMAIN);
        let by_name = |name: &String| ErrorCode::from_name(name);
        let code = ours
            .and_then(|info| {
                let number =
                    || info.metadata.get(NUMBER_KEY)?.parse().ok().and_then(ErrorCode::from_number);
                info.metadata.get(NAME_KEY).and_then(by_name).or_else(number)
            })
            .unwrap_or_else(|| ErrorCode::from_grpc(status.code()));
        let mut error = Error::of(code);
        if let Some(request) = details.bad_request() {
            for violation in &request.field_violations {
                error = error.and_field(&violation.field, &violation.description);
            }
        }
        if let Some(delay) = details.retry_info().and_then(|info| info.retry_delay) {
            error = error.with_retry_after(delay);
        }
        error.with_source(format!("{:?}: {}", status.code(), status.message()))
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Error {
        Error::from(&status)
    }
}

#[cfg(test)]
mod tests;
