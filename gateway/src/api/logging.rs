//! Failures of services: what the caller learns and what the log records.

use sahm_chassis::error::{Error, ErrorCode};
use tracing::Level;

use super::{envelope::Failure, operation::Operation};

/// Logs a service's error under the operation's name, and gives what its caller may learn.
pub(super) fn logged_failure(operation: &Operation, error: &Error) -> Failure {
    let Operation { template, policy, .. } = operation;
    let failure = Failure::of(error).of_operation(policy);
    let (call, name, id, source) =
        (template, error.code().name(), failure.id(), error.log_source());
    match level(&policy.expected_errors, error.code()) {
        Level::ERROR => tracing::error!(call, error = name, id, source, "call failed"),
        Level::WARN => tracing::warn!(call, error = name, source, "call failed"),
        _ => tracing::info!(call, error = name, "call refused"),
    }
    failure
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
