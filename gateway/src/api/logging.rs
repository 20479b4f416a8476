//! The log level and content for calls that failed.

use sahm_chassis::error::{Error, ErrorCode};
use tracing::Level;

/// Calls whose not-found answers are expected, so that they are logged at info level.
const EXPECTED_NOT_FOUND: [&str; 6] = [
    "/api/news/content/detail",
    "/api/college/os/bread/crumb",
    "/api/college/article/list",
    "/api/college/os/article/list",
    "/api/college/log/add",
    "/api/help/rest/doc/{id}/contentV2",
];

/// Logs why a call failed; `id` is what its caller was told.
pub(super) fn log_failure(call: &str, error: &Error, id: Option<&str>) {
    let code = error.code();
    let name = code.name();
    let source = error.log_source();
    match level(call, code) {
        Level::ERROR => tracing::error!(call, error = name, id, source, "call failed"),
        Level::WARN => tracing::warn!(call, error = name, source, "call failed"),
        _ => tracing::info!(call, error = name, "call refused"),
    }
}

/// Log level of a failure: information for a caller's own mistake, and for a missing item where
/// one is expected.
fn level(call: &str, code: ErrorCode) -> Level {
    match code {
        ErrorCode::Internal => Level::ERROR,
        ErrorCode::Unavailable | ErrorCode::Unimplemented | ErrorCode::Timeout => Level::WARN,
        ErrorCode::ArticleNotFound
        | ErrorCode::CourseNotFound
        | ErrorCode::DocumentNotFound
        | ErrorCode::NotFound
            if !EXPECTED_NOT_FOUND.contains(&call) =>
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
    fn missing_items_are_expected_in_six_calls_only() {
        let cases = [
            ("/api/news/content/detail", ErrorCode::ArticleNotFound, Level::INFO),
            ("/api/help/rest/doc/{id}/contentV2", ErrorCode::DocumentNotFound, Level::INFO),
            ("/api/news/content/log/add", ErrorCode::ArticleNotFound, Level::WARN),
            ("/api/news/content/detail", ErrorCode::Parameter, Level::INFO),
            ("/api/news/content/detail", ErrorCode::Unavailable, Level::WARN),
            ("/api/news/content/detail", ErrorCode::Internal, Level::ERROR),
        ];
        for (call, code, expected) in cases {
            assert_eq!(level(call, code), expected, "{call} {code:?}");
        }
    }
}
