//! What an import puts into the store.
use std::fmt;

use super::{Entry, EntryKind, Locale, Media, NewsText, Tab};

/// One thing to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An article's text in one locale.
    News(Box<NewsText>),
    /// A tab of the news page.
    Tab(Tab),
    /// An item of any other kind.
    Entry(Box<Entry>),
}

/// What tells one item from another: a later import of the same key changes the same item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ItemKey {
    collection: &'static str,
    id: u64,
    locale: Option<Locale>,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub items: Vec<Item>,
    /// The files that the items show.
    pub media: Vec<Media>,
    /// What was left out, for the author to know.
    pub notes: Vec<String>,
}

impl Item {
    /// Its kind.
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::News(_) => EntryKind::News,
            Self::Tab(_) => EntryKind::NewsTab,
            Self::Entry(entry) => entry.kind(),
        }
    }

    /// Its key.
    pub fn key(&self) -> ItemKey {
        let (id, locale) = match self {
            Self::News(text) => (text.id, Some(text.locale)),
            Self::Tab(tab) => (tab.id, None),
            Self::Entry(entry) => (entry.id, entry.locale),
        };
        ItemKey { collection: self.kind().collection(), id, locale }
    }
}

impl fmt::Display for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.collection, self.id)?;
        self.locale.map_or(Ok(()), |locale| write!(f, " {}", locale.as_str()))
    }
}
