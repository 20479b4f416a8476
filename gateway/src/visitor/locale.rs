//! The two languages, and how freely they may be spelt (contract §4).

use std::fmt;

/// A language of the site (specification §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Locale {
    /// English, left to right; the default.
    EnUs,
    /// Arabic, right to left.
    ArSa,
}

impl Locale {
    /// Both, English first.
    pub const ALL: [Locale; 2] = [Locale::EnUs, Locale::ArSa];

    /// As it stands in paths, cookies and documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EnUs => "en-us",
            Self::ArSa => "ar-sa",
        }
    }

    /// The path prefix.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::EnUs => "/en-us",
            Self::ArSa => "/ar-sa",
        }
    }

    /// The BCP 47 tag for `lang` attributes.
    pub fn tag(self) -> &'static str {
        match self {
            Self::EnUs => "en-US",
            Self::ArSa => "ar-SA",
        }
    }

    /// `ltr` or `rtl`.
    pub fn dir(self) -> &'static str {
        match self {
            Self::EnUs => "ltr",
            Self::ArSa => "rtl",
        }
    }

    /// Reads `ar`, `ar-sa`, `en`, `en-us` in any case, with `-` or `_`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > 5 {
            return None;
        }
        match text.to_ascii_lowercase().replace('_', "-").as_str() {
            "ar" | "ar-sa" => Some(Self::ArSa),
            "en" | "en-us" => Some(Self::EnUs),
            _ => None,
        }
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The first `lang` of a query decides; another value counts as absent.
pub(super) fn of_query(query: &str) -> Option<Locale> {
    form_urlencoded::parse(query.as_bytes())
        .find(|(name, _)| name == "lang")
        .and_then(|(_, value)| Locale::parse(&value))
}
