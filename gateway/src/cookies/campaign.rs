//! `sahm_spm_share_data`: which campaign brought a visitor: URL-encoded JSON
//! of `pid`, `scnl`, `c`, `onelink`, `expired` (epoch seconds) and `lastPid`, for one hour.

use http::HeaderMap;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sahm_chassis::campaign::campaign_name;
use serde::Serialize;
use serde_json::Value;

use crate::visitor;

pub(super) const NAME: &str = "sahm_spm_share_data";

/// Seconds.
pub(super) const LIFE: u32 = 3_600;

/// Bytes of a sent cookie that are looked at: as many as browsers store.
const COOKIE_BYTES: usize = 4_096;
/// Bytes of one value.
const VALUE_BYTES: usize = 128;

/// What the cookie says.
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

/// The cookie's new value: a parameter brings something new, or no unexpired cookie was sent.
pub(super) fn brought(query: &str, headers: &HeaderMap, now: u32) -> Option<Campaign> {
    let known = visitor::cookie(headers, NAME).and_then(read);
    let known = known.filter(|campaign| campaign.expired > now);
    let mut campaign = known.clone().unwrap_or_default();
    for (name, field, read) in [
        ("_pid", &mut campaign.pid, value as Read),
        ("_scnl", &mut campaign.scnl, value),
        ("_c", &mut campaign.c, campaign_name),
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
    Some(Campaign { expired: now.saturating_add(LIFE), ..campaign })
}

impl Campaign {
    /// Whether it names none: then it is the same for everyone of the same second.
    pub(super) fn is_blank(&self) -> bool {
        *self == Self { expired: self.expired, ..Self::default() }
    }

    /// As it stands in the cookie.
    pub(super) fn value(&self) -> String {
        // Texts and a number always serialise.
        let json = serde_json::to_string(self).unwrap_or_default();
        utf8_percent_encode(&json, NON_ALPHANUMERIC).to_string()
    }
}

/// Reads a sent cookie; a malformed one is none, and so is each malformed value of it.
fn read(cookie: &str) -> Option<Campaign> {
    if cookie.len() > COOKIE_BYTES {
        return None;
    }
    let json = percent_decode_str(cookie).decode_utf8().ok()?;
    let fields = serde_json::from_str::<serde_json::Map<String, Value>>(&json).ok()?;
    let text = |name: &str, read: Read| match fields.get(name) {
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

/// Reads one value; `None` where it is malformed.
type Read = fn(&str) -> Option<&str>;

/// `[A-Za-z0-9_.~-]{1,128}`
fn value(text: &str) -> Option<&str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.~-".contains(&byte);
    ((1..=VALUE_BYTES).contains(&text.len()) && text.bytes().all(fits)).then_some(text)
}

/// A value, or an https address without anything that could end it.
fn is_link(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\`{}|^".contains(&byte);
    value(text).is_some()
        || text.starts_with("https://") && text.len() <= 512 && text.bytes().all(fits)
}

#[cfg(test)]
#[path = "campaign_tests.rs"]
mod tests;
