//! The colour scheme, as far as the server can know it.

use http::{HeaderMap, HeaderName};

use super::Platform;

/// The client hint.
const HINT: HeaderName = HeaderName::from_static("sec-ch-prefers-color-scheme");

/// The colour scheme of a page (docs/sessions.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// Not known here: the page carries both and CSS decides.
    Auto,
}

impl Theme {
    /// As it stands in `data-theme` and cache keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Auto => "auto",
        }
    }

    /// In the app from the user agent, elsewhere from the client hint.
    pub(super) fn of(platform: Platform, agent: &str, headers: &HeaderMap) -> Self {
        if platform == Platform::App {
            return if agent.contains("Theme/dark") { Self::Dark } else { Self::Light };
        }
        match super::text(headers, HINT).trim_matches('"') {
            "dark" => Self::Dark,
            "light" => Self::Light,
            _ => Self::Auto,
        }
    }
}
