//! Titles and descriptions as search results and tabs show them.

/// Characters of a description that are shown whole.
const DESCRIPTION: usize = 160;

/// A title by its template (`{title} | Sahm`). Search results and tabs cut a long one at its end,
/// so the name comes first and stays whole.
pub(super) fn title_of(template: &str, name: &str) -> String {
    template.replace("{title}", name)
}

/// A description, cut after a whole word where it is too long.
pub(super) fn description_of(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION {
        return text.to_owned();
    }
    let end = text.char_indices().nth(DESCRIPTION - 1).map_or(text.len(), |(at, _)| at);
    let cut = &text[..end];
    let words = cut.rfind(char::is_whitespace).map_or(cut, |at| &cut[..at]);
    format!("{}…", words.trim_end_matches(|c: char| c.is_whitespace() || ".,;:،؛–-".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_names_the_page_and_the_brand() {
        let long = "a".repeat(100);
        for (template, name, expected) in [
            ("{title} | Sahm", "News", "News | Sahm".to_owned()),
            ("{title} | Sahm", &long, format!("{long} | Sahm")),
            ("{title} | سهم", "الأخبار", "الأخبار | سهم".to_owned()),
            ("Pricing | Sahm", &long, "Pricing | Sahm".to_owned()),
        ] {
            assert_eq!(title_of(template, name), expected);
        }
    }

    #[test]
    fn descriptions() {
        let fits = "é".repeat(DESCRIPTION);
        let words = "word, ".repeat(40);
        for (text, expected) in [
            ("", String::new()),
            ("Short.", "Short.".to_owned()),
            (&fits, fits.clone()),
            // 26 words and their commas are 156 characters.
            (&words, format!("{}word…", "word, ".repeat(25))),
            (&"é".repeat(DESCRIPTION + 1), format!("{}…", "é".repeat(DESCRIPTION - 1))),
        ] {
            let cut = description_of(text);
            assert_eq!(cut, expected);
            assert!(cut.chars().count() <= DESCRIPTION);
        }
    }
}
