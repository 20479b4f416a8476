use serde::{Deserialize, Serialize};

use super::{Locale, lists, tags};

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
}

/// An item of the college or the help centre: bilingual, or its text in one locale.
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
}

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bilingual {
    /// English.
    pub en: String,
    /// Arabic; may be empty.
    pub sa: String,
}

/// What holds others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The group that holds it; 0: none.
    pub parent: u64,
    /// Where it stands.
    pub position: u32,
    /// Its name.
    pub name: Bilingual,
    /// One or two sentences.
    pub description: Bilingual,
}

/// A course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Its category.
    pub category: u64,
    /// Where it stands in its category.
    pub position: u32,
    /// How much it supposes.
    pub level: Level,
    /// Among the hot entries.
    pub hot: bool,
    /// Its name.
    pub name: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    /// Decorates.
    pub picture: Option<Picture>,
}

/// How much a course supposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing.
    Beginner,
    /// The basics.
    Intermediate,
    /// Practice.
    Advanced,
}

/// A picture without words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its media name.
    pub name: String,
    /// Pixels; 0 where unknown.
    pub width: u32,
    /// Pixels; 0 where unknown.
    pub height: u32,
}

/// A text without its body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The course or channel that holds it; 0: none.
    pub parent: u64,
    /// Where it stands there.
    pub position: u32,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// May be empty.
    pub author: String,
    /// Written as an example.
    pub sample: bool,
    /// Among the common questions.
    pub common: bool,
    /// Further words by which it is found.
    pub keywords: Vec<String>,
    /// Epoch seconds, as the author dated it; 0: not dated.
    pub updated_at: u32,
    /// Epoch seconds from which it holds; 0: not said.
    pub effective_at: u32,
    /// At least 1.
    pub reading_minutes: u32,
}

/// A video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Video {
    /// Its course; 0: none.
    pub course: u64,
    /// Its name.
    pub name: Bilingual,
    /// Where it plays.
    pub address: String,
    /// Seconds.
    pub duration: u32,
}

/// Words that a search takes for one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonyms {
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// Two or more words or phrases.
    pub terms: Vec<String>,
}

impl Shelf {
    /// Every shelf.
    pub const ALL: [Shelf; 8] = [
        Self::Category,
        Self::Course,
        Self::Article,
        Self::Video,
        Self::Channel,
        Self::Document,
        Self::Seo,
        Self::Synonyms,
    ];

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

    /// The lists in which it stands, and its rank there.
    pub fn places(&self) -> Vec<(String, i64)> {
        let newest = -i64::from(self.published_at);
        let within = |group: u64, position: u32| {
            i64::try_from(group).unwrap_or(i64::MAX >> 32) << 24
                | i64::from(position.min(0xff_ffff))
        };
        match &self.head {
            Head::CollegeCategory(group) => {
                vec![(lists::CATEGORIES.into(), group.position.into())]
            }
            Head::CollegeCourse(course) => {
                let rank = within(course.category, course.position);
                let mut places = vec![
                    (lists::COURSES.into(), rank),
                    (lists::category(course.category), course.position.into()),
                ];
                if course.hot {
                    places.push((lists::HOT.into(), rank));
                }
                places
            }
            Head::CollegeArticle(text) => vec![
                (lists::ARTICLES.into(), newest),
                (lists::course(text.parent), text.position.into()),
                (lists::newest_of_course(text.parent), newest),
            ],
            Head::CompanyArticle(_) => vec![(lists::COMPANY.into(), newest)],
            Head::HelpChannel(group) => {
                vec![(lists::channels(group.parent), group.position.into())]
            }
            Head::HelpDocument(text) => {
                let mut places = vec![(lists::channel(text.parent), text.position.into())];
                if text.common {
                    places.push((lists::COMMON.into(), within(text.parent, text.position)));
                }
                places
            }
            Head::LegalDocument(_) => vec![(lists::LEGAL.into(), 0)],
            Head::CollegeVideo(_) | Head::SeoInfo(_) | Head::SearchSynonyms(_) => Vec::new(),
        }
    }

    /// What a change of it names in the change log; of a moved one, the tags of before count too.
    pub fn tags(&self) -> Vec<String> {
        match &self.head {
            Head::CollegeCategory(_) => vec![tags::COLLEGE_CATEGORIES.into()],
            Head::CollegeCourse(_) => {
                vec![tags::COLLEGE_CATEGORIES.into(), tags::college_course(self.id)]
            }
            Head::CollegeArticle(text) => vec![
                tags::college_article(self.id),
                tags::college_course(text.parent),
                tags::COLLEGE_ARTICLES.into(),
            ],
            Head::CompanyArticle(_) => {
                vec![tags::college_article(self.id), tags::COLLEGE_COMPANY.into()]
            }
            Head::CollegeVideo(_) => vec![tags::college_video(self.id)],
            Head::HelpChannel(_) => vec![tags::HELP_CHANNELS.into()],
            Head::HelpDocument(text) => vec![
                tags::help_document(self.id),
                tags::help_channel(text.parent),
                tags::HELP_DOCUMENTS.into(),
            ],
            Head::LegalDocument(_) => {
                vec![tags::help_document(self.id), tags::HELP_LEGAL.into()]
            }
            Head::SeoInfo(_) => vec![tags::HELP_SEO.into()],
            Head::SearchSynonyms(_) => vec![tags::SEARCH_SYNONYMS.into()],
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn entry(head: Head) -> Entry {
        Entry {
            id: 7,
            locale: None,
            slug: "seven".into(),
            published_at: 100,
            body_html: String::new(),
            head,
        }
    }

    fn text(parent: u64, common: bool) -> Text {
        Text { parent, position: 3, common, ..Text::default() }
    }

    #[test]
    fn places_and_tags() {
        let group = Group { parent: 2, position: 5, ..Group::default() };
        type Case = (Head, &'static [(&'static str, i64)], &'static [&'static str]);
        let table: [Case; 6] = [
            (Head::CollegeCategory(group.clone()), &[("categories", 5)], &["college:categories"]),
            (
                Head::CollegeArticle(text(9, false)),
                &[("articles", -100), ("course:9", 3), ("course-newest:9", -100)],
                &["college:article:7", "college:course:9", "college:articles"],
            ),
            (
                Head::CompanyArticle(text(0, false)),
                &[("company", -100)],
                &["college:article:7", "college:company"],
            ),
            (Head::HelpChannel(group), &[("channels:2", 5)], &["help:channels"]),
            (
                Head::HelpDocument(text(2, true)),
                &[("channel:2", 3), ("common", (2 << 24) + 3)],
                &["help:doc:7", "help:channel:2", "help:documents"],
            ),
            (Head::LegalDocument(text(0, false)), &[("legal", 0)], &["help:doc:7", "help:legal"]),
        ];
        for (head, places, tags) in table {
            let entry = entry(head);
            let found = entry.places();
            let found: Vec<_> = found.iter().map(|(list, rank)| (list.as_str(), *rank)).collect();
            assert_eq!(
                (found.as_slice(), entry.tags()),
                (places, tags.iter().map(|&tag| tag.into()).collect())
            );
            let json = serde_json::to_string(&entry.head).unwrap();
            assert_eq!(serde_json::from_str::<Head>(&json).unwrap(), entry.head);
        }
    }
}
