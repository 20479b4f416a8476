//! The colour scheme, as far as the server can know it.

use http::{HeaderMap, HeaderName};
use strum::IntoStaticStr;

use super::Platform;

/// The client hint of the colour scheme.
const PREFERS_COLOR_SCHEME: HeaderName = HeaderName::from_static("sec-ch-prefers-color-scheme");

/// The colour scheme of a page (docs/sessions.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Theme {
    Light,
    Dark,
    /// Unknown to the server: the page has both schemes and CSS selects one.
    Auto,
}

impl Theme {
    /// The value in `data-theme` and cache keys.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The native app's theme is in its user agent, that of browsers in the client hint.
    pub(super) fn of(platform: Platform, agent: &str, headers: &HeaderMap) -> Self {
        if platform == Platform::App {
            return if agent.contains("Theme/dark") { Self::Dark } else { Self::Light };
        }
        match super::text(headers, PREFERS_COLOR_SCHEME).trim_matches('"') {
            "dark" => Self::Dark,
            "light" => Self::Light,
            _ => Self::Auto,
        }
    }
}
