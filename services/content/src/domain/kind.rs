//! The kinds of content and a table of their properties.
use super::tags;

/// The kind of an item. Its name is used in records, commands, calls and the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    News,
    NewsTab,
    NewsFlash,
    NewsVideo,
    /// A security whose names are detected in texts.
    Stock,
    CollegeCategory,
    CollegeCourse,
    CollegeArticle,
    CompanyArticle,
    CollegeVideo,
    HelpChannel,
    HelpDocument,
    LegalDocument,
    /// Title and description of a page; the id is derived from the path.
    SeoInfo,
    /// Words that the search treats as synonyms.
    SearchSynonyms,
    /// A banner at a position of a page.
    ImageBanner,
}

/// The properties of a kind.
struct Row {
    kind: EntryKind,
    name: &'static str,
    /// The kind under whose name items are stored and counted; ids are unique in it.
    collection: &'static str,
    /// Path of the items' pages, up to the slug or id. Only items with a page are searchable and
    /// can be drafts.
    page_path: Option<&'static str>,
    /// Surrogate tag of one item, if pages carry one.
    tag: Option<fn(u64) -> String>,
    /// Surrogate tags that a change purges softly: the college's menu is on every page.
    soft_tags: &'static [&'static str],
}

/// In the order of the enum.
const TABLE: [Row; 16] = {
    use EntryKind::*;
    const MENU: &[&str] = &[tags::COLLEGE_NAVIGATION];
    [
        page(News, "news", "/news/content/", tags::news),
        plain(NewsTab, "news-tab"),
        plain(NewsFlash, "news-flash"),
        plain(NewsVideo, "news-video"),
        plain(Stock, "stock"),
        Row {
            tag: Some(tags::college_category),
            soft_tags: MENU,
            ..plain(CollegeCategory, "college-category")
        },
        Row {
            tag: Some(tags::college_course),
            soft_tags: MENU,
            ..plain(CollegeCourse, "college-course")
        },
        page(CollegeArticle, "college-article", "/education/article/", tags::college_article),
        Row {
            collection: "college-article",
            tag: Some(tags::college_article),
            page_path: Some("/company-news/detail/"),
            ..plain(CompanyArticle, "company-article")
        },
        Row { tag: Some(tags::college_video), ..plain(CollegeVideo, "college-video") },
        plain(HelpChannel, "help-channel"),
        page(HelpDocument, "help-document", "/support/detail/", tags::help_document),
        Row {
            collection: "help-document",
            tag: Some(tags::help_document),
            page_path: Some("/terms-and-conditions/"),
            ..plain(LegalDocument, "legal-document")
        },
        plain(SeoInfo, "seo-info"),
        plain(SearchSynonyms, "search-synonyms"),
        plain(ImageBanner, "image-banner"),
    ]
};

const fn plain(kind: EntryKind, name: &'static str) -> Row {
    Row { kind, name, collection: name, page_path: None, tag: None, soft_tags: &[] }
}

const fn page(
    kind: EntryKind,
    name: &'static str,
    path: &'static str,
    tag: fn(u64) -> String,
) -> Row {
    Row { page_path: Some(path), tag: Some(tag), ..plain(kind, name) }
}

impl EntryKind {
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.kind)
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.as_str() == name)
    }

    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().map(Self::as_str)
    }

    /// The kinds that give a collection its name.
    pub fn collections() -> impl Iterator<Item = Self> {
        Self::all().filter(|kind| kind.collection() == kind.as_str())
    }

    pub fn searched() -> impl Iterator<Item = Self> {
        Self::collections().filter(|kind| kind.page_path().is_some())
    }

    /// The name in records, commands and calls.
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The collection in which its items are stored: company articles share that of college
    /// articles, legal documents that of help documents. Ids and slugs are unique in a collection.
    pub fn collection(self) -> &'static str {
        self.row().collection
    }

    /// Path of its items' pages, up to the slug or id; `None` for items without a page.
    pub fn page_path(self) -> Option<&'static str> {
        self.row().page_path
    }

    pub fn tag(self, id: u64) -> Option<String> {
        self.row().tag.map(|tag| tag(id))
    }

    /// Surrogate tags that a change of an item purges softly.
    pub fn soft_tags(self) -> &'static [&'static str] {
        self.row().soft_tags
    }

    /// The collection and id of the searchable item that a surrogate tag refers to.
    pub fn of_tag(tag: &str) -> Option<(Self, u64)> {
        let id = tag.rsplit(':').next()?.parse().ok()?;
        let kind = Self::searched().find(|kind| kind.tag(id).as_deref() == Some(tag))?;
        Some((kind, id))
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_unknown_ones_rejected() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!((row.kind as usize, EntryKind::parse(row.name)), (index, Some(row.kind)));
            assert!(EntryKind::parse(row.collection).is_some());
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
