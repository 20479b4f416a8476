//! The log level and content for calls that failed.

use sahm_chassis::error::{Error, ErrorCode};
use tracing::Level;

/// Logs why a call failed; `expected` are errors of its normal use, `id` is what its caller was told.
pub(super) fn log_failure(call: &str, expected: &[ErrorCode], error: &Error, id: Option<&str>) {
    let code = error.code();
    let name = code.name();
    let source = error.log_source();
    match level(expected, code) {
        Level::ERROR => tracing::error!(call, error = name, id, source, "call failed"),
        Level::WARN => tracing::warn!(call, error = name, source, "call failed"),
        _ => tracing::info!(call, error = name, "call refused"),
    }
}

/// Log level of a failure: information for a caller's own mistake, and for a missing item where
/// one is expected.
fn level(expected: &[ErrorCode], code: ErrorCode) -> Level {
    match code {
        ErrorCode::Internal => Level::ERROR,
        ErrorCode::Unavailable | ErrorCode::Unimplemented | ErrorCode::Timeout => Level::WARN,
        ErrorCode::ArticleNotFound
        | ErrorCode::CourseNotFound
        | ErrorCode::DocumentNotFound
        | ErrorCode::NotFound
            if !expected.contains(&code) =>
        {
            Level::WARN
        }
        _ => Level::INFO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_is_warning_for_missing_items_that_are_not_expected() {
        let articles = [ErrorCode::ArticleNotFound];
        let cases = [
            (&articles[..], ErrorCode::ArticleNotFound, Level::INFO),
            (&articles[..], ErrorCode::CourseNotFound, Level::WARN),
            (&[], ErrorCode::ArticleNotFound, Level::WARN),
            (&[], ErrorCode::Parameter, Level::INFO),
            (&articles[..], ErrorCode::Unavailable, Level::WARN),
            (&articles[..], ErrorCode::Internal, Level::ERROR),
        ];
        for (expected, code, logged) in cases {
            assert_eq!(level(expected, code), logged, "{expected:?} {code:?}");
        }
    }
}
