//! Format of the provider's response with corporate events:
//!
//! ```json
//! {"events": [
//!   {"code": "2222", "type": "results", "date": "2026-12-01"},
//!   {"code": "AAPL", "type": "exDividend", "date": "2026-12-08", "amountPerShare": "0.26"},
//!   {"code": "AAPL", "type": "dividendPayment", "date": "2026-12-22", "amountPerShare": "0.26"}
//! ]}
//! ```
//!
//! `date` is the exchange's local date. `amountPerShare` is a decimal above 0 in a string, in the
//! currency of the market; absent if unknown. Events of codes or dates that were not requested, and
//! unknown fields, are ignored; an invalid event is skipped and logged.

use std::sync::Arc;

use jiff::civil::Date;
use serde::Deserialize;

use crate::domain::{CorporateEvent, CorporateEventType, DateRange, Security, ZERO, decimal};

#[derive(Deserialize)]
struct ResponseBody {
    events: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    code: String,
    #[serde(rename = "type")]
    event_type: String,
    date: Date,
    #[serde(default)]
    amount_per_share: String,
}

/// Parses a response about the requested securities and dates.
///
/// # Errors
/// The body is not JSON of this format.
pub fn corporate_events_of(
    body: &[u8],
    securities: &[Arc<Security>],
    range: DateRange,
) -> anyhow::Result<Vec<CorporateEvent>> {
    let response: ResponseBody = serde_json::from_slice(body)?;
    let events = response.events.into_iter().filter_map(|line| {
        let line = serde_json::from_value::<Line>(line)
            .inspect_err(|error| tracing::warn!(%error, "corporate event not read"))
            .ok()?;
        let security = securities.iter().find(|security| security.code.as_str() == line.code)?;
        corporate_event_of(&line, security)
            .inspect_err(|field| {
                tracing::warn!(code = line.code, field, "corporate event not read")
            })
            .ok()
            .filter(|event| range.contains(event.date))
    });
    Ok(events.collect())
}

fn corporate_event_of(
    line: &Line,
    security: &Arc<Security>,
) -> Result<CorporateEvent, &'static str> {
    let event_type = match line.event_type.as_str() {
        "results" => CorporateEventType::Results,
        "exDividend" => CorporateEventType::ExDividend,
        "dividendPayment" => CorporateEventType::DividendPayment,
        _ => return Err("type"),
    };
    let amount_per_share = match line.amount_per_share.as_str() {
        "" => None,
        _ if event_type == CorporateEventType::Results => return Err("amountPerShare"),
        text => {
            let amount = decimal(text).filter(|amount| *amount > ZERO);
            Some(amount.ok_or("amountPerShare")?)
        }
    };
    let security = security.clone();
    Ok(CorporateEvent { security, event_type, date: line.date, amount_per_share, simulated: false })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use jiff::civil::date;

    use super::*;
    use crate::domain::{Catalogue, SecurityCode, securities_of};

    fn read(body: &str) -> anyhow::Result<Vec<CorporateEvent>> {
        let line = r#"{"code":"A","dataType":20001,"exchange":"E","name":"N"}"#;
        let catalogue = Catalogue::from_iter(securities_of(line).unwrap());
        let securities = catalogue.all_of(&[SecurityCode::parse("A").unwrap()]);
        let range = DateRange { from: date(2026, 12, 1), to: date(2026, 12, 31) };
        corporate_events_of(body.as_bytes(), &securities, range)
    }

    #[test]
    fn every_type_is_read() {
        struct Case {
            event: &'static str,
            event_type: CorporateEventType,
            amount: Option<&'static str>,
        }
        for case in [
            Case {
                event: r#""type":"results""#,
                event_type: CorporateEventType::Results,
                amount: None,
            },
            Case {
                event: r#""type":"exDividend","amountPerShare":"0.2600","more":[]"#,
                event_type: CorporateEventType::ExDividend,
                amount: Some("0.2600"),
            },
            Case {
                event: r#""type":"dividendPayment""#,
                event_type: CorporateEventType::DividendPayment,
                amount: None,
            },
        ] {
            let body =
                format!(r#"{{"events":[{{"code":"A","date":"2026-12-01",{}}}]}}"#, case.event);
            let event = read(&body).unwrap().remove(0);
            assert_eq!((event.event_type, event.date), (case.event_type, date(2026, 12, 1)));
            let amount = event.amount_per_share.map(|amount| amount.to_string());
            assert_eq!(amount.as_deref(), case.amount, "{}", case.event);
            assert!(!event.simulated);
        }
    }

    #[test]
    fn invalid_or_unrequested_events_are_skipped() {
        for event in [
            r#"{"code":"B","type":"results","date":"2026-12-01"}"#,
            r#"{"code":"A","type":"results","date":"2026-11-30"}"#,
            r#"{"code":"A","type":"results","date":"2027-01-01"}"#,
            r#"{"code":"A","type":"results","date":"1 December"}"#,
            r#"{"code":"A","type":"results"}"#,
            r#"{"code":"A","type":"split","date":"2026-12-01"}"#,
            r#"{"code":"A","type":"results","date":"2026-12-01","amountPerShare":"1"}"#,
            r#"{"code":"A","type":"exDividend","date":"2026-12-01","amountPerShare":"0"}"#,
            r#"{"code":"A","type":"exDividend","date":"2026-12-01","amountPerShare":"-1"}"#,
            r#"{"code":"A","type":"exDividend","date":"2026-12-01","amountPerShare":0.26}"#,
            "7",
        ] {
            let events = read(&format!(r#"{{"events":[{event}]}}"#)).unwrap();
            assert_eq!(events, [], "{event}");
        }
        for body in ["", "[]", "{}", r#"{"events":{}}"#] {
            assert!(read(body).is_err(), "{body}");
        }
    }
}
