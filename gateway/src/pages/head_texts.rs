//! Titles and descriptions as search results and tabs show them.

/// Characters of a title that are shown whole.
const TITLE: usize = 65;

/// Characters of a description that are shown whole.
const DESCRIPTION: usize = 160;

/// A title by its template (`{title} | Sahm`). Where that is too long the name stands alone: it
/// says more than where it is from, and is never cut.
pub(super) fn title_of(template: &str, name: &str) -> String {
    let whole = template.replace("{title}", name);
    let fits = name.is_empty() || whole == template || whole.chars().count() <= TITLE;
    if fits { whole } else { name.to_owned() }
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
    fn titles() {
        let fits = "a".repeat(TITLE - " | Sahm".len());
        let alone = "a".repeat(TITLE);
        for (template, name, expected) in [
            ("{title} | Sahm", "News", "News | Sahm".to_owned()),
            ("{title} | Sahm", &fits, format!("{fits} | Sahm")),
            ("{title} | Sahm", &alone, alone.clone()),
            ("{title} | سهم", "الأخبار", "الأخبار | سهم".to_owned()),
            ("Pricing | Sahm", &alone, "Pricing | Sahm".to_owned()),
            ("{title} | Sahm", "", " | Sahm".to_owned()),
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
