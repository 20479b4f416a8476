//! Range requests (RFC 9110 §14), as video players send them.

use std::ops::Range;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header, request::Parts};

/// What of a file is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// All of it: no part is asked for, or not in a way that is known.
    Whole,
    /// These bytes.
    Part(Range<usize>),
    /// Bytes that it does not have.
    Beyond,
}

/// Cuts a whole answer (200) to the part that was asked for.
pub(super) fn cut(parts: &Parts, whole: &Bytes, mut response: Response<Body>) -> Response<Body> {
    if response.status() != StatusCode::OK {
        return response;
    }
    response.headers_mut().insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if parts.method != Method::GET || !is_same(&parts.headers, &response) {
        return response;
    }
    let length = whole.len();
    let (status, body, range) = match asked(&parts.headers, length) {
        Asked::Whole => return response,
        Asked::Beyond => (StatusCode::RANGE_NOT_SATISFIABLE, Bytes::new(), "*".to_owned()),
        Asked::Part(part) => {
            let range = format!("{}-{}", part.start, part.end - 1);
            (StatusCode::PARTIAL_CONTENT, whole.slice(part), range)
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LENGTH, body.len().into());
    if let Ok(value) = format!("bytes {range}/{length}").parse() {
        headers.insert(header::CONTENT_RANGE, value);
    }
    *response.status_mut() = status;
    *response.body_mut() = body.into();
    response
}

/// Whether the part that the client has already is of this file.
fn is_same(headers: &HeaderMap, response: &Response<Body>) -> bool {
    let known = headers.get(header::IF_RANGE);
    known.is_none_or(|known| Some(known) == response.headers().get(header::ETAG))
}

fn asked(headers: &HeaderMap, length: usize) -> Asked {
    let text = headers.get(header::RANGE).and_then(|value| value.to_str().ok());
    let spec = text.and_then(|text| text.strip_prefix("bytes="));
    // Several parts would need a body of several parts; the whole file is as good an answer.
    let Some((first, last)) =
        spec.filter(|spec| !spec.contains(',')).and_then(|s| s.split_once('-'))
    else {
        return Asked::Whole;
    };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse::<usize>().ok(),
        false => None,
    };
    match (first.trim(), last.trim()) {
        ("", suffix) => match number(suffix) {
            Some(0) => Asked::Beyond,
            Some(count) if length > 0 => Asked::Part(length.saturating_sub(count)..length),
            _ => Asked::Whole,
        },
        (first, last) => match (number(first), last) {
            (Some(first), _) if first >= length => Asked::Beyond,
            (Some(first), "") => Asked::Part(first..length),
            (Some(first), last) => match number(last) {
                Some(last) if last >= first => {
                    Asked::Part(first..length.min(last.saturating_add(1)))
                }
                _ => Asked::Whole,
            },
            (None, _) => Asked::Whole,
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn of(range: &str, length: usize) -> Asked {
        let Ok(value) = range.parse() else { return Asked::Whole };
        asked(&HeaderMap::from_iter([(header::RANGE, value)]), length)
    }

    #[test]
    fn parts() {
        let table = [
            ("bytes=0-3", Asked::Part(0..4)),
            ("bytes=4-", Asked::Part(4..10)),
            ("bytes=9-99", Asked::Part(9..10)),
            ("bytes=-4", Asked::Part(6..10)),
            ("bytes=-99", Asked::Part(0..10)),
            ("bytes=10-", Asked::Beyond),
            ("bytes=-0", Asked::Beyond),
            ("bytes=3-1", Asked::Whole),
            ("bytes=0-1,4-5", Asked::Whole),
            ("bytes=a-b", Asked::Whole),
            ("bytes=-", Asked::Whole),
            ("lines=0-1", Asked::Whole),
            ("", Asked::Whole),
        ];
        for (range, expected) in table {
            assert_eq!(of(range, 10), expected, "{range}");
        }
    }

    proptest! {
        #[test]
        fn any_range_lies_in_the_file(range in "bytes=[0-9a-z,-]{0,24}", length in 0..100_usize) {
            if let Asked::Part(part) = of(&range, length) {
                prop_assert!(part.start < part.end && part.end <= length);
            }
        }
    }
}
