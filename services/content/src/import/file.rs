//! Makes a file's bytes into items, all of them or none.
use std::{collections::HashMap, fmt, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    Refusal, attach,
    body::{BODY_MAX, body},
    front_matter,
    gallery::{Gallery, Pictures},
};
use crate::domain::{
    Entry, EntryRecord, Fault, Head, Image, Locale, Media, NewsRecord, NewsText, Tab, TabRecord,
    Text as TextHead, reading_minutes,
};

/// The largest Markdown file, and the longest line of JSON Lines, in bytes.
const TEXT_MAX: usize = 2 * BODY_MAX;
/// The largest file of JSON Lines, in bytes.
const LINES_MAX: usize = 128 * BODY_MAX;

/// The forms of file that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.md`: front matter and one text.
    Markdown,
    /// `.jsonl`: a record a line.
    JsonLines,
}

/// One thing to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An article's text in one locale.
    News(Box<NewsText>),
    /// A tab of the news page.
    Tab(Tab),
    /// An item of the college, the help centre or the search.
    Entry(Box<Entry>),
}

/// What tells one item from another: a later import of the same key changes the same item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    kind: &'static str,
    id: u64,
    locale: Option<Locale>,
}

impl Item {
    /// The item's key.
    pub fn key(&self) -> Key {
        match self {
            Self::News(text) => Key { kind: "news", id: text.id, locale: Some(text.locale) },
            Self::Tab(tab) => Key { kind: "news-tab", id: tab.id, locale: None },
            Self::Entry(entry) => {
                Key { kind: entry.shelf().as_str(), id: entry.id, locale: entry.locale }
            }
        }
    }
}

impl Key {
    /// As records name it.
    pub fn kind(&self) -> &'static str {
        self.kind
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.id)?;
        self.locale.map_or(Ok(()), |locale| write!(f, " {}", locale.as_str()))
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub items: Vec<Item>,
    /// The pictures that the items show.
    pub media: Vec<Media>,
    /// What was left out, for the author to know.
    pub notes: Vec<String>,
}

/// What every record says of itself.
#[derive(Deserialize)]
struct Probe {
    kind: String,
}

impl Format {
    /// The form of a file of this name; `None` for files that are not imported.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" => Some(Self::Markdown),
            "jsonl" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// The largest file of this form, in bytes.
    pub fn max(self) -> usize {
        match self {
            Self::Markdown => TEXT_MAX,
            Self::JsonLines => LINES_MAX,
        }
    }
}

/// Reads a file of either form.
pub fn read(bytes: &[u8], format: Format, pictures: &dyn Pictures) -> Result<Contents, Refusal> {
    if bytes.len() > format.max() {
        return Err(Refusal::new(format!("the file is larger than {} MB", format.max() >> 20)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        Refusal::at(line, "is not UTF-8 text")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut gallery = Gallery::new(pictures);
    let mut contents = Contents::default();
    match format {
        Format::Markdown => markdown(text, &mut gallery, &mut contents)?,
        Format::JsonLines => json_lines(text, &mut gallery, &mut contents)?,
    }
    contents.media = gallery.into_media().collect();
    Ok(contents)
}

fn markdown(text: &str, gallery: &mut Gallery<'_>, contents: &mut Contents) -> Result<(), Refusal> {
    let parts = front_matter::split(text)?;
    let yaml = parts.front_matter;
    let kind = yaml_of::<Probe>(yaml)?.kind;
    if EntryRecord::is_kind(&kind) {
        let record: EntryRecord = yaml_of(yaml)?;
        let line = |key: &str| front_matter::line_of(yaml, key).unwrap_or(1);
        if !record.is_text() {
            return Err(Refusal::at(line("kind"), format!("kind: {kind:?} is no kind of text")));
        }
        if record.body().is_some() {
            return Err(Refusal::at(line("body"), "body: stands after the front matter"));
        }
        let text = Text { markdown: parts.body, lines_before: parts.lines_before };
        contents.items.push(entry(&record, text, gallery, &mut contents.notes, line)?);
        return Ok(());
    }
    if kind != "news" {
        let line = front_matter::line_of(yaml, "kind").unwrap_or(1);
        return Err(Refusal::at(line, format!("kind: {kind:?} is no kind of text")));
    }
    let record: NewsRecord = yaml_of(yaml)?;
    let line = |key: &str| front_matter::line_of(yaml, key).unwrap_or(1);
    if record.body.is_some() {
        return Err(Refusal::at(line("body"), "body: stands after the front matter"));
    }
    let text = Text { markdown: parts.body, lines_before: parts.lines_before };
    let text = news(&record, text, gallery, contents, line)?;
    contents.items.push(Item::News(Box::new(text)));
    Ok(())
}

fn json_lines(
    text: &str,
    gallery: &mut Gallery<'_>,
    contents: &mut Contents,
) -> Result<(), Refusal> {
    let mut seen = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let item = json_line(line, gallery, contents)
            .map_err(|refusal| Refusal::at(number + 1, refusal.reason))?;
        if let Some(first) = seen.insert(item.key(), number + 1) {
            return Err(Refusal::at(number + 1, format!("{} stands on line {first}", item.key())));
        }
        contents.items.push(item);
    }
    if contents.items.is_empty() {
        return Err(Refusal::new("holds no records"));
    }
    Ok(())
}

fn json_line(
    line: &str,
    gallery: &mut Gallery<'_>,
    contents: &mut Contents,
) -> Result<Item, Refusal> {
    if line.len() > TEXT_MAX {
        return Err(Refusal::new("the line is longer than 1 MB"));
    }
    match json_of::<Probe>(line)?.kind.as_str() {
        "news" => {
            let record: NewsRecord = json_of(line)?;
            let text =
                Text { markdown: record.body.as_deref().unwrap_or_default(), lines_before: 0 };
            let news = news(&record, text, gallery, contents, |_| 1)?;
            Ok(Item::News(Box::new(news)))
        }
        "news-tab" => json_of::<TabRecord>(line)?
            .tab()
            .map(Item::Tab)
            .map_err(|fault| Refusal::new(fault.to_string())),
        kind if EntryRecord::is_kind(kind) => {
            let record: EntryRecord = json_of(line)?;
            let text = Text { markdown: record.body().unwrap_or_default(), lines_before: 0 };
            entry(&record, text, gallery, &mut contents.notes, |_| 1)
        }
        kind => Err(Refusal::new(format!("kind: {kind:?} is no kind of record"))),
    }
}

/// A text within a file.
struct Text<'a> {
    markdown: &'a str,
    lines_before: usize,
}

/// An article's text. Refusals about a key name the line that `line_of` gives.
fn news(
    record: &NewsRecord,
    text: Text<'_>,
    gallery: &mut Gallery<'_>,
    contents: &mut Contents,
    line_of: impl Fn(&str) -> usize,
) -> Result<NewsText, Refusal> {
    let refused = |fault: Fault| Refusal::at(line_of(fault.key), fault.to_string());
    let head = record.head().map_err(refused)?;
    let image = match head.image {
        Some(asked) => {
            let refused = |why| Refusal::at(line_of("image"), format!("image: {why}"));
            let larger = gallery.take_larger(&asked.path).map_err(refused)?;
            let media = gallery.take(&asked.path).map_err(refused)?;
            let (name, width, height) = (media.name.clone(), media.width, media.height);
            Some(Image { name, alt: asked.alt, width, height, larger })
        }
        None => None,
    };
    let body = body(text.markdown, gallery).map_err(|refusal| refusal.below(text.lines_before))?;
    contents.notes.extend(body.notes);
    Ok(NewsText {
        id: head.id,
        locale: head.locale,
        sample: head.sample,
        market: head.market,
        title: head.title,
        summary: head.summary,
        published_at: head.published_at,
        author: head.author,
        image,
        reading_minutes: reading_minutes(body.words, head.locale),
        body_html: body.html,
    })
}

/// An entry with its text and files. Refusals about a key name the line that `line_of` gives.
fn entry(
    record: &EntryRecord,
    text: Text<'_>,
    gallery: &mut Gallery<'_>,
    notes: &mut Vec<String>,
    line_of: impl Fn(&str) -> usize,
) -> Result<Item, Refusal> {
    let refused = |fault: Fault| Refusal::at(line_of(fault.key), fault.to_string());
    let mut entry = record.entry().map_err(refused)?;
    if let Some(asked) = record.files().map_err(refused)? {
        attach::files(&mut entry.head, asked, gallery, &line_of)?;
    }
    if record.is_text() {
        let body =
            body(text.markdown, gallery).map_err(|refusal| refusal.below(text.lines_before))?;
        notes.extend(body.notes);
        if let (Some(locale), Some(head)) = (entry.locale, text_of(&mut entry.head)) {
            head.reading_minutes = reading_minutes(body.words, locale);
        }
        entry.body_html = body.html;
    }
    Ok(Item::Entry(Box::new(entry)))
}

fn text_of(head: &mut Head) -> Option<&mut TextHead> {
    match head {
        Head::CollegeArticle(text)
        | Head::CompanyArticle(text)
        | Head::HelpDocument(text)
        | Head::LegalDocument(text) => Some(text),
        _ => None,
    }
}

fn yaml_of<T: DeserializeOwned>(yaml: &str) -> Result<T, Refusal> {
    serde_norway::from_str(yaml).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line() + 1);
        Refusal::at(line, bare(&error.to_string()))
    })
}

fn json_of<T: DeserializeOwned>(line: &str) -> Result<T, Refusal> {
    serde_json::from_str(line).map_err(|error| Refusal::new(bare(&error.to_string())))
}

/// The parser's message without its own count of lines, which is not the file's.
fn bare(message: &str) -> &str {
    message.rfind(" at line ").map_or(message, |at| &message[..at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct NoPictures;

    impl Pictures for NoPictures {
        fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err("there is no such file".into())
        }
    }

    const KEYS: &str = "(---|id: 1|kind: news|locale: en-us|title: [a\"]|summary: a|\
        publishedAt: 2026-11-20T09:00:00Z|image: a.svg|[a&*!{\\[]{0,3}:|\\PC{0,9}|\n){0,30}";

    proptest! {
        #[test]
        fn any_bytes_are_judged(bytes: Vec<u8>) {
            for format in [Format::Markdown, Format::JsonLines] {
                let _ = read(&bytes, format, &NoPictures);
            }
        }

        #[test]
        fn any_front_matter_is_judged(text in KEYS) {
            let _ = read(format!("---\n{text}").as_bytes(), Format::Markdown, &NoPictures);
        }

        #[test]
        fn any_text_goes_in_or_is_named(text in "\\PC{0,60}") {
            let head = "---\nid: 1\nkind: news\nlocale: en-us\ntitle: T\nsummary: S\n\
                        publishedAt: 2026-11-20T09:00:00Z\n---\n";
            match read(format!("{head}{text}").as_bytes(), Format::Markdown, &NoPictures) {
                Ok(contents) => prop_assert_eq!(contents.items.len(), 1),
                Err(refusal) => prop_assert!(refusal.line >= Some(9), "{}", refusal),
            }
        }

        #[test]
        fn any_json_is_judged(text in "(\\{|\\}|\"(id|kind|news|title|body)\"|:|,|1|\n|\\PC){0,30}") {
            let _ = read(text.as_bytes(), Format::JsonLines, &NoPictures);
        }
    }
}
