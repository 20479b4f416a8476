//! Deadlines, propagated from call to call (docs/limits-and-timeouts.md).
use std::{future::Future, time::Duration};

use http::{HeaderMap, HeaderValue};
use tokio::time::Instant;

use crate::error::{Error, Result};

/// gRPC's header for the timeout of a call.
pub(super) const GRPC_TIMEOUT: &str = "grpc-timeout";

tokio::task_local! {
    static DEADLINE: Option<Instant>;
}

/// The deadline of the running work, if it has one.
pub fn deadline() -> Option<Instant> {
    DEADLINE.try_with(|deadline| *deadline).unwrap_or(None)
}

/// Limits the work to `limit`, and to the deadline of the surrounding work if that is earlier.
/// Calls made inside inherit the deadline.
///
/// # Errors
/// `Timeout` if the work is not done in time; the work is dropped.
pub async fn with_deadline<F: Future>(limit: Duration, work: F) -> Result<F::Output> {
    let own = Instant::now() + limit;
    let deadline = deadline().map_or(own, |around| around.min(own));
    let work = DEADLINE.scope(Some(deadline), work);
    tokio::time::timeout_at(deadline, work).await.map_err(|_| Error::timeout())
}

/// Runs the work with exactly this deadline, regardless of the surrounding one.
pub(super) async fn scope<F: Future>(deadline: Option<Instant>, work: F) -> F::Output {
    DEADLINE.scope(deadline, work).await
}

/// Same as [`scope`], for one poll.
pub(super) fn sync_scope<T>(deadline: Option<Instant>, work: impl FnOnce() -> T) -> T {
    DEADLINE.sync_scope(deadline, work)
}

/// The deadline of a call with these headers; a malformed timeout is ignored.
pub(super) fn from_headers(headers: &HeaderMap) -> Option<Instant> {
    let timeout = parse(headers.get(GRPC_TIMEOUT)?.to_str().ok()?)?;
    Instant::now().checked_add(timeout)
}

/// The remaining time as a header of an outgoing call.
pub(super) fn to_header(deadline: Instant) -> HeaderValue {
    let left = deadline.saturating_duration_since(Instant::now());
    // The protocol allows at most eight digits.
    let text = match (left.as_micros(), left.as_millis()) {
        (micros, _) if micros < 100_000_000 => format!("{micros}u"),
        (_, millis) if millis < 100_000_000 => format!("{millis}m"),
        _ => format!("{}S", left.as_secs().min(99_999_999)),
    };
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("0u"))
}

fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(number * 3600)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn timeout_header_is_parsed_per_grpc_protocol() {
        let cases = [
            ("1H", Some(Duration::from_secs(3600))),
            ("2M", Some(Duration::from_secs(120))),
            ("10S", Some(Duration::from_secs(10))),
            ("800m", Some(Duration::from_millis(800))),
            ("99999999u", Some(Duration::from_micros(99_999_999))),
            ("1n", Some(Duration::from_nanos(1))),
            ("", None),
            ("S", None),
            ("1", None),
            ("123456789S", None),
            ("-1S", None),
            ("1s", None),
            ("1é", None),
        ];
        for (text, timeout) in cases {
            assert_eq!(parse(text), timeout, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn remaining_time_is_sent_in_the_finest_unit_of_eight_digits() {
        struct Case {
            left: Duration,
            header: &'static str,
        }
        let cases = [
            Case { left: Duration::ZERO, header: "0u" },
            Case { left: Duration::from_micros(1), header: "1u" },
            Case { left: Duration::from_micros(99_999_999), header: "99999999u" },
            Case { left: Duration::from_micros(100_000_000), header: "100000m" },
            Case { left: Duration::from_millis(99_999_999), header: "99999999m" },
            Case { left: Duration::from_millis(100_000_000), header: "100000S" },
            Case { left: Duration::from_secs(99_999_999), header: "99999999S" },
        ];
        for Case { left, header } in cases {
            let deadline = Instant::now() + left;
            assert_eq!(to_header(deadline), header);
            let headers =
                HeaderMap::from_iter([(GRPC_TIMEOUT.parse().unwrap(), to_header(deadline))]);
            assert_eq!(from_headers(&headers), Some(deadline), "{header}");
        }
        assert_eq!(to_header(Instant::now() + Duration::from_secs(100_000_000)), "99999999S");
    }

    #[tokio::test]
    async fn earlier_of_nested_deadlines_applies() {
        for (outer, inner) in [(1, 9), (9, 1)]
            .map(|(outer, inner)| (Duration::from_secs(outer), Duration::from_secs(inner)))
        {
            let earliest = Instant::now() + outer.min(inner);
            let applied = with_deadline(outer, with_deadline(inner, async { deadline() })).await;
            let applied = applied.unwrap().unwrap().unwrap();
            assert!(applied >= earliest && applied - earliest < Duration::from_millis(500));
        }
        let expired = with_deadline(Duration::ZERO, std::future::pending::<()>()).await;
        assert_eq!(expired.unwrap_err().code(), ErrorCode::Timeout);
        assert_eq!(with_deadline(Duration::from_secs(1), async { 7 }).await.unwrap(), 7);
        assert_eq!(deadline(), None);
    }
}
