//! Texts in both languages.

use sahm_proto::Locale;
use serde::{Deserialize, Serialize};

/// A text in English and in Arabic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    pub en: String,
    /// Arabic.
    pub sa: String,
}

impl Text {
    /// A text from string literals.
    pub fn of(en: &str, sa: &str) -> Text {
        Text { en: en.to_owned(), sa: sa.to_owned() }
    }

    pub fn in_locale(&self, locale: Locale) -> &str {
        match locale {
            Locale::EnUs => &self.en,
            Locale::ArSa => &self.sa,
        }
    }

    /// # Errors
    /// The text is invalid or longer than `limit` characters; the language and the reason.
    pub(crate) fn check(&self, limit: usize) -> anyhow::Result<()> {
        for (language, text) in [("en", &self.en), ("sa", &self.sa)] {
            let fits = !text.trim().is_empty()
                && text.chars().count() <= limit
                && !text.chars().any(|c| c.is_control() || matches!(c, '<' | '>'));
            anyhow::ensure!(fits, "{language}: 1 to {limit} characters, without markup");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_or_formatted_texts_are_rejected() {
        for (en, sa, fault) in [
            ("a", "أ", None),
            ("", "أ", Some("en")),
            ("a", " ", Some("sa")),
            ("a<b>", "أ", Some("en")),
            ("four!", "أ", Some("en")),
            ("a\n", "أ", Some("en")),
        ] {
            let found = Text::of(en, sa).check(4).err().map(|why| why.to_string());
            assert_eq!(found.as_deref().and_then(|why| why.get(..2)), fault, "{en:?} {sa:?}");
        }
    }
}
