//! Content negotiation: `Accept-Encoding` (RFC 9110 §12.5.3) and `If-None-Match` (§13.1.2).

use std::iter;

use http::{HeaderMap, header};

/// The content coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentEncoding {
    Brotli,
    Gzip,
    Identity,
}

impl ContentEncoding {
    /// The `content-encoding`; `None` for identity.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The preferred coding of a request: see [`AcceptEncoding::best`].
    pub fn negotiate(headers: &HeaderMap) -> Self {
        AcceptEncoding::from_headers(headers).best()
    }
}

/// The weights of content codings in a request, in thousandths; 0: not acceptable.
#[derive(Clone, Copy, Debug)]
pub struct AcceptEncoding {
    brotli: u16,
    gzip: u16,
    identity: u16,
}

impl AcceptEncoding {
    /// Parses `Accept-Encoding`; without it, the best coding is identity.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let mut brotli = None;
        let mut gzip = None;
        let mut identity = None;
        let mut any = None;
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            let Ok(value) = value.to_str() else { continue };
            for item in value.split(',') {
                let mut parts = item.split(';');
                let name = parts.next().unwrap_or_default().trim();
                let weight = parts.find_map(weight_of).unwrap_or(1000);
                let slot = if name.eq_ignore_ascii_case("br") {
                    &mut brotli
                } else if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
                    &mut gzip
                } else if name.eq_ignore_ascii_case("identity") {
                    &mut identity
                } else if name == "*" {
                    &mut any
                } else {
                    continue;
                };
                *slot = Some(weight);
            }
        }
        Self {
            brotli: brotli.or(any).unwrap_or(0),
            gzip: gzip.or(any).unwrap_or(0),
            // Identity is acceptable unless it is excluded, but the last choice.
            identity: identity.or(any).unwrap_or(1),
        }
    }

    /// The coding with the highest weight; among equal weights, the one with the smallest body. Identity if none is
    /// acceptable.
    pub fn best(self) -> ContentEncoding {
        if self.brotli > 0 && self.brotli >= self.gzip.max(self.identity) {
            ContentEncoding::Brotli
        } else if self.gzip > 0 && self.gzip >= self.identity {
            ContentEncoding::Gzip
        } else {
            ContentEncoding::Identity
        }
    }

    pub fn has(self, coding: ContentEncoding) -> bool {
        let weight = match coding {
            ContentEncoding::Brotli => self.brotli,
            ContentEncoding::Gzip => self.gzip,
            ContentEncoding::Identity => self.identity,
        };
        weight > 0 || coding == self.best()
    }
}

/// The weight of a `q=` parameter in thousandths; a malformed one counts as 0.
fn weight_of(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.trim().split_once('=')?;
    name.trim_end().eq_ignore_ascii_case("q").then(|| {
        let weight = value.trim().parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight));
        (weight.unwrap_or(0.0) * 1000.0).round() as u16
    })
}

/// The opaque tags of `If-None-Match`, without quotes and `W/`; `*` is returned as it is.
///
/// Ends at the first malformed entity tag.
pub fn none_match(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|mut value| iter::from_fn(move || next_tag(&mut value)))
}

/// Takes the first tag from the rest of a list.
fn next_tag<'a>(list: &mut &'a str) -> Option<&'a str> {
    let rest = std::mem::take(list).trim_start_matches([' ', '\t', ',']);
    if rest == "*" {
        return Some(rest);
    }
    let rest = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
    let (tag, rest) = rest.split_once('"')?;
    *list = rest;
    Some(tag)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accepted_coding_with_the_highest_weight_is_chosen() {
        use ContentEncoding::{Brotli, Gzip, Identity};
        let cases = [
            (None, Identity),
            (Some(""), Identity),
            (Some("gzip, deflate, br, zstd"), Brotli),
            (Some("gzip, deflate"), Gzip),
            (Some("GZIP"), Gzip),
            (Some("x-gzip"), Gzip),
            (Some("deflate"), Identity),
            (Some("br;q=0.5, gzip;q=0.8"), Gzip),
            (Some("br;q=0.8, gzip;q=0.8"), Brotli),
            (Some("br;q=0, gzip"), Gzip),
            (Some("br;q=0.001"), Brotli),
            (Some("*"), Brotli),
            (Some("*;q=0.5, br;q=0"), Gzip),
            (Some("identity, br;q=0.5"), Identity),
            (Some("identity;q=0.5, gzip;q=1.0"), Gzip),
            (Some("identity;q=0"), Identity),
            (Some("br;q=nonsense, gzip;q=0.1"), Gzip),
            (Some("br;q=1.5, gzip;q=0.1"), Gzip),
            (Some("br ; q=0.2 , gzip ; q=0.3"), Gzip),
            (Some("brotli, gzippy"), Identity),
        ];
        for (accepted, expected) in cases {
            let mut headers = HeaderMap::new();
            if let Some(accepted) = accepted {
                headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            }
            assert_eq!(ContentEncoding::negotiate(&headers), expected, "{accepted:?}");
        }
    }

    #[test]
    fn entity_tags_are_read_one_by_one() {
        let cases: [(&str, &[&str]); 8] = [
            (r#""a""#, &["a"]),
            (r#"W/"a", "b""#, &["a", "b"]),
            ("*", &["*"]),
            (r#""a,b" ,, "c""#, &["a,b", "c"]),
            ("a", &[]),
            (r#""a", b, "c""#, &["a"]),
            (r#""a"#, &[]),
            ("", &[]),
        ];
        for (sent, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(sent).unwrap());
            assert_eq!(none_match(&headers).collect::<Vec<_>>(), expected, "{sent}");
        }
    }

    proptest! {
        #[test]
        fn any_header_is_parsed_without_panic(value in "[ -~]{0,60}") {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(&value).unwrap());
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(&value).unwrap());
            let _ = ContentEncoding::negotiate(&headers);
            prop_assert!(none_match(&headers).count() <= 60);
        }
    }
}
