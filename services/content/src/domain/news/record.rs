//! Records of news as authors write them, in front matter or as JSON, and their validation.
use serde::Deserialize;

use crate::domain::{
    Bilingual, Entry, EntryData, FieldError, Image, NewsArticle, NewsTab, RecordFiles, Text,
    record_fields::{
        MAX_NAME, MAX_SUMMARY, MAX_TITLE, bilingual, field_error, id, line, locale, market,
        optional, picture,
    },
    written_time::WrittenTime,
};

const MAX_ALT: usize = 400;

/// The record of a news article in one locale. In Markdown these are the keys of the front matter,
/// and `body` is the text after it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewsRecord {
    /// 1 to [`crate::domain::MAX_ID`].
    pub id: u64,
    /// `news`.
    pub kind: String,
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// Whether it is sample content.
    #[serde(default)]
    pub sample: bool,
    /// `us`, `saudi`, `all` or nothing.
    #[serde(default)]
    pub market: String,
    /// At most 200 characters.
    pub title: String,
    /// At most 600 characters.
    pub summary: String,
    /// Time of publication.
    pub published_at: WrittenTime,
    /// At most 120 characters.
    #[serde(default)]
    pub author: String,
    /// Path of a picture, relative to the file.
    pub image: Option<String>,
    /// Alternative text, required with an image. At most 400 characters.
    pub image_alt: Option<String>,
    /// Markdown.
    pub body: Option<String>,
}

/// The record of a tab of the news page.
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
    /// Position; tabs with the same position are ordered by id.
    #[serde(default)]
    pub position: u32,
}

impl NewsRecord {
    pub(crate) fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        let (id, locale, market) = (id(self.id)?, locale(&self.locale)?, market(&self.market)?);
        let title = line("title", &self.title, MAX_TITLE)?;
        let summary = line("summary", &self.summary, MAX_SUMMARY)?;
        let published_at = self.published_at.second("publishedAt")?;
        let author = optional("author", &self.author, MAX_NAME)?;
        let text = Text { title, summary, author, sample: self.sample, ..Text::default() };
        let image = match (&self.image, &self.image_alt) {
            (None, None) => None,
            (None, Some(_)) => return Err(field_error("imageAlt", "has no image beside it")),
            (Some(_), None) => {
                return Err(field_error("image", "needs imageAlt, which says what it shows"));
            }
            (Some(path), Some(alt)) => {
                let alt = line("imageAlt", alt, MAX_ALT)?;
                Some(Image { picture: picture("image", path, files)?, alt })
            }
        };
        let article = EntryData::News(NewsArticle { text, market, image });
        Ok(Entry { locale: Some(locale), ..bilingual(id, "", published_at, article) })
    }
}

impl TabRecord {
    pub(crate) fn entry(&self) -> Result<Entry, FieldError> {
        let id = id(self.id)?;
        let tab = NewsTab {
            name: Bilingual {
                en: line("name", &self.name, MAX_NAME)?,
                sa: optional("nameSa", &self.name_sa, MAX_NAME)?,
            },
            market: market(&self.market)?,
            position: self.position,
        };
        Ok(bilingual(id, "", 0, EntryData::NewsTab(tab)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{MAX_ID, media::AnyFiles};

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
    fn valid_record_becomes_an_entry() {
        let entry = record().entry(&mut AnyFiles).unwrap();
        assert_eq!(entry.published_at, 1_795_154_400);
        assert_eq!(entry.text().unwrap().summary, "One sentence.");
        let EntryData::News(article) = entry.data else { panic!("no article") };
        assert_eq!(article.image, None);
    }

    #[test]
    fn invalid_key_is_rejected_by_name() {
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
            assert_eq!(record.entry(&mut AnyFiles).unwrap_err().key, key, "{record:?}");
        }
    }

    proptest! {
        #[test]
        fn title_whitespace_is_normalised(title: String) {
            let mut record = record();
            record.title = title;
            if let Ok(entry) = record.entry(&mut AnyFiles) {
                let title = &entry.text().unwrap().title;
                prop_assert!(!title.is_empty());
                prop_assert!(!title.chars().any(char::is_control));
                prop_assert!(!title.contains("  ") && title.trim_matches(' ') == title);
            }
        }
    }
}
