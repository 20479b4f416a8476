//! The client profile: all properties of the request headers that URL resolution may depend on.

use http::{HeaderMap, header};

use super::{AgentId, Locale, Platform, Theme, cookie, text};

/// A client by its headers.
///
/// URL resolution takes this instead of headers: its result for one client is valid for all clients with an equal
/// profile, so the cache key of resolved URLs cannot miss an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientProfile {
    /// The default language, if neither path nor query names one: that of the cookie `lang`, else English.
    pub locale: Locale,
    /// Kind of device.
    pub platform: Platform,
    /// Colour scheme, if the server can know it.
    pub theme: Theme,
    /// Whether a user agent was sent.
    pub has_agent: bool,
    /// The cookie `AGENTID`, if valid.
    pub agent_id: Option<AgentId>,
}

impl ClientProfile {
    /// Reads the profile; `app_marker` marks the native app's user agent.
    pub fn from_headers(headers: &HeaderMap, app_marker: &str) -> Self {
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
    /// Reads the cookie.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        cookie(headers, Self::COOKIE).and_then(Self::parse)
    }
}
