//! Range requests (RFC 9110 §14).

use std::ops::Range;

use http::{HeaderMap, header};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// The whole file: the request has no range, an invalid one, several, or one for another version.
    Whole,
    Part(Range<usize>),
    Unsatisfiable,
}

/// The range that the headers request of a file with this `ETag` and length. Several ranges are ignored, as RFC 9110
/// §14.2 allows.
pub(super) fn requested(headers: &HeaderMap, etag: &str, length: usize) -> RequestedRange {
    let is_same = headers.get(header::IF_RANGE).is_none_or(|known| known == etag);
    let range = headers.get(header::RANGE).filter(|_| is_same);
    let range = range.and_then(|value| value.to_str().ok()?.strip_prefix("bytes="));
    let range = range.filter(|range| !range.contains(','));
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return RequestedRange::Whole;
    };
    let (first, last) = (first.trim(), last.trim());
    match (number(first), number(last)) {
        (None, Some(0)) if first.is_empty() => RequestedRange::Unsatisfiable,
        (None, Some(count)) if first.is_empty() && length > 0 => {
            RequestedRange::Part(length.saturating_sub(count)..length)
        }
        (Some(first), _) if first >= length => RequestedRange::Unsatisfiable,
        (Some(first), None) if last.is_empty() => RequestedRange::Part(first..length),
        (Some(first), Some(last)) if last >= first => {
            RequestedRange::Part(first..length.min(last.saturating_add(1)))
        }
        _ => RequestedRange::Whole,
    }
}

fn number(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn requested_of(range: &str, length: usize) -> RequestedRange {
        let Ok(value) = range.parse() else { return RequestedRange::Whole };
        requested(&HeaderMap::from_iter([(header::RANGE, value)]), "\"a\"", length)
    }

    #[test]
    fn ranges_of_a_ten_byte_file_are_parsed() {
        struct Case {
            range: &'static str,
            expected: RequestedRange,
        }
        let part = |range, part| Case { range, expected: RequestedRange::Part(part) };
        let whole = |range| Case { range, expected: RequestedRange::Whole };
        let unsatisfiable = |range| Case { range, expected: RequestedRange::Unsatisfiable };
        for Case { range, expected } in [
            part("bytes=0-3", 0..4),
            part("bytes=4-", 4..10),
            part("bytes=9-99", 9..10),
            part("bytes=-4", 6..10),
            part("bytes=-99", 0..10),
            unsatisfiable("bytes=10-"),
            unsatisfiable("bytes=-0"),
            whole("bytes=3-1"),
            whole("bytes=0-1,4-5"),
            whole("bytes=10-,0-1"),
            whole("bytes=a-b"),
            whole("bytes=-"),
            whole("lines=0-1"),
            whole(""),
        ] {
            assert_eq!(requested_of(range, 10), expected, "{range}");
        }
    }

    #[test]
    fn range_of_another_version_is_ignored() {
        for (if_range, expected) in
            [("\"a\"", RequestedRange::Part(0..4)), ("\"b\"", RequestedRange::Whole)]
        {
            let headers = [(header::RANGE, "bytes=0-3"), (header::IF_RANGE, if_range)];
            let headers = headers.map(|(name, value)| (name, value.parse().unwrap()));
            assert_eq!(requested(&HeaderMap::from_iter(headers), "\"a\"", 10), expected);
        }
    }

    proptest! {
        #[test]
        fn any_parsed_range_lies_within_the_file(range in "bytes=[0-9a-z,-]{0,24}", length in 0..100_usize) {
            if let RequestedRange::Part(part) = requested_of(&range, length) {
                prop_assert!(part.start < part.end && part.end <= length);
            }
        }
    }
}
