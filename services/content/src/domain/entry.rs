use serde::{Deserialize, Serialize};

use super::{Banner, Course, Flash, Group, Locale, NewsVideo, Stock, Synonyms, Text, Video};

/// Where an entry is kept: ids are unique on a shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shelf {
    /// Categories of the college.
    Category,
    /// Its courses.
    Course,
    /// Articles of courses and about the company.
    Article,
    /// Videos of courses.
    Video,
    /// Channels of the help centre.
    Channel,
    /// Help documents and legal documents.
    Document,
    /// Titles and descriptions of pages; an id stands for a path.
    Seo,
    /// Words that a search takes for one another.
    Synonyms,
    /// Flash news.
    Flash,
    /// Videos of the news page.
    NewsVideo,
    /// Banners at positions of pages.
    Banner,
    /// Securities whose names texts mention.
    Stock,
}

/// An item of the college, the help centre or the news beside its articles: bilingual, or its text in one locale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 to [`super::MAX_ID`] where authors choose it; shared by the item's locales.
    pub id: u64,
    /// The language of a text; `None` for what is bilingual.
    pub locale: Option<Locale>,
    /// The name in addresses; empty where there is none. A path for [`Shelf::Seo`].
    pub slug: String,
    /// Epoch seconds before which it is neither listed nor shown; 0: always shown.
    pub published_at: u32,
    /// Sanitised HTML; empty for what has no text.
    pub body_html: String,
    /// All that lists show.
    pub head: Head,
}

/// What an entry is, and what lists show of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Head {
    /// A category of the college.
    CollegeCategory(Group),
    /// A course.
    CollegeCourse(Course),
    /// An article of a course.
    CollegeArticle(Text),
    /// An article about the company.
    CompanyArticle(Text),
    /// A video of a course.
    CollegeVideo(Video),
    /// A channel of the help centre.
    HelpChannel(Group),
    /// A document of a channel.
    HelpDocument(Text),
    /// A legal document.
    LegalDocument(Text),
    /// Title (as the name) and description of a page.
    SeoInfo(Group),
    /// Words that a search takes for one another.
    SearchSynonyms(Synonyms),
    /// Flash news.
    NewsFlash(Flash),
    /// A video of the news page.
    NewsVideo(NewsVideo),
    /// A banner.
    ImageBanner(Banner),
    /// A security.
    Stock(Stock),
}

impl Shelf {
    /// Every shelf.
    pub const ALL: [Shelf; 12] = [
        Self::Category,
        Self::Course,
        Self::Article,
        Self::Video,
        Self::Channel,
        Self::Document,
        Self::Seo,
        Self::Synonyms,
        Self::Flash,
        Self::NewsVideo,
        Self::Banner,
        Self::Stock,
    ];

    /// The shelf of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shelf| shelf.as_str() == name)
    }

    /// The name in stores and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Category => "college-category",
            Self::Course => "college-course",
            Self::Article => "college-article",
            Self::Video => "college-video",
            Self::Channel => "help-channel",
            Self::Document => "help-document",
            Self::Seo => "seo-info",
            Self::Synonyms => "search-synonyms",
            Self::Flash => "news-flash",
            Self::NewsVideo => "news-video",
            Self::Banner => "image-banner",
            Self::Stock => "stock",
        }
    }
}

impl Head {
    /// Where it is kept.
    pub fn shelf(&self) -> Shelf {
        match self {
            Self::CollegeCategory(_) => Shelf::Category,
            Self::CollegeCourse(_) => Shelf::Course,
            Self::CollegeArticle(_) | Self::CompanyArticle(_) => Shelf::Article,
            Self::CollegeVideo(_) => Shelf::Video,
            Self::HelpChannel(_) => Shelf::Channel,
            Self::HelpDocument(_) | Self::LegalDocument(_) => Shelf::Document,
            Self::SeoInfo(_) => Shelf::Seo,
            Self::SearchSynonyms(_) => Shelf::Synonyms,
            Self::NewsFlash(_) => Shelf::Flash,
            Self::NewsVideo(_) => Shelf::NewsVideo,
            Self::ImageBanner(_) => Shelf::Banner,
            Self::Stock(_) => Shelf::Stock,
        }
    }

    /// As records name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::CompanyArticle(_) => "company-article",
            Self::LegalDocument(_) => "legal-document",
            head => head.shelf().as_str(),
        }
    }
}

impl Entry {
    /// Where it is kept.
    pub fn shelf(&self) -> Shelf {
        self.head.shelf()
    }

    /// Its text without the body, where it is one.
    pub fn text(&self) -> Option<&Text> {
        match &self.head {
            Head::CollegeArticle(text)
            | Head::CompanyArticle(text)
            | Head::HelpDocument(text)
            | Head::LegalDocument(text) => Some(text),
            _ => None,
        }
    }

    /// The course, where it is one.
    pub fn course(&self) -> Option<&Course> {
        match &self.head {
            Head::CollegeCourse(course) => Some(course),
            _ => None,
        }
    }

    /// The category, channel or page information, where it is one.
    pub fn group(&self) -> Option<&Group> {
        match &self.head {
            Head::CollegeCategory(group) | Head::HelpChannel(group) | Head::SeoInfo(group) => {
                Some(group)
            }
            _ => None,
        }
    }
}
