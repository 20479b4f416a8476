//! The `date` header (RFC 9110 §6.6.1), formatted once a second. After the clock is set back, hyper's own header does
//! not advance until the clock has caught up.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use http::{HeaderMap, HeaderValue, header};
use jiff::{Timestamp, fmt::rfc2822::DateTimePrinter};
use sahm_chassis::clock;

/// The epoch second of the last response, and its header.
static LAST: ArcSwapOption<(u32, HeaderValue)> = ArcSwapOption::const_empty();

/// Adds the date to a response that has none.
pub(super) fn insert(headers: &mut HeaderMap) {
    if !headers.contains_key(header::DATE)
        && let Some(date) = date_at(clock::now())
    {
        headers.insert(header::DATE, date);
    }
}

fn date_at(now: u32) -> Option<HeaderValue> {
    if let Some(last) = &*LAST.load()
        && last.0 == now
    {
        return Some(last.1.clone());
    }
    let time = Timestamp::from_second(now.into()).ok()?;
    let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()?;
    let date = HeaderValue::try_from(date).ok()?;
    LAST.store(Some(Arc::new((now, date.clone()))));
    Some(date)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn date_follows_the_clock_in_both_directions() {
        for (now, expected) in [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_115_377, "Sun, 06 Nov 1994 09:49:37 GMT"),
            (784_111_778, "Sun, 06 Nov 1994 08:49:38 GMT"),
        ] {
            assert_eq!(date_at(now).unwrap(), expected);
            assert_eq!(date_at(now).unwrap(), expected);
        }
    }

    #[test]
    fn date_of_another_server_stays() {
        let mut headers = HeaderMap::new();
        insert(&mut headers);
        assert!(headers.contains_key(header::DATE));
        headers.insert(header::DATE, HeaderValue::from_static("x"));
        insert(&mut headers);
        assert_eq!(headers[header::DATE], "x");
    }
}
