//! Bilingual fields: a missing language is filled from another one.

/// Fills the empty texts among a default, an English and an Arabic one: English from the default,
/// Arabic from English, the default from English.
pub fn fill(bare: &mut String, english: &mut String, arabic: &mut String) {
    if english.is_empty() {
        english.clone_from(bare);
    }
    if bare.is_empty() {
        bare.clone_from(english);
    }
    if arabic.is_empty() {
        arabic.clone_from(english);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn missing_languages_are_filled() {
        for (given, expected) in [
            (["a", "b", "c"], ["a", "b", "c"]),
            (["a", "", ""], ["a", "a", "a"]),
            (["a", "b", ""], ["a", "b", "b"]),
            (["", "b", ""], ["b", "b", "b"]),
            (["a", "", "c"], ["a", "a", "c"]),
            (["", "", ""], ["", "", ""]),
        ] {
            let [mut bare, mut english, mut arabic] = given.map(str::to_owned);
            super::fill(&mut bare, &mut english, &mut arabic);
            assert_eq!([&*bare, &*english, &*arabic], expected, "{given:?}");
        }
    }
}
