//! Kinds of items as records, commands and calls name them.
use super::Shelf;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A news article.
    News,
    /// A tab of the news page.
    NewsTab,
    /// Any entry of a shelf.
    Entry(Shelf),
    /// An entry about the company.
    CompanyArticle,
    /// A legal document.
    LegalDocument,
}

impl Kind {
    /// Every kind of record that can be imported.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "news" => Some(Self::News),
            "news-tab" => Some(Self::NewsTab),
            "company-article" => Some(Self::CompanyArticle),
            "legal-document" => Some(Self::LegalDocument),
            name => Shelf::from_name(name).map(Self::Entry),
        }
    }

    /// The names that [`Kind::parse`] reads.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let others = ["news", "news-tab", "company-article", "legal-document"];
        others.into_iter().chain(Shelf::ALL.map(Shelf::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_are_not() {
        assert!(Kind::names().all(|name| Kind::parse(name).is_some()));
        for name in ["", "News", "news-tabs", "college-articles", "draft"] {
            assert_eq!(Kind::parse(name), None, "{name}");
        }
    }
}
