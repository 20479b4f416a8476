//! The cookie `sahm_spm_share_data` names the campaign that brought a visitor. It is URL-encoded JSON of `pid`, `scnl`,
//! `c`, `onelink`, `expired` (epoch seconds) and `lastPid`, valid for one hour.

use http::HeaderMap;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sahm_chassis::campaign::campaign_name;
use serde::Serialize;
use serde_json::Value;

use crate::visitor;

pub(super) const COOKIE: &str = "sahm_spm_share_data";

/// Lifetime of the cookie, in seconds.
pub(super) const MAX_AGE_SECONDS: u32 = 3_600;

/// Maximum size of the cookie in a request, bytes: the maximum that browsers store.
const MAX_COOKIE_BYTES: usize = 4_096;
/// Maximum size of one value, bytes.
const MAX_VALUE_BYTES: usize = 128;

/// Query parameters that change the cookie.
pub(super) const PARAMETERS: [&str; 3] = [PID, SCNL, C];
const PID: &str = "_pid";
const SCNL: &str = "_scnl";
const C: &str = "_c";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Campaign {
    pid: String,
    scnl: String,
    c: String,
    onelink: String,
    expired: u32,
    last_pid: String,
}

/// The new value of the cookie; `None` if the request has an unexpired cookie with the campaign of the query.
pub(super) fn updated(query: &str, headers: &HeaderMap, now: u32) -> Option<Campaign> {
    let known = visitor::cookie(headers, COOKIE).and_then(read);
    let known = known.filter(|campaign| campaign.expired > now);
    let mut campaign = known.clone().unwrap_or_default();
    for (name, field, read) in [
        (PID, &mut campaign.pid, value as Validate),
        (SCNL, &mut campaign.scnl, value),
        (C, &mut campaign.c, campaign_name),
    ] {
        let sent = form_urlencoded::parse(query.as_bytes()).find(|(found, _)| found == name);
        if let Some(value) = sent.as_ref().and_then(|(_, value)| read(value)) {
            *field = value.to_owned();
        }
    }
    match known {
        Some(known) if known == campaign => return None,
        Some(known) if known.pid != campaign.pid => campaign.last_pid = known.pid,
        _ => {}
    }
    Some(Campaign { expired: now.saturating_add(MAX_AGE_SECONDS), ..campaign })
}

impl Campaign {
    /// Whether it names no campaign. Such values differ only in their expiry.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self { expired: self.expired, ..Self::default() }
    }

    /// Encodes it for the cookie.
    pub(super) fn value(&self) -> String {
        // Texts and a number always serialise.
        let json = serde_json::to_string(self).unwrap_or_default();
        utf8_percent_encode(&json, NON_ALPHANUMERIC).to_string()
    }
}

/// Parses the cookie of a request. A malformed cookie counts as absent, and so does a malformed value in it.
fn read(cookie: &str) -> Option<Campaign> {
    if cookie.len() > MAX_COOKIE_BYTES {
        return None;
    }
    let json = percent_decode_str(cookie).decode_utf8().ok()?;
    let fields = serde_json::from_str::<serde_json::Map<String, Value>>(&json).ok()?;
    let text = |name: &str, read: Validate| match fields.get(name) {
        Some(Value::String(text)) => read(text).unwrap_or_default().to_owned(),
        Some(Value::Number(number)) if number.is_u64() => number.to_string(),
        _ => String::new(),
    };
    let onelink = fields.get("onelink").and_then(Value::as_str);
    Some(Campaign {
        pid: text("pid", value),
        scnl: text("scnl", value),
        c: text("c", campaign_name),
        onelink: onelink.filter(|link| is_link(link)).unwrap_or_default().to_owned(),
        expired: fields.get("expired").and_then(Value::as_u64)?.try_into().ok()?,
        last_pid: text("lastPid", value),
    })
}

/// Validates one value; `None` if it is malformed.
type Validate = fn(&str) -> Option<&str>;

/// `[A-Za-z0-9_.~-]{1,128}`
fn value(text: &str) -> Option<&str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.~-".contains(&byte);
    ((1..=MAX_VALUE_BYTES).contains(&text.len()) && text.bytes().all(fits)).then_some(text)
}

/// Whether a text is a value, or an https URL without characters that could end it.
fn is_link(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\`{}|^".contains(&byte);
    value(text).is_some()
        || text.starts_with("https://") && text.len() <= 512 && text.bytes().all(fits)
}

#[cfg(test)]
#[path = "campaign_tests.rs"]
mod tests;
