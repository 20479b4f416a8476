//! Parameters of a query, a form or a JSON body, decoded but untyped.

use std::fmt;

use http::{HeaderMap, HeaderValue, header};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

use crate::{path::percent_decoded, visitor::Locale};

/// Maximum nesting depth of a JSON body (docs/limits-and-timeouts.md).
const MAX_JSON_DEPTH: usize = 32;

/// Reason why a repeated parameter is rejected.
pub(super) const REPEATED: &str = "is given more than once";

/// Names of the parameter for the locale of messages.
const LANGUAGE_PARAMETERS: [&str; 2] = ["lang", "_lang"];

#[derive(Debug)]
pub(super) enum Params {
    /// From a query or form, in the order sent.
    Pairs(Vec<(String, String)>),
    Json(Map<String, Value>),
    /// The field (`query`, `body` or a parameter) that is malformed, and the reason; reported after the session check.
    Malformed {
        field: &'static str,
        why: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyType {
    /// No content type; the body must be empty.
    None,
    /// `application/x-www-form-urlencoded`
    Form,
    Json,
}

/// Whether a body has a content coding, which is not supported.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    let plain = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    !headers.get_all(header::CONTENT_ENCODING).iter().all(plain)
}

impl BodyType {
    /// Reads `Content-Type` and `Content-Encoding`; `None` for an unsupported type.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        if is_encoded(headers) {
            return None;
        }
        let Some(value) = headers.get(header::CONTENT_TYPE) else { return Some(Self::None) };
        let text = value.to_str().ok()?;
        let mut parts = text.split(';').map(str::trim);
        let essence = parts.next()?.to_ascii_lowercase();
        let utf8 = parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                let value = value.trim().trim_matches('"');
                value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
            }
            _ => true,
        });
        match essence.as_str() {
            _ if !utf8 => None,
            "application/x-www-form-urlencoded" => Some(Self::Form),
            "application/json" => Some(Self::Json),
            _ => None,
        }
    }
}

impl Params {
    pub(super) fn of_query(query: &str) -> Self {
        match pairs(query) {
            Ok(pairs) => Self::Pairs(pairs),
            Err(why) => Self::malformed("query", why),
        }
    }

    /// Reads a body of this type; an empty body has no parameters.
    pub(super) fn of_body(kind: BodyType, body: &[u8]) -> Self {
        let read = match kind {
            _ if body.is_empty() || kind == BodyType::None => Ok(Self::Pairs(Vec::new())),
            BodyType::Json => match json(body) {
                Ok(Value::Object(map)) => Ok(Self::Json(map)),
                Ok(_) => Err("must be a JSON object".to_owned()),
                Err(why) => Err(why),
            },
            _ => {
                let text = std::str::from_utf8(body).map_err(|_| "is not UTF-8");
                text.and_then(pairs).map(Self::Pairs).map_err(str::to_owned)
            }
        };
        read.unwrap_or_else(|why| Self::malformed("body", why))
    }

    fn malformed(field: &'static str, why: impl Into<String>) -> Self {
        Self::Malformed { field, why: why.into() }
    }

    /// Rejects parameters that name the locale twice.
    pub(super) fn with_one_language(self) -> Self {
        let is_repeated = |name: &&str| match &self {
            Self::Pairs(pairs) => pairs.iter().filter(|(key, _)| key == name).count() > 1,
            Self::Json(_) | Self::Malformed { .. } => false,
        };
        match LANGUAGE_PARAMETERS.into_iter().find(is_repeated) {
            Some(name) => Self::malformed(name, REPEATED),
            None => self,
        }
    }

    /// The locale that the parameters name.
    pub(super) fn locale(&self) -> Option<Locale> {
        LANGUAGE_PARAMETERS.iter().filter_map(|name| self.text(name)).find_map(Locale::parse)
    }

    /// Whether a parameter is text, `null` or absent.
    pub(super) fn is_text_or_absent(&self, name: &str) -> bool {
        match self {
            Self::Pairs(_) | Self::Malformed { .. } => true,
            Self::Json(map) => {
                map.get(name).is_none_or(|value| value.is_string() || value.is_null())
            }
        }
    }

    /// The first value of a parameter that is text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self {
            Self::Pairs(pairs) => {
                pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
            }
            Self::Json(map) => map.get(name).and_then(Value::as_str),
            Self::Malformed { .. } => None,
        }
    }
}

/// Parses JSON of at most [`MAX_JSON_DEPTH`]; objects must not repeat a key.
pub(super) fn json(text: &[u8]) -> Result<Value, String> {
    if depth(text) > MAX_JSON_DEPTH {
        return Err("nests deeper than 32 levels".to_owned());
    }
    serde_json::from_slice::<UniqueKeys>(text).map(|UniqueKeys(value)| value).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        match error.is_data() {
            true => format!("names a key twice (line {line}, column {column})"),
            false => format!("is not valid JSON (line {line}, column {column})"),
        }
    })
}

/// A JSON value whose objects repeat no key.
struct UniqueKeys(Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueKeysVisitor).map(Self)
    }
}

struct UniqueKeysVisitor;

impl<'de> Visitor<'de> for UniqueKeysVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(UniqueKeys(value)) = sequence.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, UniqueKeys(value))) = entries.next_entry::<String, _>()? {
            if map.insert(key, value).is_some() {
                return Err(de::Error::custom("a key is named twice"));
            }
        }
        Ok(Value::Object(map))
    }
}

/// The nesting depth, from the brackets outside strings; exact for valid JSON.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, &'static str> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let decoded = |text: &str| percent_decoded(&text.replace('+', " "));
        Ok((decoded(name)?, decoded(value)?))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn body_type_follows_content_type_and_encoding() {
        struct Case {
            headers: &'static [(&'static str, &'static str)],
            expected: Option<BodyType>,
        }
        let typed = |headers, expected| Case { headers, expected: Some(expected) };
        let refused = |headers| Case { headers, expected: None };
        for Case { headers: pairs, expected } in [
            typed(&[], BodyType::None),
            typed(&[("content-type", "application/json")], BodyType::Json),
            typed(&[("content-type", "Application/JSON; charset=\"UTF-8\"")], BodyType::Json),
            typed(&[("content-type", "application/x-www-form-urlencoded")], BodyType::Form),
            refused(&[("content-type", "application/json;charset=latin1")]),
            refused(&[("content-type", "multipart/form-data; boundary=x")]),
            refused(&[("content-type", "text/plain")]),
            refused(&[("content-type", "")]),
            refused(&[("content-type", "application/json"), ("content-encoding", "gzip")]),
            refused(&[
                ("content-type", "application/json"),
                ("content-encoding", "identity"),
                ("content-encoding", "gzip"),
            ]),
        ] {
            let headers = pairs
                .iter()
                .map(|(name, value)| {
                    (name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap())
                })
                .collect::<HeaderMap>();
            assert_eq!(BodyType::of(&headers), expected, "{pairs:?}");
        }
    }

    #[test]
    fn pairs_are_decoded_strictly() {
        let Params::Pairs(pairs) = Params::of_query("a=1&b=x+y%20z&&c&=d&a=%D8%B3") else {
            panic!("pairs")
        };
        let pairs = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect::<Vec<_>>();
        assert_eq!(pairs, [("a", "1"), ("b", "x y z"), ("c", ""), ("", "d"), ("a", "س")]);
        for bad in ["a=%", "a=%4", "a=%zz", "%=1", "a=%ff", "a=%C3%28"] {
            let params = Params::of_query(bad);
            assert!(matches!(params, Params::Malformed { field: "query", .. }), "{bad}");
        }
    }

    #[test]
    fn deep_json_and_repeated_keys_are_rejected() {
        let nested = |levels: usize| {
            format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1))
        };
        let read = |body: &[u8]| match Params::of_body(BodyType::Json, body) {
            Params::Malformed { field, why } => Err((field, why)),
            params => Ok(params),
        };
        assert!(read(nested(32).as_bytes()).is_ok());
        let cases = [
            (nested(33), "nests deeper than 32 levels"),
            ("[".repeat(60_000), "nests deeper than 32 levels"),
            ("[]".to_owned(), "must be a JSON object"),
            ("1".to_owned(), "must be a JSON object"),
            ("{\"a\":".to_owned(), "is not valid JSON (line 1, column 5)"),
            ("{\"a\":1,\"a\":1}".to_owned(), "names a key twice (line 1, column 13)"),
            ("{\"b\":[{\"a\":1,\"a\":2}]}".to_owned(), "names a key twice (line 1, column 19)"),
            ("{\"a\":\"\u{1}\"}".to_owned(), "is not valid JSON (line 1, column 7)"),
        ];
        for (body, why) in cases {
            assert_eq!(read(body.as_bytes()).unwrap_err(), ("body", why.to_owned()));
        }
        assert!(read(b"{\"a\":\"[[[[\\\"[[\"}").is_ok());
        assert!(read(b"").is_ok());
        assert!(read(b"{\"a\":\"\xff\"}").is_err());
    }
}
