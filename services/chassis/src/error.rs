//! The domain error: its codes with the numbers, names and HTTP statuses of docs/errors.md. The
//! module `rpc` converts it to and from gRPC.
//!
//! An [`Error`] has a message for the caller and a source for the log. Only the message leaves a
//! process.
use std::{fmt, time::Duration};

use strum::{EnumIter, IntoEnumIterator};

/// The kind of an error, by which callers decide how to react.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum ErrorCode {
    /// A parameter is malformed, missing or not allowed.
    Parameter,
    /// The request is larger than the rpc accepts.
    TooLarge,
    /// A well-formed code, password or token that failed verification.
    Rejected,
    /// The request has no session.
    NotLoggedIn,
    /// The session has ended.
    SessionExpired,
    /// A signed token does not verify.
    SignatureInvalid,
    /// The caller is known, but not allowed.
    Forbidden,
    /// The call needs the token of an internal caller.
    CallerTokenRequired,
    /// The call acts for a member, and only the gateway may name members.
    GatewayOnly,
    /// No such news, video or announcement.
    ArticleNotFound,
    /// No such course, category or college article.
    CourseNotFound,
    /// No such help document or channel.
    DocumentNotFound,
    /// No such rpc, file or other item.
    NotFound,
    /// The path exists, but not with this method.
    MethodNotAllowed,
    /// Another item with this name already exists.
    Conflict,
    /// The state of an item does not allow the call.
    FailedPrecondition,
    /// Too many requests; see [`Error::retry_after`].
    TooMany,
    /// A server error.
    Internal,
    /// The service has no such rpc, or does not support a feature of the protocol.
    Unimplemented,
    /// A dependency is unavailable.
    Unavailable,
    /// Operators have turned the feature off.
    TurnedOff,
    /// The deadline has passed.
    Timeout,
}

impl ErrorCode {
    /// Every code.
    pub fn all() -> impl Iterator<Item = ErrorCode> {
        ErrorCode::iter()
    }

    /// Number, stable name, HTTP status, default message.
    fn row(self) -> (u32, &'static str, u16, &'static str) {
        use ErrorCode as E;
        match self {
            E::Parameter => (10000003, "parameter_exception", 400, "invalid parameter"),
            E::TooLarge => (10000003, "too_large", 413, "the request is too large"),
            E::Rejected => (10000003, "rejected", 422, "rejected"),
            E::NotLoggedIn => (10000006, "not_logged_in", 401, "not logged in"),
            E::SessionExpired => (10000007, "session_expired", 401, "session expired"),
            E::SignatureInvalid => (10030001, "signature_invalid", 403, "signature invalid"),
            E::Forbidden => (403, "forbidden", 403, "not allowed"),
            E::CallerTokenRequired => {
                let message = "the token of an internal caller is required";
                (403, "caller_token_required", 403, message)
            }
            E::GatewayOnly => {
                let message = "member metadata is accepted from the gateway only";
                (403, "gateway_only", 403, message)
            }
            E::ArticleNotFound => (20390030, "article_not_found", 404, "article not found"),
            E::CourseNotFound => (20360014, "course_not_found", 404, "course not found"),
            E::DocumentNotFound => (30010002, "document_not_found", 404, "document not found"),
            E::NotFound => (404, "not_found", 404, "not found"),
            E::MethodNotAllowed => (405, "method_not_allowed", 405, "method not allowed"),
            E::Unimplemented => (503, "unimplemented", 503, "this service has no such rpc"),
            E::Conflict => (409, "conflict", 409, "conflict"),
            E::FailedPrecondition => {
                let message = "the state does not allow it";
                (409, "failed_precondition", 409, message)
            }
            E::TooMany => (429, "too_many_requests", 429, "too many"),
            E::Internal => (500, "internal_error", 500, "internal error"),
            E::Unavailable => (503, "unavailable", 503, "unavailable"),
            E::TurnedOff => (503, "turned_off", 503, "turned off for now"),
            E::Timeout => (504, "timeout", 504, "out of time"),
        }
    }

    /// The number in the API's envelope and, as `code`, in the metadata of
    /// `google.rpc.ErrorInfo`.
    pub fn number(self) -> u32 {
        self.row().0
    }

    /// The stable name in the API's envelope (`error`).
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The `reason` of `google.rpc.ErrorInfo`: the name in upper case.
    pub fn reason(self) -> String {
        self.name().to_ascii_uppercase()
    }

    /// The HTTP status.
    pub fn http_status(self) -> u16 {
        self.row().2
    }

    /// The default message for callers.
    pub fn default_message(self) -> &'static str {
        self.row().3
    }

    /// The code with this number; of two with the same number, the first in this order.
    pub fn from_number(number: u32) -> Option<ErrorCode> {
        ErrorCode::all().find(|code| code.number() == number)
    }

    /// The code with this name.
    pub fn from_name(name: &str) -> Option<ErrorCode> {
        ErrorCode::all().find(|code| code.name() == name)
    }
}

/// The error of one field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name in the proto.
    pub field: String,
    /// The reason, for the caller.
    pub why: String,
}

/// The source of an error: an error or a text. anyhow's error would capture a backtrace if
/// `RUST_BACKTRACE` is set, which blocks for seconds while a thread prints one after a panic.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// An error with a message for the caller and a source for the log.
pub struct Error {
    code: ErrorCode,
    message: String,
    fields: Vec<FieldError>,
    retry_after: Option<Duration>,
    source: Option<Source>,
}

/// The result of fallible functions in our processes.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with a message that may leave the process.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Error {
        Error { code, message: message.into(), fields: Vec::new(), retry_after: None, source: None }
    }

    /// The code with its default message.
    pub fn of(code: ErrorCode) -> Error {
        Error::new(code, code.default_message())
    }

    /// [`ErrorCode::Parameter`] because of one field.
    pub fn field(field: impl Into<String>, why: impl Into<String>) -> Error {
        Error::of(ErrorCode::Parameter).and_field(field, why)
    }

    /// [`ErrorCode::Internal`]: the source is logged and not sent to the caller.
    pub fn internal(source: impl Into<Source>) -> Error {
        Error::of(ErrorCode::Internal).with_source(source)
    }

    /// [`ErrorCode::Unavailable`]: the source is logged.
    pub fn unavailable(source: impl Into<Source>) -> Error {
        Error::of(ErrorCode::Unavailable).with_source(source)
    }

    /// [`ErrorCode::Timeout`].
    pub fn timeout() -> Error {
        Error::of(ErrorCode::Timeout)
    }

    /// [`ErrorCode::Rejected`] because of one field.
    pub fn rejected(field: impl Into<String>, why: impl Into<String>) -> Error {
        Error::of(ErrorCode::Rejected).and_field(field, why)
    }

    /// Adds an invalid field.
    pub fn and_field(mut self, field: impl Into<String>, why: impl Into<String>) -> Error {
        self.fields.push(FieldError { field: field.into(), why: why.into() });
        self
    }

    /// Sets the time after which the caller may retry.
    pub fn with_retry_after(mut self, after: Duration) -> Error {
        self.retry_after = Some(after);
        self
    }

    /// Sets the source for the log.
    pub fn with_source(mut self, source: impl Into<Source>) -> Error {
        self.source = Some(source.into());
        self
    }

    /// The code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The message for the caller.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The invalid fields.
    pub fn fields(&self) -> &[FieldError] {
        &self.fields
    }

    /// The time after which the caller may retry.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The source with its causes, for the log only.
    pub fn log_source(&self) -> Option<String> {
        self.source.as_ref().map(|source| with_causes(&**source))
    }

    /// Logs the source: as an error for server errors, otherwise as a warning. Errors without a
    /// source are caused by the caller and are not logged here.
    pub fn log(&self) {
        let Some(source) = self.log_source() else { return };
        let code = self.code.name();
        match self.code {
            ErrorCode::Internal => tracing::error!(code, error = source, "call failed"),
            _ => tracing::warn!(code, error = source, "call failed"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for FieldError { field, why } in &self.fields {
            write!(f, "; {field}: {why}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.code.name())?;
        match self.log_source() {
            Some(source) => write!(f, " ({source})"),
            None => Ok(()),
        }
    }
}

/// An error and its causes in one line: `config.json: no such file`.
pub(crate) fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// An error and its chain of sources.
pub(crate) fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}

#[cfg(test)]
mod tests;
