//! The properties of the kinds of content.
use strum::IntoEnumIterator;

use super::{EntryKind, tags};

impl EntryKind {
    pub fn parse(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::iter().map(Self::as_str)
    }

    /// The kinds that give a collection its name.
    pub fn collections() -> impl Iterator<Item = Self> {
        Self::iter().filter(|kind| kind.collection() == kind.as_str())
    }

    pub fn searched() -> impl Iterator<Item = Self> {
        Self::collections().filter(|kind| kind.page_path().is_some())
    }

    /// The name in records, commands and calls.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The collection in which its items are stored: company articles share that of college
    /// articles, legal documents that of help documents. Ids and slugs are unique in a collection.
    pub fn collection(self) -> &'static str {
        match self {
            Self::CompanyArticle => Self::CollegeArticle.as_str(),
            Self::LegalDocument => Self::HelpDocument.as_str(),
            kind => kind.as_str(),
        }
    }

    /// Path of its items' pages, up to the slug or id; `None` for items without a page, which are
    /// not searchable and cannot be drafts.
    pub fn page_path(self) -> Option<&'static str> {
        match self {
            Self::News => Some("/news/content/"),
            Self::CollegeArticle => Some("/education/article/"),
            Self::CompanyArticle => Some("/company-news/detail/"),
            Self::HelpDocument => Some("/support/detail/"),
            Self::LegalDocument => Some("/terms-and-conditions/"),
            _ => None,
        }
    }

    /// The surrogate tag of one item, if pages carry one.
    pub fn tag(self, id: u64) -> Option<String> {
        match self {
            Self::News => Some(tags::news(id)),
            Self::CollegeCategory => Some(tags::college_category(id)),
            Self::CollegeCourse => Some(tags::college_course(id)),
            Self::CollegeArticle | Self::CompanyArticle => Some(tags::college_article(id)),
            Self::CollegeVideo => Some(tags::college_video(id)),
            Self::HelpDocument | Self::LegalDocument => Some(tags::help_document(id)),
            _ => None,
        }
    }

    /// Surrogate tags that a change of an item purges softly: the college's menu is on every page.
    pub fn soft_tags(self) -> &'static [&'static str] {
        match self {
            Self::CollegeCategory | Self::CollegeCourse => &[tags::COLLEGE_NAVIGATION],
            _ => &[],
        }
    }

    /// The collection and id of the searchable item that a surrogate tag refers to.
    pub fn of_tag(tag: &str) -> Option<(Self, u64)> {
        let id = tag.rsplit(':').next()?.parse().ok()?;
        let kind = Self::searched().find(|kind| kind.tag(id).as_deref() == Some(tag))?;
        Some((kind, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_unknown_ones_rejected() {
        for kind in EntryKind::iter() {
            assert_eq!(EntryKind::parse(kind.as_str()), Some(kind));
            assert!(EntryKind::parse(kind.collection()).is_some());
        }
        for name in ["", "News", "news-tabs", "college-articles", "draft"] {
            assert_eq!(EntryKind::parse(name), None, "{name}");
        }
    }

    #[test]
    fn tag_of_a_searched_item_is_parsed() {
        let table = [
            ("news:7", Some((EntryKind::News, 7))),
            ("college:article:8", Some((EntryKind::CollegeArticle, 8))),
            ("help:doc:9", Some((EntryKind::HelpDocument, 9))),
            ("college:course:8", None),
            ("news:list:us", None),
            ("help:documents", None),
            ("news:tabs", None),
        ];
        for (tag, item) in table {
            assert_eq!(EntryKind::of_tag(tag), item, "{tag}");
        }
    }
}
