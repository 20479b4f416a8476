/// A language of the site (specification §2 and §5: only these two).
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

    /// The locale of this exact name, `en-us` or `ar-sa`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|locale| locale.as_str() == name)
    }

    /// What a caller asked for. Case and `_` for `-` do not matter and the language alone
    /// suffices; anything else, and nothing, is English (specification §2).
    pub fn asked(name: &str) -> Self {
        let name = name.trim().to_ascii_lowercase().replace('_', "-");
        match name.as_str() {
            "ar" | "ar-sa" => Self::ArSa,
            _ => Self::EnUs,
        }
    }

    /// The name in paths, stores and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EnUs => "en-us",
            Self::ArSa => "ar-sa",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Locale::{self, ArSa, EnUs};

    #[test]
    fn asked_locales() {
        let table = [
            ("en-us", EnUs),
            ("ar-sa", ArSa),
            ("ar-SA", ArSa),
            ("ar_SA", ArSa),
            (" ar ", ArSa),
            ("", EnUs),
            ("fr-fr", EnUs),
            ("arabic", EnUs),
        ];
        for (name, locale) in table {
            assert_eq!(Locale::asked(name), locale, "{name:?}");
        }
    }

    #[test]
    fn names_are_exact() {
        assert_eq!(Locale::from_name("ar-sa"), Some(ArSa));
        assert_eq!(Locale::from_name("AR-SA"), None);
        assert_eq!(Locale::from_name(""), None);
    }
}
