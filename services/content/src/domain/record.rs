//! Records as authors write them, in front matter or as JSON, and what makes one acceptable.
use serde::Deserialize;

use super::{Locale, MAX_ID, Market, Tab, is_id, written_time::WrittenTime};

pub(super) const TITLE_MAX: usize = 200;
pub(super) const SUMMARY_MAX: usize = 600;
pub(super) const NAME_MAX: usize = 120;
const ALT_MAX: usize = 400;
pub(super) const PATH_MAX: usize = 300;

/// Why a record cannot be taken in, and which of its keys is at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {why}")]
pub struct Fault {
    /// The key as authors write it.
    pub key: &'static str,
    /// What is wrong with its value.
    pub why: String,
}

/// A news article's text in one locale, as written. In Markdown these are the keys of the front
/// matter, and `body` is what follows it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewsRecord {
    /// 1 to [`MAX_ID`].
    pub id: u64,
    /// `news`.
    pub kind: String,
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// Whether it was written as an example.
    #[serde(default)]
    pub sample: bool,
    /// `us`, `saudi`, `all` or nothing.
    #[serde(default)]
    pub market: String,
    /// At most 200 characters.
    pub title: String,
    /// At most 600 characters.
    pub summary: String,
    /// When it is, or was, published.
    pub published_at: WrittenTime,
    /// At most 120 characters.
    #[serde(default)]
    pub author: String,
    /// Path of a picture, relative to the file.
    pub image: Option<String>,
    /// What the picture shows; needed where there is one. At most 400 characters.
    pub image_alt: Option<String>,
    /// Markdown.
    pub body: Option<String>,
}

/// A tab of the news page, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TabRecord {
    /// 1 to [`MAX_ID`].
    pub id: u64,
    /// `news-tab`.
    pub kind: String,
    /// The English name. At most 120 characters.
    pub name: String,
    /// The Arabic name. At most 120 characters.
    #[serde(default)]
    pub name_sa: String,
    /// `us`, `saudi`, `all` or nothing.
    #[serde(default)]
    pub market: String,
    /// Where it stands; those of one place stand by id.
    #[serde(default)]
    pub position: u32,
}

/// An acceptable [`NewsRecord`] without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsHead {
    pub(crate) id: u64,
    pub(crate) locale: Locale,
    pub(crate) sample: bool,
    pub(crate) market: Market,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) published_at: u32,
    pub(crate) author: String,
    pub(crate) image: Option<ImageAsk>,
}

/// The picture that a record asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageAsk {
    pub(crate) path: String,
    pub(crate) alt: String,
}

impl NewsRecord {
    /// The record's values, judged; the body is judged where it is read.
    pub fn head(&self) -> Result<NewsHead, Fault> {
        Ok(NewsHead {
            id: id(self.id)?,
            locale: Locale::from_name(&self.locale)
                .ok_or_else(|| fault("locale", "is neither en-us nor ar-sa"))?,
            sample: self.sample,
            market: market(&self.market)?,
            title: line("title", &self.title, TITLE_MAX)?,
            summary: line("summary", &self.summary, SUMMARY_MAX)?,
            published_at: self.published_at.second("publishedAt")?,
            author: optional("author", &self.author, NAME_MAX)?,
            image: self.image_ask()?,
        })
    }

    fn image_ask(&self) -> Result<Option<ImageAsk>, Fault> {
        match (&self.image, &self.image_alt) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(fault("imageAlt", "has no image beside it")),
            (Some(_), None) => Err(fault("image", "needs imageAlt, which says what it shows")),
            (Some(path), Some(alt)) => Ok(Some(ImageAsk {
                path: line("image", path, PATH_MAX)?,
                alt: line("imageAlt", alt, ALT_MAX)?,
            })),
        }
    }
}

impl TabRecord {
    /// The tab, judged.
    pub fn tab(&self) -> Result<Tab, Fault> {
        Ok(Tab {
            id: id(self.id)?,
            name: line("name", &self.name, NAME_MAX)?,
            name_sa: optional("nameSa", &self.name_sa, NAME_MAX)?,
            market: market(&self.market)?,
            position: self.position,
        })
    }
}

pub(super) fn fault(key: &'static str, why: impl Into<String>) -> Fault {
    Fault { key, why: why.into() }
}

pub(super) fn id(id: u64) -> Result<u64, Fault> {
    is_id(id).then_some(id).ok_or_else(|| fault("id", format!("is not between 1 and {MAX_ID}")))
}

pub(super) fn market(name: &str) -> Result<Market, Fault> {
    Market::from_name(name).ok_or_else(|| fault("market", "is none of us, saudi, all and nothing"))
}

/// Text of one line: whitespace of any kind counts as one space.
pub(super) fn optional(key: &'static str, text: &str, max: usize) -> Result<String, Fault> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > max {
        return Err(fault(key, format!("is longer than {max} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(fault(key, "holds control characters"));
    }
    Ok(text)
}

pub(super) fn line(key: &'static str, text: &str, max: usize) -> Result<String, Fault> {
    let text = optional(key, text, max)?;
    if text.is_empty() { Err(fault(key, "is empty")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn record() -> NewsRecord {
        NewsRecord {
            id: 1001,
            kind: "news".into(),
            locale: "en-us".into(),
            sample: true,
            market: "us".into(),
            title: "Title".into(),
            summary: "One\nsentence.".into(),
            published_at: WrittenTime::Text("2026-11-20T09:00:00+03:00".into()),
            author: String::new(),
            image: None,
            image_alt: None,
            body: None,
        }
    }

    #[test]
    fn a_good_record() {
        let head = record().head().unwrap();
        assert_eq!(head.published_at, 1_795_154_400);
        assert_eq!(head.summary, "One sentence.");
        assert_eq!(head.image, None);
    }

    #[test]
    fn each_key_is_judged() {
        type Change = fn(&mut NewsRecord);
        let table: [(&str, Change); 12] = [
            ("id", |r| r.id = 0),
            ("id", |r| r.id = MAX_ID + 1),
            ("locale", |r| r.locale = "en".into()),
            ("market", |r| r.market = "tokyo".into()),
            ("title", |r| r.title = " \n ".into()),
            ("title", |r| r.title = "x".repeat(201)),
            ("title", |r| r.title = "nul\0".into()),
            ("summary", |r| r.summary = String::new()),
            ("publishedAt", |r| r.published_at = WrittenTime::Number(0)),
            ("author", |r| r.author = "x".repeat(121)),
            ("image", |r| r.image = Some("a.svg".into())),
            ("imageAlt", |r| r.image_alt = Some("a".into())),
        ];
        for (key, change) in table {
            let mut record = record();
            change(&mut record);
            assert_eq!(record.head().unwrap_err().key, key, "{record:?}");
        }
    }

    proptest! {
        #[test]
        fn titles_are_one_clean_line(title: String) {
            let mut record = record();
            record.title = title;
            if let Ok(head) = record.head() {
                prop_assert!(!head.title.is_empty());
                prop_assert!(!head.title.chars().any(char::is_control));
            }
        }
    }
}
