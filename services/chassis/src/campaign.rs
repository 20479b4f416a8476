//! Names of campaigns in links to the site and in event reports.

/// Maximum length of a name in characters.
pub const MAX_CAMPAIGN_CHARS: usize = 64;

/// A campaign's name without surrounding white space: letters of any script, digits, spaces and
/// `-_.+,`, at most 64 characters. `None` for anything else, including an empty name.
pub fn campaign_name(text: &str) -> Option<&str> {
    let fits = |c: char| c.is_alphanumeric() || " -_.+,".contains(c);
    let name = text.trim_matches(' ');
    let is_name =
        !name.is_empty() && name.chars().count() <= MAX_CAMPAIGN_CHARS && name.chars().all(fits);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_letters_of_any_script_but_no_delimiters() {
        let longest = "\u{631}".repeat(MAX_CAMPAIGN_CHARS);
        for name in ["eid", "summer sale", "رمضان كريم", "مُبارك", "a-b_c.d+e,f", "2026", &longest]
        {
            assert_eq!(campaign_name(name), Some(name));
        }
        assert_eq!(campaign_name("  eid  "), Some("eid"));
        let too_long = format!("{longest}x");
        for refused in
            ["", "  ", "a\nb", "a\tb", "a\0b", "<b>", "a;b", "a=b", "a\"b", "\u{202e}a", &too_long]
        {
            assert_eq!(campaign_name(refused), None, "{refused:?}");
        }
    }
}
