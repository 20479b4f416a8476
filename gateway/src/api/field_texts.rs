//! Arabic translations of the reasons in `data.fields`, which services and the gateway write in English. The English
//! pattern is the key of its translation; each `{}` captures a value.

use std::borrow::Cow;

use crate::visitor::Locale;

/// Text for a reason without translation.
const INVALID: &str = "قيمة غير صالحة";

const TEXTS: &str = include_str!("field_texts/arabic.tsv");

/// The English and Arabic patterns.
fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXTS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

/// The reason why a field is rejected, in the caller's language.
pub(super) fn localized(why: &str, locale: Locale) -> Cow<'_, str> {
    match locale {
        Locale::EnUs => why.into(),
        Locale::ArSa => {
            let known = texts().find_map(|(english, arabic)| {
                let values = captured(english, why)?;
                let filled = values
                    .iter()
                    .fold(arabic.to_owned(), |text, value| text.replacen("{}", value, 1));
                Some(filled)
            });
            known.map_or(INVALID.into(), Cow::from)
        }
    }
}

/// The values that the `{}` of a pattern capture in a text; `None` if the pattern does not match.
fn captured<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}").peekable();
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            None if part.is_empty() => rest.len(),
            None => rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part))?,
            Some(_) => rest.find(part)?,
        };
        values.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod sources_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_is_localized_for_the_caller() {
        let cases = [
            ("is required", "مطلوب"),
            ("must be at most 50", "يجب ألا تزيد القيمة على 50"),
            ("must be at most 50 items", "يجب ألا يزيد عدد العناصر على 50"),
            ("must be 1 to 3", "يجب أن تكون القيمة من 1 إلى 3"),
            ("must be one of us, saudi, all", "يجب أن تكون القيمة واحدة من: us, saudi, all"),
            ("is a text that the catalogue lacks", INVALID),
        ];
        for (english, arabic) in cases {
            assert_eq!(localized(english, Locale::ArSa), arabic);
            assert_eq!(localized(english, Locale::EnUs), english);
        }
    }

    #[test]
    fn every_pattern_matches_its_own_translation() {
        for (english, arabic) in texts() {
            assert_eq!(english.matches("{}").count(), arabic.matches("{}").count(), "{english}");
            let values = ["7"; 3];
            let fill = |text: &str| {
                values.iter().fold(text.to_owned(), |text, value| text.replacen("{}", value, 1))
            };
            assert_eq!(localized(&fill(english), Locale::ArSa), fill(arabic), "{english}");
        }
    }
}
