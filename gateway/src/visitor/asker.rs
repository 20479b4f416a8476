//! All that the judging of an address may look at of a request's headers.

use http::{HeaderMap, header};

use super::{AgentId, Locale, Platform, Theme, cookie, text};

/// Who asks, by the headers alone.
///
/// Rules take this instead of headers: an address that was judged for one is judged for all who are
/// equal to it, and what a rule looks at cannot be forgotten where judged addresses are remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asker {
    /// The language where neither path nor query names one: that of the cookie `lang`, else English.
    pub locale: Locale,
    /// Kind of device.
    pub platform: Platform,
    /// Colour scheme, where the server can know it.
    pub theme: Theme,
    /// Whether a user agent was sent: some rules are for those who say what they are.
    pub has_agent: bool,
    /// The cookie `AGENTID`, where it is one.
    pub agent_id: Option<AgentId>,
}

impl Asker {
    /// Judges headers; `app_marker` marks the native app's user agent.
    pub fn of(headers: &HeaderMap, app_marker: &str) -> Self {
        let agent = text(headers, header::USER_AGENT);
        let platform = Platform::of(agent, app_marker);
        Self {
            locale: cookie(headers, "lang").and_then(Locale::parse).unwrap_or(Locale::EnUs),
            platform,
            theme: Theme::of(platform, agent, headers),
            has_agent: headers.contains_key(header::USER_AGENT),
            agent_id: AgentId::of(headers),
        }
    }
}

impl AgentId {
    /// That of the cookie.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        cookie(headers, Self::COOKIE).and_then(Self::parse)
    }
}
