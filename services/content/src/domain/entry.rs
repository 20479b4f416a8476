use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, EnumIter, EnumString, EnumTryAs, IntoStaticStr};

use super::{
    Banner, CollegeVideo, Course, FlashNews, Group, Locale, Media, NewsArticle, NewsTab, NewsVideo,
    Stock, Synonyms, Text,
};

/// The contents of an imported file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The media files of the entries.
    pub media: Vec<Media>,
    /// Notes for the author on omitted content.
    pub notes: Vec<String>,
}

/// An item of any kind, either bilingual or in one locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 to [`super::MAX_ID`] where authors choose it; shared by the item's locales.
    pub id: u64,
    /// The locale of the text; `None` for a bilingual entry.
    pub locale: Option<Locale>,
    /// The name in URLs; may be empty. A path for [`EntryKind::SeoInfo`].
    pub slug: String,
    /// Publication time in epoch seconds; 0 if always published.
    pub published_at: u32,
    /// Sanitised HTML; empty for entries without a text.
    pub body_html: String,
    /// The kind-specific fields that lists show.
    pub data: EntryData,
}

/// Identifies an entry. Importing the same key again updates the entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryKey {
    pub collection: &'static str,
    pub id: u64,
    pub locale: Option<Locale>,
}

/// The kind of an entry with the fields that lists show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, EnumDiscriminants, EnumTryAs)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[strum_discriminants(
    name(EntryKind),
    doc = "The kind of an item. Its name is used in records, commands, calls and the store.",
    derive(PartialOrd, Ord, Hash, EnumIter, EnumString, IntoStaticStr),
    strum(serialize_all = "kebab-case")
)]
pub enum EntryData {
    News(NewsArticle),
    NewsTab(NewsTab),
    NewsFlash(FlashNews),
    NewsVideo(NewsVideo),
    /// A security whose names are detected in texts.
    Stock(Stock),
    CollegeCategory(Group),
    CollegeCourse(Course),
    CollegeArticle(Text),
    CompanyArticle(Text),
    CollegeVideo(CollegeVideo),
    HelpChannel(Group),
    HelpDocument(Text),
    LegalDocument(Text),
    /// Title (in `name`) and description of a page; the id is derived from the path.
    SeoInfo(Group),
    /// Words that the search treats as synonyms.
    SearchSynonyms(Synonyms),
    /// A banner at a position of a page.
    ImageBanner(Banner),
}

impl EntryData {
    pub fn kind(&self) -> EntryKind {
        self.into()
    }

    /// The text without its body, for kinds that are texts.
    pub fn text_mut(&mut self) -> Option<&mut Text> {
        match self {
            Self::News(article) => Some(&mut article.text),
            Self::CollegeArticle(text)
            | Self::CompanyArticle(text)
            | Self::HelpDocument(text)
            | Self::LegalDocument(text) => Some(text),
            _ => None,
        }
    }
}

impl Entry {
    pub fn key(&self) -> EntryKey {
        EntryKey { collection: self.kind().collection(), id: self.id, locale: self.locale }
    }

    pub fn kind(&self) -> EntryKind {
        self.data.kind()
    }

    /// The text without its body, for kinds that are texts.
    pub fn text(&self) -> Option<&Text> {
        match &self.data {
            EntryData::News(article) => Some(&article.text),
            EntryData::CollegeArticle(text)
            | EntryData::CompanyArticle(text)
            | EntryData::HelpDocument(text)
            | EntryData::LegalDocument(text) => Some(text),
            _ => None,
        }
    }

    pub fn course(&self) -> Option<&Course> {
        self.data.try_as_college_course_ref()
    }

    /// The data of a category, channel or page information; `None` for other kinds.
    pub fn group(&self) -> Option<&Group> {
        match &self.data {
            EntryData::CollegeCategory(group)
            | EntryData::HelpChannel(group)
            | EntryData::SeoInfo(group) => Some(group),
            _ => None,
        }
    }
}

impl fmt::Display for EntryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.collection, self.id)?;
        self.locale.map_or(Ok(()), |locale| write!(f, " {}", locale.as_str()))
    }
}
