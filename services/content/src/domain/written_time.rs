//! Timestamps in the formats that authors and API clients use.
use serde::Deserialize;

/// Larger numbers are milliseconds, all others seconds.
const MILLISECONDS_ABOVE: i64 = 100_000_000_000;
const INVALID_TIME: &str = "is not an RFC 3339 time such as 2026-11-21T09:30:00+03:00, nor seconds or milliseconds since 1970";

/// A time in RFC 3339, or a whole number of seconds or milliseconds since 1970, also as a string.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a time is RFC 3339 such as 2026-11-21T09:30:00+03:00, or a number of seconds or milliseconds since 1970"
)]
pub(super) enum WrittenTime {
    /// Seconds or milliseconds.
    Number(i64),
    /// RFC 3339, or digits.
    Text(String),
}

impl WrittenTime {
    /// Epoch seconds.
    ///
    /// # Errors
    /// The reason for the author.
    pub(super) fn second(&self) -> Result<u32, &'static str> {
        let second = match self {
            Self::Number(number) => second_of(*number),
            Self::Text(text) => {
                let text = text.trim();
                match text.parse() {
                    Ok(number) => second_of(number),
                    Err(_) => {
                        text.parse::<jiff::Timestamp>().map_err(|_| INVALID_TIME)?.as_second()
                    }
                }
            }
        };
        let second = u32::try_from(second).ok().filter(|second| *second > 0);
        second.ok_or("lies outside the years 1970 to 2106")
    }
}

fn second_of(number: i64) -> i64 {
    if number > MILLISECONDS_ABOVE { number / 1_000 } else { number }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn times_are_parsed() {
        let table = [
            (r#""2026-11-20T09:00:00+03:00""#, Some(1_795_154_400)),
            (r#"" 2026-11-20T06:00:00.9Z ""#, Some(1_795_154_400)),
            ("1795154400", Some(1_795_154_400)),
            ("1795154400999", Some(1_795_154_400)),
            (r#""1795154400""#, Some(1_795_154_400)),
            (r#""1795154400000""#, Some(1_795_154_400)),
            ("1", Some(1)),
            // At the limit: seconds too far in the future; above it: milliseconds in 1973.
            ("100000000000", None),
            ("100000000001", Some(100_000_000)),
            ("4294967295", Some(u32::MAX)),
            ("4294967296", None),
            ("4294967295999", Some(u32::MAX)),
            ("4294967296000", None),
            ("0", None),
            ("-1", None),
            (r#""yesterday""#, None),
            (r#""2026-11-20T09:00:00""#, None),
            (r#""1969-01-01T00:00:00Z""#, None),
            (r#""2207-01-01T00:00:00Z""#, None),
            (r#""99999999999999999999""#, None),
        ];
        for (json, second) in table {
            let written: WrittenTime = serde_json::from_str(json).unwrap();
            assert_eq!(written.second().ok(), second, "{json}");
        }
        for json in ["1795154400.5", "true", "null", "[]"] {
            assert!(serde_json::from_str::<WrittenTime>(json).is_err(), "{json}");
        }
    }
}
