//! What an import puts into the store.
use std::fmt;

use super::{Entry, Locale, Media};

/// Identifies an entry: a later import of the same key changes the same entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryKey {
    collection: &'static str,
    id: u64,
    locale: Option<Locale>,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The files that the entries show.
    pub media: Vec<Media>,
    /// What was left out, for the author to know.
    pub notes: Vec<String>,
}

impl Entry {
    pub fn key(&self) -> EntryKey {
        EntryKey { collection: self.kind().collection(), id: self.id, locale: self.locale }
    }
}

impl fmt::Display for EntryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.collection, self.id)?;
        self.locale.map_or(Ok(()), |locale| write!(f, " {}", locale.as_str()))
    }
}
