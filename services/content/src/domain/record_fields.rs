//! Fields shared by several records, and their validation.

use sha2::{Digest, Sha256};

use super::{
    Bilingual, Entry, EntryData, Locale, MAX_ID, Market, Picture, RecordFiles, is_id, is_slug,
};

/// The longest title, summary, name and path, in characters.
pub(crate) const MAX_TITLE: usize = 200;
pub(crate) const MAX_SUMMARY: usize = 600;
pub(crate) const MAX_NAME: usize = 120;
pub(crate) const MAX_PATH: usize = 300;
/// The longest code of a security or position, in characters.
const MAX_CODE: usize = 32;

/// Validation error of a record: the invalid key and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {why}")]
pub struct FieldError {
    /// The key as authors write it.
    pub key: &'static str,
    pub why: String,
}

/// Derives the id of an entry that is identified by a string. It has 53 bits, so that JSON
/// parsers represent it exactly.
pub fn id_for(text: &str) -> u64 {
    let digest = Sha256::digest(text.as_bytes());
    let number = digest.iter().take(8).fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
    (number >> 11).max(1)
}

pub(crate) fn bilingual(id: u64, slug: &str, published_at: u32, data: EntryData) -> Entry {
    Entry { id, locale: None, slug: slug.to_owned(), published_at, body_html: String::new(), data }
}

/// The keys of a name and of a title: language-neutral, English, Arabic.
pub(crate) const NAME: [&str; 3] = ["name", "nameEn", "nameSa"];
pub(crate) const TITLE: [&str; 3] = ["title", "titleEn", "titleSa"];

/// A name or a title in both languages. The language-neutral key is the fallback for English.
pub(crate) fn named(
    [key, key_en, key_sa]: [&'static str; 3],
    [name, en, sa]: [&str; 3],
) -> Result<Bilingual, FieldError> {
    let en = optional(key_en, en, MAX_TITLE)?;
    let en = if en.is_empty() { line(key, name, MAX_TITLE)? } else { en };
    Ok(Bilingual { en, sa: optional(key_sa, sa, MAX_TITLE)? })
}

pub(crate) fn either(key: &'static str, first: &str, second: &str) -> Result<String, FieldError> {
    optional(key, if first.trim().is_empty() { second } else { first }, MAX_SUMMARY)
}

pub(crate) fn id_of(key: &'static str, requested: u64) -> Result<u64, FieldError> {
    id(requested).map_err(|refused| field_error(key, refused.why))
}

pub(crate) fn locale(name: &str) -> Result<Locale, FieldError> {
    Locale::from_name(name).ok_or_else(|| field_error("locale", "is neither en-us nor ar-sa"))
}

pub(crate) fn field_error(key: &'static str, why: impl Into<String>) -> FieldError {
    FieldError { key, why: why.into() }
}

pub(crate) fn id(id: u64) -> Result<u64, FieldError> {
    is_id(id)
        .then_some(id)
        .ok_or_else(|| field_error("id", format!("is not between 1 and {MAX_ID}")))
}

pub(crate) fn market(name: &str) -> Result<Market, FieldError> {
    Market::from_name(name)
        .ok_or_else(|| field_error("market", "is none of us, saudi, all and nothing"))
}

/// One line of text: whitespace is collapsed into single spaces, except for no-break spaces, which
/// authors use to keep a number and its unit on one line.
pub(crate) fn optional(key: &'static str, text: &str, max: usize) -> Result<String, FieldError> {
    let is_breaking =
        |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}');
    let words = text.trim().split(is_breaking).filter(|word| !word.is_empty());
    let text = words.collect::<Vec<_>>().join(" ");
    if text.chars().count() > max {
        return Err(field_error(key, format!("is longer than {max} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(field_error(key, "holds control characters"));
    }
    Ok(text)
}

pub(crate) fn line(key: &'static str, text: &str, max: usize) -> Result<String, FieldError> {
    let text = optional(key, text, max)?;
    if text.is_empty() { Err(field_error(key, "is empty")) } else { Ok(text) }
}

/// The picture at a path.
pub(crate) fn picture(
    key: &'static str,
    path: &str,
    files: &mut dyn RecordFiles,
) -> Result<Picture, FieldError> {
    files.picture(&line(key, path, MAX_PATH)?).map_err(|why| field_error(key, why))
}

pub(crate) fn code(
    key: &'static str,
    text: &str,
    fits: impl Fn(u8) -> bool,
) -> Result<String, FieldError> {
    let good = (1..=MAX_CODE).contains(&text.len()) && text.bytes().all(fits);
    good.then(|| text.to_owned())
        .ok_or_else(|| field_error(key, format!("is no code of at most {MAX_CODE} characters")))
}

pub(crate) fn address(key: &'static str, text: &str) -> Result<String, FieldError> {
    let address = line(key, text, MAX_PATH)?;
    let path = address.starts_with('/') && !address.starts_with("//") && !address.contains('\\');
    if address.starts_with("https://") || path {
        Ok(address)
    } else {
        Err(field_error(key, "is neither an https address nor a path of the site"))
    }
}

pub(crate) fn slug(text: &str) -> Result<String, FieldError> {
    is_slug(text).then(|| text.to_owned()).ok_or_else(|| {
        field_error("slug", "is not 1 to 80 of a-z, 0-9 and hyphen, with a letter among them")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_collapses_whitespace_that_allows_a_break() {
        for (text, expected) in [
            ("  a \t\n b  ", "a b"),
            ("SAR\u{a0}500 a\u{202f}b", "SAR\u{a0}500 a\u{202f}b"),
            ("\u{a0}a\u{a0} ", "a"),
        ] {
            assert_eq!(line("title", text, MAX_TITLE).as_deref(), Ok(expected));
        }
        for text in ["", " \u{a0}\t"] {
            assert_eq!(line("title", text, MAX_TITLE), Err(field_error("title", "is empty")));
        }
    }
}
