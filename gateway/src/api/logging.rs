//! Converts errors of services to failures for callers, and logs them.

use sahm_chassis::error::{Error, ErrorCode};
use tracing::Level;

use super::{envelope::Failure, operation::Operation};

/// Logs a service's error with the operation, and returns the failure for the caller.
pub(super) fn logged_failure(operation: &Operation, error: &Error) -> Failure {
    let Operation { template, policy, .. } = operation;
    let failure = Failure::of(error).of_operation(policy);
    let (call, name, id, source) =
        (template, error.code().name(), failure.id.as_deref(), error.log_source());
    match level(&policy.expected_errors, error.code()) {
        Level::ERROR => tracing::error!(call, error = name, id, source, "call failed"),
        Level::WARN => tracing::warn!(call, error = name, source, "call failed"),
        _ => tracing::info!(call, error = name, "call refused"),
    }
    failure
}

/// Log level of an error: `INFO` for the caller's mistakes and for expected missing items.
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
    fn unexpected_missing_items_are_logged_as_warnings() {
        let articles = [ErrorCode::ArticleNotFound];
        struct Case<'a> {
            expected: &'a [ErrorCode],
            code: ErrorCode,
            level: Level,
        }
        for case in [
            Case { expected: &articles, code: ErrorCode::ArticleNotFound, level: Level::INFO },
            Case { expected: &articles, code: ErrorCode::CourseNotFound, level: Level::WARN },
            Case { expected: &[], code: ErrorCode::ArticleNotFound, level: Level::WARN },
            Case { expected: &[], code: ErrorCode::Parameter, level: Level::INFO },
            Case { expected: &articles, code: ErrorCode::Unavailable, level: Level::WARN },
            Case { expected: &articles, code: ErrorCode::Internal, level: Level::ERROR },
        ] {
            let Case { expected, code, .. } = case;
            assert_eq!(level(expected, code), case.level, "{expected:?} {code:?}");
        }
    }
}
