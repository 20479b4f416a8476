//! What a call may take: bytes of body and time (docs/limits-and-timeouts.md).

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::{envelope::Failure, params::BodyType};

/// One call in all.
pub(super) const CALL_TIME: Duration = Duration::from_secs(8);

/// Of it, for the body to come in.
const BODY_TIME: Duration = Duration::from_secs(5);

/// Reads a whole body of at most `size` bytes within its time; one without a type must be empty.
pub(super) async fn body(
    kind: BodyType,
    headers: &HeaderMap,
    body: Body,
    size: usize,
) -> Result<Bytes, Failure> {
    let too_large = || {
        let why = format!("is larger than {} KB", size / 1024);
        Failure::body(StatusCode::PAYLOAD_TOO_LARGE, &why)
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|text| text.parse::<u64>().ok());
    if kind != BodyType::None && announced.is_some_and(|length| length > size as u64) {
        return Err(too_large());
    }
    let limit = if kind == BodyType::None { 0 } else { size };
    let read = tokio::time::timeout(BODY_TIME, Limited::new(body, limit).collect()).await;
    match read {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() && kind == BodyType::None => {
            Err(unsupported_type())
        }
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Failure::body(StatusCode::BAD_REQUEST, "broke off")),
        Err(_) => Err(Failure::body(StatusCode::REQUEST_TIMEOUT, "did not arrive in time")),
    }
}

/// 415.
pub(super) fn unsupported_type() -> Failure {
    Failure::body(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "must be application/x-www-form-urlencoded or application/json in UTF-8",
    )
}
