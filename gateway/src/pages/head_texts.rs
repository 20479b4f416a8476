//! Formats titles and descriptions for search results and tabs.

/// Maximum length of a description, in characters.
const MAX_DESCRIPTION_CHARS: usize = 160;

/// Fills a title template (`{title} | Sahm`). Search results and tabs truncate long titles at the end, so the name
/// comes first.
pub(super) fn title_of(template: &str, name: &str) -> String {
    match name {
        "" => template.replace("{title} | ", ""),
        name => template.replace("{title}", name),
    }
}

/// Truncates a long description after a whole word.
pub(super) fn description_of(text: &str) -> String {
    if text.chars().count() <= MAX_DESCRIPTION_CHARS {
        return text.to_owned();
    }
    let end = text.char_indices().nth(MAX_DESCRIPTION_CHARS - 1).map_or(text.len(), |(at, _)| at);
    let cut = &text[..end];
    let words = cut.rfind(char::is_whitespace).map_or(cut, |at| &cut[..at]);
    format!("{}…", words.trim_end_matches(|c: char| c.is_whitespace() || ".,;:،؛–-".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_contains_page_and_brand() {
        let long = "a".repeat(100);
        for (template, name, expected) in [
            ("{title} | Sahm", "News", "News | Sahm".to_owned()),
            ("{title} | Sahm", "", "Sahm".to_owned()),
            ("{title} | Sahm", &long, format!("{long} | Sahm")),
            ("{title} | سهم", "الأخبار", "الأخبار | سهم".to_owned()),
            ("Pricing | Sahm", &long, "Pricing | Sahm".to_owned()),
        ] {
            assert_eq!(title_of(template, name), expected);
        }
    }

    #[test]
    fn long_descriptions_are_truncated_after_a_word() {
        let fits = "é".repeat(MAX_DESCRIPTION_CHARS);
        let words = "word, ".repeat(40);
        for (text, expected) in [
            ("", String::new()),
            ("Short.", "Short.".to_owned()),
            (&fits, fits.clone()),
            // 26 words and their commas are 156 characters.
            (&words, format!("{}word…", "word, ".repeat(25))),
            (
                &"é".repeat(MAX_DESCRIPTION_CHARS + 1),
                format!("{}…", "é".repeat(MAX_DESCRIPTION_CHARS - 1)),
            ),
        ] {
            let cut = description_of(text);
            assert_eq!(cut, expected);
            assert!(cut.chars().count() <= MAX_DESCRIPTION_CHARS);
        }
    }
}
