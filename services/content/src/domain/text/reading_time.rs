use crate::domain::Locale;

/// Reading time of a text in minutes, at least 1.
///
/// The silent reading rate is 238 words per minute for English and 181 for Arabic (Brysbaert 2019,
/// a meta-analysis of 190 studies, table 8).
pub fn reading_minutes(words: usize, locale: Locale) -> u32 {
    let words_a_minute = match locale {
        Locale::EnUs => 238,
        Locale::ArSa => 181,
    };
    u32::try_from(words.div_ceil(words_a_minute)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_time_depends_on_words_and_locale() {
        let table = [
            (0, Locale::EnUs, 1),
            (238, Locale::EnUs, 1),
            (239, Locale::EnUs, 2),
            (181, Locale::ArSa, 1),
            (400, Locale::ArSa, 3),
            (usize::MAX, Locale::EnUs, u32::MAX),
        ];
        for (words, locale, minutes) in table {
            assert_eq!(reading_minutes(words, locale), minutes, "{words} {locale:?}");
        }
    }
}
