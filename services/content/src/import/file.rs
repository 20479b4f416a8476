//! Parses a file into entries; any error rejects the whole file.
use std::{collections::HashMap, path::Path};

use super::{
    Refusal,
    media::{FileSource, MediaResolver},
    text::{MAX_BODY, body, front_matter},
};
use crate::domain::{Contents, Entry, FieldValues, Record, reading_minutes};

/// Maximum size of a Markdown file and of a line of JSON Lines, in bytes.
const MAX_TEXT: usize = 2 * MAX_BODY;
/// Maximum size of a JSON Lines file, in bytes.
const MAX_LINES: usize = 128 * MAX_BODY;

/// The formats of files that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.md`: front matter and one text.
    Markdown,
    /// `.jsonl`: one record per line.
    JsonLines,
}

impl Format {
    /// The format of a file with this name; `None` for files that are not imported.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" => Some(Self::Markdown),
            "jsonl" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// Maximum size of a file of this format, in bytes.
    pub fn max(self) -> usize {
        match self {
            Self::Markdown => MAX_TEXT,
            Self::JsonLines => MAX_LINES,
        }
    }
}

/// Parses a file of either format.
pub fn read(bytes: &[u8], format: Format, pictures: &dyn FileSource) -> Result<Contents, Refusal> {
    if bytes.len() > format.max() {
        return Err(Refusal::new(format!("the file is larger than {} MB", format.max() >> 20)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        Refusal::at(line, "is not UTF-8 text")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut resolver = MediaResolver::new(pictures);
    let mut contents = Contents::default();
    match format {
        Format::Markdown => markdown(text, &mut resolver, &mut contents)?,
        Format::JsonLines => json_lines(text, &mut resolver, &mut contents)?,
    }
    contents.media = resolver.into_media().collect();
    Ok(contents)
}

fn markdown(
    text: &str,
    resolver: &mut MediaResolver<'_>,
    contents: &mut Contents,
) -> Result<(), Refusal> {
    let parts = front_matter::split(text)?;
    let values: FieldValues = yaml_serde::from_str(parts.front_matter).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line() + 1);
        Refusal::at(line, bare(&error.to_string()))
    })?;
    let line = |key: &str| front_matter::line_of(parts.front_matter, key).unwrap_or(1);
    let record = Record::read(values, "text", |kind| kind.page_path().is_some(), resolver)
        .map_err(|error| Refusal::at(line(&error.key), error.message))?;
    if record.body.is_some() {
        return Err(Refusal::at(line("body"), "body: stands after the front matter"));
    }
    let entry = with_body(record.entry, parts.body, resolver, &mut contents.notes);
    contents.entries.push(entry.map_err(|refusal| refusal.below(parts.lines_before))?);
    Ok(())
}

fn json_lines(
    text: &str,
    resolver: &mut MediaResolver<'_>,
    contents: &mut Contents,
) -> Result<(), Refusal> {
    let mut seen = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let entry = json_line(line, resolver, contents)
            .map_err(|refusal| Refusal::at(number + 1, refusal.reason))?;
        if let Some(first) = seen.insert(entry.key(), number + 1) {
            return Err(Refusal::at(number + 1, format!("{} stands on line {first}", entry.key())));
        }
        contents.entries.push(entry);
    }
    if contents.entries.is_empty() {
        return Err(Refusal::new("holds no records"));
    }
    Ok(())
}

fn json_line(
    line: &str,
    resolver: &mut MediaResolver<'_>,
    contents: &mut Contents,
) -> Result<Entry, Refusal> {
    if line.len() > MAX_TEXT {
        return Err(Refusal::new("the line is longer than 1 MB"));
    }
    let values: FieldValues =
        serde_json::from_str(line).map_err(|error| Refusal::new(bare(&error.to_string())))?;
    let record = Record::read(values, "record", |_| true, resolver)
        .map_err(|error| Refusal::new(error.message))?;
    let body = record.body.unwrap_or_default();
    with_body(record.entry, &body, resolver, &mut contents.notes)
}

/// The entry with its text, if its kind has one.
fn with_body(
    mut entry: Entry,
    markdown: &str,
    resolver: &mut MediaResolver<'_>,
    notes: &mut Vec<String>,
) -> Result<Entry, Refusal> {
    if entry.kind().page_path().is_some() {
        let body = body(markdown, resolver)?;
        notes.extend(body.notes);
        if let (Some(locale), Some(text)) = (entry.locale, entry.data.text_mut()) {
            text.reading_minutes = reading_minutes(body.words, locale);
        }
        entry.body_html = body.html;
    }
    Ok(entry)
}

/// The parser's message without its line number, which differs from that in the file.
fn bare(message: &str) -> &str {
    message.rfind(" at line ").map_or(message, |at| &message[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct NoPictures;

    impl FileSource for NoPictures {
        fn read(&self, _: &str) -> Result<Option<Vec<u8>>, Refusal> {
            Ok(None)
        }
    }

    const KEYS: &str = "(---|id: 1|kind: news|locale: en-us|title: [a\"]|summary: a|\
        publishedAt: 2026-11-20T09:00:00Z|image: a.svg|[a&*!{\\[]{0,3}:|\\PC{0,9}|\n){0,30}";

    proptest! {
        #[test]
        fn read_accepts_any_bytes(bytes: Vec<u8>) {
            for format in [Format::Markdown, Format::JsonLines] {
                let _ = read(&bytes, format, &NoPictures);
            }
        }

        #[test]
        fn read_accepts_any_front_matter(text in KEYS) {
            let _ = read(format!("---\n{text}").as_bytes(), Format::Markdown, &NoPictures);
        }

        #[test]
        fn any_text_is_imported_or_refused_with_its_line(text in "\\PC{0,60}") {
            let head = "---\nid: 1\nkind: news\nlocale: en-us\ntitle: T\nsummary: S\n\
                        publishedAt: 2026-11-20T09:00:00Z\n---\n";
            match read(format!("{head}{text}").as_bytes(), Format::Markdown, &NoPictures) {
                Ok(contents) => prop_assert_eq!(contents.entries.len(), 1),
                Err(refusal) => prop_assert!(refusal.line >= Some(9), "{}", refusal),
            }
        }

        #[test]
        fn read_accepts_any_json(text in "(\\{|\\}|\"(id|kind|news|title|body)\"|:|,|1|\n|\\PC){0,30}") {
            let _ = read(text.as_bytes(), Format::JsonLines, &NoPictures);
        }
    }
}
