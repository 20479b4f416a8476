use super::Shelf;

/// What readings and likes are counted of: ids are unique on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// News articles.
    News,
    /// Entries of a shelf.
    Shelf(Shelf),
}

impl Board {
    /// The name in stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::News => "news",
            Self::Shelf(shelf) => shelf.as_str(),
        }
    }
}

impl From<Shelf> for Board {
    fn from(shelf: Shelf) -> Self {
        Self::Shelf(shelf)
    }
}
