//! Records as authors write them, in front matter or as JSON, and what makes one acceptable.
use serde::Deserialize;

use crate::domain::{
    FieldError, Locale, Market, Tab,
    record_fields::{
        MAX_NAME, MAX_PATH, MAX_SUMMARY, MAX_TITLE, field_error, id, line, locale, market, optional,
    },
    written_time::WrittenTime,
};

const MAX_ALT: usize = 400;

/// A news article's text in one locale, as written. In Markdown these are the keys of the front
/// matter, and `body` is what follows it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewsRecord {
    /// 1 to [`crate::domain::MAX_ID`].
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
    /// 1 to [`crate::domain::MAX_ID`].
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
    pub(crate) image: Option<RecordImage>,
}

/// The picture that a record asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordImage {
    pub(crate) path: String,
    pub(crate) alt: String,
}

impl NewsRecord {
    /// The record's values, judged; the body is judged where it is read.
    pub fn head(&self) -> Result<NewsHead, FieldError> {
        Ok(NewsHead {
            id: id(self.id)?,
            locale: locale(&self.locale)?,
            sample: self.sample,
            market: market(&self.market)?,
            title: line("title", &self.title, MAX_TITLE)?,
            summary: line("summary", &self.summary, MAX_SUMMARY)?,
            published_at: self.published_at.second("publishedAt")?,
            author: optional("author", &self.author, MAX_NAME)?,
            image: self.image_ask()?,
        })
    }

    fn image_ask(&self) -> Result<Option<RecordImage>, FieldError> {
        match (&self.image, &self.image_alt) {
            (None, None) => Ok(None),
            (None, Some(_)) => Err(field_error("imageAlt", "has no image beside it")),
            (Some(_), None) => {
                Err(field_error("image", "needs imageAlt, which says what it shows"))
            }
            (Some(path), Some(alt)) => Ok(Some(RecordImage {
                path: line("image", path, MAX_PATH)?,
                alt: line("imageAlt", alt, MAX_ALT)?,
            })),
        }
    }
}

impl TabRecord {
    /// The tab, judged.
    pub fn tab(&self) -> Result<Tab, FieldError> {
        Ok(Tab {
            id: id(self.id)?,
            name: line("name", &self.name, MAX_NAME)?,
            name_sa: optional("nameSa", &self.name_sa, MAX_NAME)?,
            market: market(&self.market)?,
            position: self.position,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::MAX_ID;

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
