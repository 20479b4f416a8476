//! Fields that records of entries have in common, and how each is checked.

use sha2::{Digest, Sha256};

use super::{
    Bilingual, Entry, Fault, Head, Locale,
    record::{SUMMARY_MAX, TITLE_MAX, fault, id, line, optional},
};

/// The id that stands for a text which names an entry by itself: 53 bits, which JSON readers take
/// for a number.
pub fn id_for(text: &str) -> u64 {
    let digest = Sha256::digest(text.as_bytes());
    let number = digest.iter().take(8).fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
    (number >> 11).max(1)
}

pub(super) fn bilingual(id: u64, slug: &str, published_at: u32, head: Head) -> Entry {
    Entry { id, locale: None, slug: slug.to_owned(), published_at, body_html: String::new(), head }
}

/// The keys of a name and of a title: without a language, English, Arabic.
pub(super) const NAME: [&str; 3] = ["name", "nameEn", "nameSa"];
pub(super) const TITLE: [&str; 3] = ["title", "titleEn", "titleSa"];

/// A name or a title in both languages. A record without the English key uses the key without a language.
pub(super) fn named(
    [key, key_en, key_sa]: [&'static str; 3],
    [name, en, sa]: [&str; 3],
) -> Result<Bilingual, Fault> {
    let en = optional(key_en, en, TITLE_MAX)?;
    let en = if en.is_empty() { line(key, name, TITLE_MAX)? } else { en };
    Ok(Bilingual { en, sa: optional(key_sa, sa, TITLE_MAX)? })
}

pub(super) fn either(key: &'static str, first: &str, second: &str) -> Result<String, Fault> {
    optional(key, if first.trim().is_empty() { second } else { first }, SUMMARY_MAX)
}

pub(super) fn id_of(key: &'static str, asked: u64) -> Result<u64, Fault> {
    id(asked).map_err(|refused| fault(key, refused.why))
}

pub(super) fn locale(name: &str) -> Result<Locale, Fault> {
    Locale::from_name(name).ok_or_else(|| fault("locale", "is neither en-us nor ar-sa"))
}
