//! Reads the bodies of calls, bounded in size and time (docs/limits-and-timeouts.md).

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::{envelope::Failure, params::BodyType};

/// Timeout of the whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads a body of at most `max_bytes`. Without a content type it must be empty.
///
/// # Errors
/// 413, 415, 408 on a timeout, 400 for an incomplete body.
pub(super) async fn read(
    kind: BodyType,
    headers: &HeaderMap,
    body: Body,
    max_bytes: usize,
) -> Result<Bytes, Failure> {
    let limit = if kind == BodyType::None { 0 } else { max_bytes };
    let too_large = || match kind {
        BodyType::None => unsupported_type(),
        _ => {
            let why = format!("is larger than {} KB", max_bytes / 1024);
            Failure::body(StatusCode::PAYLOAD_TOO_LARGE, &why)
        }
    };
    if announced_length(headers) > limit as u64 {
        return Err(too_large());
    }
    let read = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, limit).collect()).await;
    match read {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Failure::body(StatusCode::BAD_REQUEST, "broke off")),
        Err(_) => Err(Failure::body(StatusCode::REQUEST_TIMEOUT, "did not arrive in time")),
    }
}

/// The `Content-Length` of a request; 0 without one.
pub(super) fn announced_length(headers: &HeaderMap) -> u64 {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|text| text.parse().ok()).unwrap_or(0)
}

pub(super) fn unsupported_type() -> Failure {
    Failure::body(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "must be application/x-www-form-urlencoded or application/json in UTF-8",
    )
}
