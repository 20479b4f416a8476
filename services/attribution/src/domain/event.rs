//! Events, and the validation of reports.

use sahm_chassis::{
    campaign::campaign_name,
    error::{Error, ErrorCode, Result},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::day_of;

const MAX_NAME_LENGTH: usize = 100;
const MAX_VALUE_BYTES: usize = 16 << 10;
const MAX_VALUE_DEPTH: usize = 32;
const MAX_DEVICE_LENGTH: usize = 128;
const MAX_CAMPAIGN_LENGTH: usize = 64;
const WEBSITE_SELL_CLIENT: u32 = 10;
const MAX_SELL_CLIENT: u32 = 99_999;

#[derive(Clone, Debug, Default)]
pub struct Draft {
    pub name: String,
    /// A JSON object as text; empty counts as `{}`.
    pub value: String,
    /// 0 for a visitor.
    pub member_id: u64,
    /// `None` for the website.
    pub sell_client: Option<u32>,
    /// The app's device number.
    pub device_no: Option<String>,
    /// The id by which the event is counted once; generated if `None` or empty.
    pub event_id: Option<String>,
}

/// A valid report that is not counted yet; the spool stores it as JSON with these field names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEvent {
    /// The id by which the event is counted once.
    pub event_id: String,
    pub name: String,
    /// A JSON object as text.
    pub value: String,
    /// 0 for a visitor.
    pub member_id: u64,
    /// For instance 10, the website.
    pub sell_client: u32,
    /// Empty if there is none.
    pub device_no: String,
    /// Field `c` of the value, otherwise `pid`.
    pub campaign: String,
    /// Field `scnl` of the value.
    pub channel: String,
    /// Epoch milliseconds.
    pub received_at: u64,
}

impl NewEvent {
    /// Its day in Asia/Riyadh.
    pub fn day(&self) -> String {
        day_of(self.received_at)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its position in the order of acceptance.
    pub sequence: u64,
    pub event: NewEvent,
}

/// Validates a report received at `received_at` (epoch milliseconds).
///
/// # Errors
/// `Parameter` with every invalid field.
pub fn checked(draft: Draft, received_at: u64) -> Result<NewEvent> {
    let mut faults = Vec::new();
    if !is_name(&draft.name) {
        faults.push(("event_name", "1 to 100 of A-Z, a-z, 0-9 and _ . : / -"));
    }
    let value = if draft.value.trim().is_empty() { "{}".to_owned() } else { draft.value };
    let (campaign, channel) = match object_of(&value) {
        Ok(object) => marks_of(&object),
        Err(why) => {
            faults.push(("event_value", why));
            Default::default()
        }
    };
    if i64::try_from(draft.member_id).is_err() {
        faults.push(("member_id", "too large"));
    }
    let sell_client = draft.sell_client.unwrap_or(WEBSITE_SELL_CLIENT);
    if !(1..=MAX_SELL_CLIENT).contains(&sell_client) {
        faults.push(("sell_client", "1 to 99999"));
    }
    let device_no = draft.device_no.unwrap_or_default();
    if device_no.chars().count() > MAX_DEVICE_LENGTH || device_no.chars().any(char::is_control) {
        faults.push(("device_no", "at most 128 characters, no control characters"));
    }
    let event_id = draft.event_id.filter(|id| !id.is_empty()).unwrap_or_else(new_event_id);
    if !is_event_id(&event_id) {
        faults.push(("event_id", "8 to 64 of A-Z, a-z, 0-9, _ and -"));
    }
    if !faults.is_empty() {
        let error = Error::of(ErrorCode::Parameter);
        return Err(faults
            .into_iter()
            .fold(error, |error, (field, why)| error.and_field(field, why)));
    }
    Ok(NewEvent {
        event_id,
        name: draft.name,
        value,
        member_id: draft.member_id,
        sell_client,
        device_no,
        campaign,
        channel,
        received_at,
    })
}

/// Whether a text is an event id: `[A-Za-z0-9_-]{8,64}`.
pub fn is_event_id(text: &str) -> bool {
    (8..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// Generates an id for a report without one: a UUIDv7, whose leading timestamp makes the index over
/// ids grow at its end.
pub fn new_event_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

fn is_name(text: &str) -> bool {
    (1..=MAX_NAME_LENGTH).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:/-".contains(&b))
}

fn object_of(text: &str) -> std::result::Result<Map<String, Value>, &'static str> {
    if text.len() > MAX_VALUE_BYTES {
        return Err("at most 16384 bytes");
    }
    // PostgreSQL's text cannot contain NUL, and JSON cannot contain it unescaped.
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(object)) if object.values().all(|v| fits(v, MAX_VALUE_DEPTH - 1)) => {
            Ok(object)
        }
        Ok(Value::Object(_)) => Err("at most 32 levels deep"),
        _ => Err("a JSON object as text"),
    }
}

fn fits(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| fits(item, levels - 1)),
        Value::Object(fields) => levels > 0 && fields.values().all(|item| fits(item, levels - 1)),
        _ => true,
    }
}

/// Campaign and channel, under the names of the attribution cookie.
fn marks_of(object: &Map<String, Value>) -> (String, String) {
    let text = |key: &str| match object.get(key)? {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mark = |key: &str| {
        let is_allowed = |c: char| c.is_alphanumeric() || "_.:/-".contains(c);
        text(key).filter(|text| {
            !text.is_empty()
                && text.chars().count() <= MAX_CAMPAIGN_LENGTH
                && text.chars().all(is_allowed)
        })
    };
    let named = text("c").and_then(|text| campaign_name(&text).map(str::to_owned));
    (named.or_else(|| mark("pid")).unwrap_or_default(), mark("scnl").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn draft() -> Draft {
        Draft { name: "page_view".into(), value: "{\"a\":1}".into(), ..Draft::default() }
    }

    fn faults(draft: Draft) -> Vec<String> {
        match checked(draft, 0) {
            Ok(_) => Vec::new(),
            Err(error) => error.fields().iter().map(|fault| fault.field.clone()).collect(),
        }
    }

    #[test]
    fn omitted_fields_have_defaults() {
        let event = checked(draft(), 5).unwrap();
        assert_eq!((event.sell_client, event.member_id, event.received_at), (10, 0, 5));
        assert!(is_event_id(&event.event_id) && event.event_id < new_event_id());
        let other = checked(Draft { event_id: Some(String::new()), ..draft() }, 5).unwrap();
        assert_ne!(other.event_id, event.event_id);
        assert_eq!(checked(Draft { value: " ".into(), ..draft() }, 0).unwrap().value, "{}");
    }

    #[test]
    fn every_invalid_field_is_reported() {
        let nested = |levels: usize| {
            format!("{{\"a\":{}1{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1))
        };
        let nested_objects =
            |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        let cases = [
            (Draft { name: String::new(), ..draft() }, "event_name"),
            (Draft { name: "a b".into(), ..draft() }, "event_name"),
            (Draft { name: "حدث".into(), ..draft() }, "event_name"),
            (Draft { name: "a".repeat(101), ..draft() }, "event_name"),
            (Draft { value: "{".into(), ..draft() }, "event_value"),
            (Draft { value: "[]".into(), ..draft() }, "event_value"),
            (Draft { value: "1".into(), ..draft() }, "event_value"),
            (Draft { value: nested(33), ..draft() }, "event_value"),
            (Draft { value: nested_objects(33), ..draft() }, "event_value"),
            (Draft { value: nested(5000), ..draft() }, "event_value"),
            (
                Draft { value: format!("{{\"a\":\"{}\"}}", "x".repeat(16_384)), ..draft() },
                "event_value",
            ),
            (Draft { member_id: u64::MAX, ..draft() }, "member_id"),
            (Draft { sell_client: Some(0), ..draft() }, "sell_client"),
            (Draft { sell_client: Some(100_000), ..draft() }, "sell_client"),
            (Draft { device_no: Some("a\0".into()), ..draft() }, "device_no"),
            (Draft { device_no: Some("س".repeat(129)), ..draft() }, "device_no"),
            (Draft { event_id: Some("short".into()), ..draft() }, "event_id"),
            (Draft { event_id: Some("a".repeat(65)), ..draft() }, "event_id"),
            (Draft { event_id: Some("12345678'".into()), ..draft() }, "event_id"),
        ];
        for (draft, field) in cases {
            assert_eq!(faults(draft.clone()), [field], "{draft:?}");
        }
        let object = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
        for good in [
            Draft { value: nested(32), ..draft() },
            Draft { value: nested_objects(32), ..draft() },
            Draft { name: "a".repeat(100), ..draft() },
            Draft { name: "AZaz09_.:/-".into(), ..draft() },
            Draft { value: object(16_384), ..draft() },
            Draft { member_id: u64::MAX / 2, ..draft() },
            Draft { sell_client: Some(1), ..draft() },
            Draft { sell_client: Some(99_999), ..draft() },
            Draft { device_no: Some("س".repeat(128)), ..draft() },
            Draft { event_id: Some("Az09_-12".into()), ..draft() },
            Draft { event_id: Some("a".repeat(64)), ..draft() },
        ] {
            assert_eq!(faults(good.clone()), Vec::<String>::new(), "{good:?}");
        }
        assert_eq!(faults(Draft { value: object(16_385), ..draft() }), ["event_value"]);
        for (value, why) in [
            (nested(33), "at most 32 levels deep"),
            ("[]".to_owned(), "a JSON object as text"),
            (object(16_385), "at most 16384 bytes"),
        ] {
            let error = checked(Draft { value, ..draft() }, 0).unwrap_err();
            assert_eq!(error.fields()[0].why, why);
        }
        let both = Draft { name: String::new(), value: "[".into(), ..draft() };
        assert_eq!(faults(both), ["event_name", "event_value"]);
    }

    #[test]
    fn campaign_and_channel_come_from_the_value() {
        let longest = "p".repeat(MAX_CAMPAIGN_LENGTH);
        for (value, campaign, channel) in [
            (&*format!(r#"{{"pid":"{longest}"}}"#), &*longest, ""),
            (&*format!(r#"{{"pid":"{longest}p"}}"#), "", ""),
            (r#"{"c":"eid","pid":"7","scnl":1110619}"#, "eid", "1110619"),
            (r#"{"pid":7}"#, "7", ""),
            (r#"{"c":"","pid":"p-1","scnl":"1110317"}"#, "p-1", "1110317"),
            (r#"{"c":{"a":1},"scnl":["x"]}"#, "", ""),
            (r#"{"c":"summer sale","scnl":"a\u0000b"}"#, "summer sale", ""),
            (
                r#"{"c":" \u0631\u0645\u0636\u0627\u0646 "}"#,
                "\u{631}\u{645}\u{636}\u{627}\u{646}",
                "",
            ),
            (r#"{"c":"a+b, c-d_e.f"}"#, "a+b, c-d_e.f", ""),
            (r#"{"c":"a\nb","pid":"p"}"#, "p", ""),
            (r#"{"c":"<b>"}"#, "", ""),
        ] {
            let event = checked(Draft { value: value.into(), ..draft() }, 0).unwrap();
            assert_eq!((event.campaign.as_str(), event.channel.as_str()), (campaign, channel));
        }
    }

    proptest::proptest! {
        #[test]
        fn checked_never_panics(name in ".*", value in ".*", id in ".{0,70}") {
            let draft = Draft { name, value, event_id: Some(id), ..Draft::default() };
            if let Ok(event) = checked(draft, u64::MAX) {
                assert!(is_event_id(&event.event_id) && event.value.len() <= MAX_VALUE_BYTES);
                assert!(!event.value.contains('\0') && !event.day().is_empty());
            }
        }
    }
}
