//! Kinds of items as records, commands and calls name them.
use super::Shelf;

const NEWS: &str = "news";

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A news article.
    News,
    /// An entry of a shelf.
    Entry(Shelf),
}

impl Kind {
    /// `news`, or the name of a shelf.
    pub fn parse(name: &str) -> Option<Self> {
        if name == NEWS { Some(Self::News) } else { Shelf::from_name(name).map(Self::Entry) }
    }
}
