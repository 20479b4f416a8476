use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Banner, CollegeVideo, Course, EntryKind, FlashNews, Group, Locale, NewsArticle, NewsTab,
    NewsVideo, Stock, Synonyms, Text,
};

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
    collection: &'static str,
    id: u64,
    locale: Option<Locale>,
}

/// The kind of an entry with the fields that lists show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EntryData {
    News(NewsArticle),
    NewsTab(NewsTab),
    CollegeCategory(Group),
    CollegeCourse(Course),
    CollegeArticle(Text),
    CompanyArticle(Text),
    CollegeVideo(CollegeVideo),
    HelpChannel(Group),
    HelpDocument(Text),
    LegalDocument(Text),
    /// Title (in `name`) and description of a page.
    SeoInfo(Group),
    /// Words that the search treats as synonyms.
    SearchSynonyms(Synonyms),
    NewsFlash(FlashNews),
    NewsVideo(NewsVideo),
    ImageBanner(Banner),
    Stock(Stock),
}

impl EntryData {
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::News(_) => EntryKind::News,
            Self::NewsTab(_) => EntryKind::NewsTab,
            Self::CollegeCategory(_) => EntryKind::CollegeCategory,
            Self::CollegeCourse(_) => EntryKind::CollegeCourse,
            Self::CollegeArticle(_) => EntryKind::CollegeArticle,
            Self::CompanyArticle(_) => EntryKind::CompanyArticle,
            Self::CollegeVideo(_) => EntryKind::CollegeVideo,
            Self::HelpChannel(_) => EntryKind::HelpChannel,
            Self::HelpDocument(_) => EntryKind::HelpDocument,
            Self::LegalDocument(_) => EntryKind::LegalDocument,
            Self::SeoInfo(_) => EntryKind::SeoInfo,
            Self::SearchSynonyms(_) => EntryKind::SearchSynonyms,
            Self::NewsFlash(_) => EntryKind::NewsFlash,
            Self::NewsVideo(_) => EntryKind::NewsVideo,
            Self::ImageBanner(_) => EntryKind::ImageBanner,
            Self::Stock(_) => EntryKind::Stock,
        }
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
        match &self.data {
            EntryData::CollegeCourse(course) => Some(course),
            _ => None,
        }
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
