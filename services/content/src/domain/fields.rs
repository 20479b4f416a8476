//! The fields of records as authors write them, in front matter or as JSON, and their validation.
use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, MapAccess, Visitor},
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    Bilingual, Locale, MAX_ID, Market, Picture, RecordFiles, Text, is_id, is_slug,
    written_time::WrittenTime,
};

/// The longest title, summary, name and path, in characters.
pub(crate) const MAX_TITLE: usize = 200;
pub(crate) const MAX_SUMMARY: usize = 600;
pub(crate) const MAX_NAME: usize = 120;
pub(crate) const MAX_PATH: usize = 300;

/// The keys of texts in both languages: language-neutral, English, Arabic.
pub(crate) const NAME: [&str; 3] = ["name", "nameEn", "nameSa"];
pub(crate) const TITLE: [&str; 3] = ["title", "titleEn", "titleSa"];
pub(crate) const SUMMARY: [&str; 3] = ["summary", "summaryEn", "summarySa"];

/// The longest code of a security or position, in characters.
const MAX_CODE: usize = 32;

/// Validation error of a record: the invalid key and the message for the author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FieldError {
    /// The key as authors write it.
    pub key: String,
    pub message: String,
}

/// The values of a record by key. A key must not be repeated; in a nested object, the last one
/// counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldValues(pub(super) BTreeMap<String, Value>);

/// Reads the fields of a record. A method for an invalid field returns an empty value;
/// [`Fields::finish`] then returns the error.
pub(crate) struct Fields<'f> {
    values: BTreeMap<String, Value>,
    /// The files that the record references.
    files: &'f mut dyn RecordFiles,
    /// The keys that were read: those that the record's kind has.
    known: Vec<&'static str>,
    /// The first error.
    result: Result<(), FieldError>,
}

impl<'de> Deserialize<'de> for FieldValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RecordVisitor;

        impl<'de> Visitor<'de> for RecordVisitor {
            type Value = FieldValues;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a record")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldValues, A::Error> {
                let mut values = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    if values.contains_key(&key) {
                        return Err(A::Error::custom(format!("duplicate field `{key}`")));
                    }
                    values.insert(key, map.next_value()?);
                }
                Ok(FieldValues(values))
            }
        }

        deserializer.deserialize_map(RecordVisitor)
    }
}

impl<'f> Fields<'f> {
    pub(crate) fn new(values: FieldValues, files: &'f mut dyn RecordFiles) -> Self {
        Self { values: values.0, files, known: Vec::new(), result: Ok(()) }
    }

    /// Refuses the record because of a key, unless it is refused already.
    pub(crate) fn refuse(&mut self, key: &str, why: impl fmt::Display) {
        self.refuse_with(key, format!("{key}: {why}"));
    }

    fn refuse_with(&mut self, key: &str, message: String) {
        if self.result.is_ok() {
            self.result = Err(FieldError { key: key.to_owned(), message });
        }
    }

    /// # Errors
    /// The record has a key that was not read, otherwise the first error.
    pub(crate) fn finish(self) -> Result<(), FieldError> {
        if let Some(key) = self.values.into_keys().next() {
            let known = self.known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>();
            let message = format!("unknown field `{key}`, expected one of {}", known.join(", "));
            return Err(FieldError { key, message });
        }
        self.result
    }

    /// The value of a key; `None` if it is absent, null (a key without a value in front matter) or
    /// of another type.
    pub(crate) fn get<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        self.known.push(key);
        let value = self.values.remove(key).filter(|value| !value.is_null())?;
        serde_json::from_value(value).map_err(|error| self.refuse(key, error)).ok()
    }

    /// The value of an optional key.
    pub(crate) fn get_or_default<T: DeserializeOwned + Default>(&mut self, key: &'static str) -> T {
        self.get(key).unwrap_or_default()
    }

    /// The value of a required key.
    pub(crate) fn required<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        let value = self.get(key);
        if value.is_none() {
            self.refuse_with(key, format!("missing field `{key}`"));
        }
        value
    }

    /// Reads the fields of the object at a required key.
    pub(crate) fn object<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Fields<'_>) -> T,
    ) -> T {
        let values = self.required::<FieldValues>(key).unwrap_or_default();
        let mut fields = Fields::new(values, &mut *self.files);
        let value = read(&mut fields);
        let result = fields.finish();
        if self.result.is_ok() {
            self.result = result;
        }
        value
    }

    /// One line of text, which may be absent or empty.
    pub(crate) fn optional(&mut self, key: &'static str, max: usize) -> String {
        let text: String = self.get_or_default(key);
        self.checked(key, &text, max)
    }

    /// One line of text.
    pub(crate) fn line(&mut self, key: &'static str, max: usize) -> String {
        let text: String = self.required(key).unwrap_or_default();
        self.checked_line(key, &text, max)
    }

    /// The lines of an optional list of at most `count`.
    pub(crate) fn lines(&mut self, key: &'static str, count: usize, max: usize) -> Vec<String> {
        let texts: Vec<String> = self.get_or_default(key);
        if texts.len() > count {
            self.refuse(key, format!("are more than {count}"));
        }
        texts.iter().map(|text| self.checked_line(key, text, max)).collect()
    }

    fn checked_line(&mut self, key: &str, text: &str, max: usize) -> String {
        let text = self.checked(key, text, max);
        if text.is_empty() {
            self.refuse(key, "is empty");
        }
        text
    }

    fn checked(&mut self, key: &str, text: &str, max: usize) -> String {
        let text = one_line(text);
        if text.chars().count() > max {
            self.refuse(key, format!("is longer than {max} characters"));
        }
        if text.chars().any(char::is_control) {
            self.refuse(key, "holds control characters");
        }
        text
    }

    /// A text in both languages. The language-neutral key is the fallback for English.
    pub(crate) fn bilingual(
        &mut self,
        [key, key_en, key_sa]: [&'static str; 3],
        max: usize,
    ) -> Bilingual {
        let (neutral, en): (String, _) = (self.get_or_default(key), self.optional(key_en, max));
        let en = if en.is_empty() { self.checked(key, &neutral, max) } else { en };
        Bilingual { en, sa: self.optional(key_sa, max) }
    }

    /// A name or a title in both languages, which is not empty.
    pub(crate) fn named(&mut self, keys: [&'static str; 3]) -> Bilingual {
        if !self.values.contains_key(keys[0]) {
            self.refuse_with(keys[0], format!("missing field `{}`", keys[0]));
        }
        let name = self.bilingual(keys, MAX_TITLE);
        if name.en.is_empty() {
            self.refuse(keys[0], "is empty");
        }
        name
    }

    /// A line in English, and optionally in Arabic.
    pub(crate) fn line_in_both(
        &mut self,
        key: &'static str,
        key_sa: &'static str,
        max: usize,
    ) -> Bilingual {
        Bilingual { en: self.line(key, max), sa: self.optional(key_sa, max) }
    }

    /// The fields that all texts have.
    pub(crate) fn text(&mut self) -> Text {
        Text {
            title: self.line("title", MAX_TITLE),
            summary: self.line("summary", MAX_SUMMARY),
            sample: self.get_or_default("sample"),
            ..Text::default()
        }
    }

    pub(crate) fn id(&mut self, key: &'static str) -> u64 {
        let id = self.required(key).unwrap_or_default();
        if !is_id(id) {
            self.refuse(key, format!("is not between 1 and {MAX_ID}"));
        }
        id
    }

    /// Refuses a record that names a parent, which its kind does not have.
    pub(crate) fn refuse_parent(&mut self, key: &'static str, why: &str) {
        if self.get_or_default::<u64>(key) != 0 {
            self.refuse(key, why);
        }
    }

    pub(crate) fn slug(&mut self) -> String {
        let slug: String = self.required("slug").unwrap_or_default();
        if !is_slug(&slug) {
            let why = "is not 1 to 80 of a-z, 0-9 and hyphen, with a letter among them";
            self.refuse("slug", why);
        }
        slug
    }

    pub(crate) fn locale(&mut self) -> Locale {
        let name: String = self.required("locale").unwrap_or_default();
        Locale::from_name(&name).unwrap_or_else(|| {
            self.refuse("locale", "is neither en-us nor ar-sa");
            Locale::EnUs
        })
    }

    pub(crate) fn market(&mut self) -> Market {
        let name: String = self.get_or_default("market");
        Market::from_name(&name).unwrap_or_else(|| {
            self.refuse("market", "is none of us, saudi, all and nothing");
            Market::Empty
        })
    }

    /// Epoch seconds.
    pub(crate) fn time(&mut self, key: &'static str) -> u32 {
        self.required(key).map_or(0, |time: WrittenTime| self.second(key, &time))
    }

    /// Epoch seconds; 0 without a time.
    pub(crate) fn optional_time(&mut self, key: &'static str) -> u32 {
        self.get(key).map_or(0, |time: WrittenTime| self.second(key, &time))
    }

    fn second(&mut self, key: &str, time: &WrittenTime) -> u32 {
        time.second().unwrap_or_else(|why| {
            self.refuse(key, why);
            0
        })
    }

    pub(crate) fn code(&mut self, key: &'static str, fits: impl Fn(u8) -> bool) -> String {
        let code: String = self.required(key).unwrap_or_default();
        if !(1..=MAX_CODE).contains(&code.len()) || !code.bytes().all(fits) {
            self.refuse(key, format!("is no code of at most {MAX_CODE} characters"));
        }
        code
    }

    /// One line of text at an optional key; it is not empty.
    pub(crate) fn optional_line(&mut self, key: &'static str, max: usize) -> Option<String> {
        self.get(key).map(|text: String| self.checked_line(key, &text, max))
    }

    /// The picture at an optional key.
    pub(crate) fn picture(&mut self, key: &'static str) -> Option<Picture> {
        let path = self.optional_line(key, MAX_PATH)?;
        self.file(key, |files| files.picture(&path))
    }

    /// Finds a file; if there is none, refuses the record because of the key.
    pub(crate) fn file<T>(
        &mut self,
        key: &str,
        find: impl FnOnce(&mut dyn RecordFiles) -> Result<T, String>,
    ) -> Option<T> {
        // A path is not looked up in a record that is refused anyway.
        self.result.as_ref().ok()?;
        find(self.files).map_err(|why| self.refuse(key, why)).ok()
    }

    /// An https URL or a path of the site, at an optional key.
    pub(crate) fn address(&mut self, key: &'static str) -> Option<String> {
        let address = self.optional_line(key, MAX_PATH)?;
        let is_path =
            address.starts_with('/') && !address.starts_with("//") && !address.contains('\\');
        if !is_path && !address.starts_with("https://") {
            self.refuse(key, "is neither an https address nor a path of the site");
        }
        Some(address)
    }
}

/// Derives the id of an entry that is identified by a string. It has 53 bits, so that JSON
/// parsers represent it exactly.
pub fn id_for(text: &str) -> u64 {
    let digest = Sha256::digest(text.as_bytes());
    let number = digest.iter().take(8).fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
    (number >> 11).max(1)
}

/// Collapses whitespace into single spaces, except for no-break spaces, which authors use to keep a
/// number and its unit on one line.
fn one_line(text: &str) -> String {
    let is_breaking =
        |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}');
    let words = text.trim().split(is_breaking).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::media::any_files::AnyFiles;

    #[test]
    fn line_collapses_whitespace_that_allows_a_break() {
        for (text, expected) in [
            ("  a \t\n b  ", Some("a b")),
            ("SAR\u{a0}500 a\u{202f}b", Some("SAR\u{a0}500 a\u{202f}b")),
            ("\u{a0}a\u{a0} ", Some("a")),
            ("", None),
            (" \u{a0}\t", None),
        ] {
            let values = FieldValues([("title".to_owned(), text.into())].into());
            let mut files = AnyFiles;
            let mut fields = Fields::new(values, &mut files);
            let line = fields.line("title", MAX_TITLE);
            let result = fields.finish().map(|()| line).map_err(|error| error.message);
            assert_eq!(
                result.as_deref().map_err(String::as_str),
                expected.ok_or("title: is empty")
            );
        }
    }

    #[test]
    fn key_without_a_value_is_absent() {
        let values = FieldValues([("author".to_owned(), Value::Null)].into());
        let mut files = AnyFiles;
        let mut fields = Fields::new(values, &mut files);
        assert_eq!(fields.optional("author", MAX_NAME), "");
        fields.line("title", MAX_TITLE);
        let error = fields.finish().map_err(|error| error.message);
        assert_eq!(error, Err("missing field `title`".to_owned()));
    }

    #[test]
    fn repeated_key_is_an_error() {
        let error = serde_json::from_str::<FieldValues>(r#"{"a":1,"b":2,"a":3}"#).err();
        assert!(error.is_some_and(|error| error.to_string().contains("duplicate field `a`")));
    }
}
