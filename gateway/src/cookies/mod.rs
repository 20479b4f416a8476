//! Cookies that any page may set (contract §7): the language, the channel's agent, the campaign.
//! All are made after the cache look-up, from this visitor's request alone.

mod agent;
mod campaign;

use http::{HeaderMap, HeaderValue, header};
use sahm_chassis::settings::Settings;

pub(crate) use agent::{agent_id, is_agent_id};

use crate::visitor::Locale;

/// One year, as contract §7 says of `lang`.
const YEAR: u32 = 31_536_000;

/// Remembers a language that was chosen by query.
pub(crate) fn remember_locale(headers: &mut HeaderMap, locale: Locale, settings: &Settings) {
    set(headers, "lang", locale.as_str(), Some(YEAR), settings);
}

/// Remembers which channel and campaign brought the visitor to a page, where that is news.
///
/// `query` and `asked` are the request's; `now` is in epoch seconds.
pub(crate) fn remember_origin(
    headers: &mut HeaderMap,
    query: &str,
    asked: &HeaderMap,
    now: u32,
    settings: &Settings,
) {
    if let Some(agent) = agent::brought(query, asked) {
        set(headers, agent::NAME, &agent, None, settings);
    }
    if let Some(campaign) = campaign::brought(query, asked, now) {
        set(headers, campaign::NAME, &campaign, Some(campaign::LIFE), settings);
    }
}

/// `age` in seconds; without one the cookie ends with the browser's session. Scripts may read it.
fn set(headers: &mut HeaderMap, name: &str, value: &str, age: Option<u32>, settings: &Settings) {
    let age = age.map(|age| format!("; Max-Age={age}")).unwrap_or_default();
    let secure = if settings.environment.is_dev() { "" } else { "; Secure" };
    let cookie = format!("{name}={value}; Path=/{age}; SameSite=Lax{secure}");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        headers.append(header::SET_COOKIE, value);
    }
}
