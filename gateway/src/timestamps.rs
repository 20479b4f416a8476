//! Timestamps in files and structured data.

/// Formats epoch seconds as RFC 3339.
pub(crate) fn rfc3339(seconds: u32) -> String {
    jiff::Timestamp::from_second(seconds.into()).unwrap_or_default().to_string()
}
