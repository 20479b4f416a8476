//! Format of the provider's response with quotes:
//!
//! ```json
//! {"quotes": [{
//!   "code": "AAPL",
//!   "last": "268.41", "previousClose": "266.90", "open": "267.05", "high": "269.00", "low": "266.31",
//!   "volume": 48213077,
//!   "time": 1795186795,
//!   "realTime": true,
//!   "session": "open",
//!   "extended": {"last": "268.60", "session": "after", "time": 1795208420}
//! }]}
//! ```
//!
//! Prices are decimals in strings, without exponent, up to 18 digits; a missing or empty one is
//! unknown. `volume` is the number of units traded in the regular session of the day; unknown if
//! missing. `time` is in epoch seconds. `realTime` defaults to true. `session` is `open`, `before`,
//! `after` or `closed`, by default the one of the exchange's calendar. `extended` is present only
//! after a trade outside the regular session. Codes that were not requested, and unknown fields,
//! are ignored; an invalid quote is skipped and logged.

use std::sync::Arc;

use serde::Deserialize;

use crate::domain::{Extended, Market, Quote, Security, Session, decimal};

#[derive(Deserialize)]
struct ResponseBody {
    quotes: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    code: String,
    #[serde(default)]
    last: String,
    #[serde(default)]
    previous_close: String,
    #[serde(default)]
    open: String,
    #[serde(default)]
    high: String,
    #[serde(default)]
    low: String,
    volume: Option<u64>,
    #[serde(default)]
    time: u32,
    #[serde(default = "yes")]
    real_time: bool,
    session: Option<String>,
    extended: Option<ExtendedLine>,
}

#[derive(Deserialize)]
struct ExtendedLine {
    last: String,
    session: String,
    #[serde(default)]
    time: u32,
}

fn yes() -> bool {
    true
}

/// Parses a response about the requested securities.
///
/// # Errors
/// The body is not JSON of this format.
pub fn quotes_of(
    body: &[u8],
    securities: &[Arc<Security>],
    session_of: impl Fn(Market) -> Session,
) -> anyhow::Result<Vec<Quote>> {
    let response: ResponseBody = serde_json::from_slice(body)?;
    let quotes = response.quotes.into_iter().filter_map(|line| {
        let line = serde_json::from_value::<Line>(line)
            .inspect_err(|error| tracing::warn!(%error, "quote not read"))
            .ok()?;
        let security = securities.iter().find(|security| security.code.as_str() == line.code)?;
        quote_of(&line, security, &session_of)
            .inspect_err(|field| tracing::warn!(code = line.code, field, "quote not read"))
            .ok()
    });
    Ok(quotes.collect())
}

fn quote_of(
    line: &Line,
    security: &Arc<Security>,
    session_of: &impl Fn(Market) -> Session,
) -> Result<Quote, &'static str> {
    let price = |name, text: &str| match text {
        "" => Ok(None),
        text => decimal(text).filter(|_| !text.starts_with('-')).map(Some).ok_or(name),
    };
    let session = match line.session.as_deref() {
        None => session_of(security.market()),
        Some(name) => session_named(name).ok_or("session")?,
    };
    let extended = match &line.extended {
        None => None,
        Some(extended) => Some(Extended {
            last: price("extended.last", &extended.last)?.ok_or("extended.last")?,
            session: match session_named(&extended.session) {
                Some(session @ (Session::Before | Session::After)) => session,
                _ => return Err("extended.session"),
            },
            time: extended.time,
        }),
    };
    Ok(Quote {
        last: price("last", &line.last)?,
        previous_close: price("previousClose", &line.previous_close)?,
        open: price("open", &line.open)?,
        high: price("high", &line.high)?,
        low: price("low", &line.low)?,
        volume: line.volume,
        time: line.time,
        real_time: line.real_time,
        extended,
        ..Quote::empty(security.clone(), session)
    })
}

fn session_named(name: &str) -> Option<Session> {
    Some(match name {
        "open" => Session::Open,
        "before" => Session::Before,
        "after" => Session::After,
        "closed" => Session::Closed,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::{Catalogue, SecurityCode, securities_of};

    fn securities() -> Vec<Arc<Security>> {
        let line = r#"{"code":"A","dataType":20001,"exchange":"E","name":"N"}"#;
        let catalogue = Catalogue::from_iter(securities_of(line).unwrap());
        catalogue.all_of(&[SecurityCode::parse("A").unwrap()])
    }

    fn read(quote: &str) -> Option<Quote> {
        let body = format!("{{\"quotes\":[{quote}]}}");
        quotes_of(body.as_bytes(), &securities(), |_| Session::Closed).unwrap().pop()
    }

    #[test]
    fn missing_fields_are_unknown() {
        let quote = read(r#"{"code":"A","last":"1.250","more":{}}"#).unwrap();
        assert_eq!(quote.last.unwrap().to_string(), "1.250");
        assert_eq!((quote.open, quote.session, quote.real_time), (None, Session::Closed, true));
        assert_eq!(quote.volume, None);
        assert!(!quote.simulated && !quote.old);
    }

    #[test]
    fn malformed_quote_is_left_out() {
        for quote in [
            r#"{"code":"B","last":"1"}"#,
            r#"{"last":"1"}"#,
            r#"{"code":"A","last":1.25}"#,
            r#"{"code":"A","last":"1e3"}"#,
            r#"{"code":"A","low":"-1"}"#,
            r#"{"code":"A","volume":-1}"#,
            r#"{"code":"A","volume":1.5}"#,
            r#"{"code":"A","session":"lunch"}"#,
            r#"{"code":"A","extended":{"last":"1","session":"open"}}"#,
            r#"{"code":"A","extended":{"last":"","session":"after"}}"#,
            "7",
        ] {
            assert_eq!(read(quote), None, "{quote}");
        }
        for body in ["", "[]", "{}", "{\"quotes\":{}}"] {
            assert!(
                quotes_of(body.as_bytes(), &securities(), |_| Session::Open).is_err(),
                "{body}"
            );
        }
    }

    #[test]
    fn complete_quote_is_parsed() {
        let quote = read(
            r#"{"code":"A","last":"2.00","previousClose":"1.00","open":"1.10","high":"2.10",
            "low":"0.90","volume":48213077,"time":7,"realTime":false,"session":"after",
            "extended":{"last":"2.05","session":"after","time":9}}"#,
        )
        .unwrap();
        assert_eq!((quote.time, quote.real_time, quote.session), (7, false, Session::After));
        assert_eq!(quote.change().ratio.to_string(), "1.00");
        assert_eq!(quote.volume, Some(48_213_077));
        assert_eq!(quote.extended.unwrap().time, 9);
    }
}
