//! The API over services that are faked by descriptor: who asks, uploads, streams.
#![allow(clippy::unwrap_used)]

mod fakes;
mod sessions;
mod sockets;
mod streams;
mod uploads;

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
