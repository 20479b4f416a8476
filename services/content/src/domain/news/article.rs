use crate::domain::{Larger, Locale, Market, MediaName};

/// The largest id: paths hold ids of at most ten digits (docs/page-cache.md).
pub const MAX_ID: u64 = 9_999_999_999;

/// Whether an article or tab can have this id.
pub fn is_id(id: u64) -> bool {
    (1..=MAX_ID).contains(&id)
}

/// A picture as a text shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Which picture.
    pub name: MediaName,
    /// What it shows, in the text's language.
    pub alt: String,
    /// Pixels; 0 where unknown.
    pub width: u32,
    /// Pixels; 0 where unknown.
    pub height: u32,
    /// Of the same picture.
    pub larger: Larger,
}

/// An article's text in one locale, as an import wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewsText {
    /// 1 to [`MAX_ID`]; shared by the article's locales.
    pub id: u64,
    /// The language of the text.
    pub locale: Locale,
    /// Written as an example; reports nothing.
    pub sample: bool,
    /// The market it is about.
    pub market: Market,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// Sanitised HTML.
    pub body_html: String,
    /// Epoch seconds; before it the text is neither listed nor shown.
    pub published_at: u32,
    /// May be empty.
    pub author: String,
    /// The picture above the text.
    pub image: Option<Image>,
    /// At least 1.
    pub reading_minutes: u32,
}

/// An article as a reader gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// The text shown.
    pub text: NewsText,
    /// Epoch seconds of the last import that changed the text.
    pub updated_at: u32,
    /// How often the article was read.
    pub read_count: u64,
    /// How many like it.
    pub like_count: u64,
    /// The locales in which it can be read now.
    pub available_locales: Vec<Locale>,
}

/// An article as it stands in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// See [`NewsText::id`].
    pub id: u64,
    /// The language of the texts.
    pub locale: Locale,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// The market it is about.
    pub market: Market,
    /// Epoch seconds.
    pub published_at: u32,
    /// The picture above the text.
    pub image: Option<Image>,
    /// How often the article was read.
    pub read_count: u64,
    /// Written as an example; reports nothing.
    pub sample: bool,
    /// At least 1.
    pub reading_minutes: u32,
}

/// An article's addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArticleRef {
    /// See [`NewsText::id`].
    pub id: u64,
    /// The locales in which it can be read now.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds: the last import that changed one of its texts, or the moment a text was
    /// published if that came later.
    pub updated_at: u32,
}
