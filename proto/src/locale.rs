//! The two languages of the site, spelled as in every message.

use std::fmt;

/// A language of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locale {
    /// English, left to right; the default and the fallback.
    EnUs,
    /// Arabic, right to left.
    ArSa,
}

impl Locale {
    /// Both, in the order in which they are listed.
    pub const ALL: [Locale; 2] = [Locale::EnUs, Locale::ArSa];

    /// The name in paths, cookies, stores and messages.
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

    /// The locale of exactly this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|locale| locale.as_str() == name)
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

    /// Parses a request's locale, ignoring surrounding white space; English if unknown or empty.
    pub fn parse_or_english(text: &str) -> Self {
        Self::parse(text.trim()).unwrap_or(Self::EnUs)
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
