//! Articles, tabs, flash news, videos of the news page, and securities.
use serde::{Deserialize, Serialize};

use crate::domain::{
    Bilingual, Market, Picture, Playback, Text,
    fields::{Fields, MAX_NAME, MAX_SUMMARY, MAX_TITLE, SUMMARY, TITLE},
};

/// Maximum length of an alternative text in characters.
const MAX_ALT: usize = 400;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsArticle {
    #[serde(flatten)]
    pub text: Text,
    pub market: Market,
    /// The picture above the text.
    pub image: Option<Image>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    #[serde(flatten)]
    pub picture: Picture,
    /// Alternative text, in the text's locale.
    pub alt: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsTab {
    pub name: Bilingual,
    pub market: Market,
    /// Position among the tabs; tabs with the same position are ordered by id.
    pub position: u32,
}

/// Flash news in one locale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashNews {
    pub market: Market,
    /// Plain text of a line or two.
    pub content: String,
    /// Whether it is sample content.
    pub sample: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsVideo {
    pub market: Market,
    /// One line.
    pub title: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Whether it is sample content.
    pub sample: bool,
}

/// A security whose names are detected in texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stock {
    /// For instance `2222` or `AAPL`.
    pub code: String,
    /// The data type, which determines the market.
    pub data_type: u32,
    pub name: Bilingual,
}

impl NewsArticle {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let author = fields.optional("author", MAX_NAME);
        let text = Text { author, ..fields.text() };
        let market = fields.market();
        let alt = fields.optional_line("imageAlt", MAX_ALT);
        let picture = fields.picture("image");
        if picture.is_some() && alt.is_none() {
            fields.refuse("image", "needs imageAlt, which says what it shows");
        }
        if picture.is_none() && alt.is_some() {
            fields.refuse("imageAlt", "has no image beside it");
        }
        let image = picture.zip(alt).map(|(picture, alt)| Image { picture, alt });
        Self { text, market, image }
    }
}

impl NewsTab {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            name: fields.line_in_both("name", "nameSa", MAX_NAME),
            market: fields.market(),
            position: fields.get_or_default("position"),
        }
    }
}

impl FlashNews {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            market: fields.market(),
            content: fields.line("content", MAX_SUMMARY),
            sample: fields.get_or_default("sample"),
        }
    }
}

impl NewsVideo {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            market: fields.market(),
            title: fields.named(TITLE),
            summary: fields.bilingual(SUMMARY, MAX_SUMMARY),
            playback: fields.object("clip", Playback::read),
            sample: fields.get_or_default("sample"),
        }
    }
}

impl Stock {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            code: fields
                .code("code", |byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte)),
            data_type: fields.required("dataType").unwrap_or_default(),
            name: fields.line_in_both("name", "nameSa", MAX_TITLE),
        }
    }

    /// Whether it trades in the US: dataType 20000 to 29999.
    pub fn is_us(&self) -> bool {
        (20_000..30_000).contains(&self.data_type)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::{EntryData, Larger};

    /// The draft of an article as earlier releases stored it.
    const STORED: &str = r#"{"sample":true,"market":"us","title":"T","summary":"S","author":"A","image":{"name":"0123456789abcdef.png","alt":"Alt","width":4,"height":3,"x2":"0123456789abcde2.png"},"reading_minutes":2}"#;

    #[test]
    fn articles_stored_by_this_and_earlier_releases_are_read() {
        let larger = Larger { x2: Some("0123456789abcde2.png".into()), x3: None };
        let picture = Picture { name: "0123456789abcdef.png".into(), width: 4, height: 3, larger };
        let text = Text {
            title: "T".into(),
            summary: "S".into(),
            author: "A".into(),
            sample: true,
            reading_minutes: 2,
            ..Text::default()
        };
        let image = Some(Image { picture, alt: "Alt".into() });
        let article = NewsArticle { text, market: Market::Us, image };
        assert_eq!(serde_json::from_str::<NewsArticle>(STORED).unwrap(), article);
        let json = serde_json::to_string(&EntryData::News(article.clone())).unwrap();
        assert_eq!(serde_json::from_str::<NewsArticle>(&json).unwrap(), article);
    }

    #[test]
    fn stored_article_without_a_required_field_is_rejected() {
        for field in ["sample", "market", "title", "summary", "author", "reading_minutes"] {
            let mut stored: serde_json::Value = serde_json::from_str(STORED).unwrap();
            stored.as_object_mut().unwrap().remove(field).unwrap();
            assert!(serde_json::from_value::<NewsArticle>(stored).is_err(), "{field}");
        }
    }

    #[test]
    fn data_type_determines_the_market() {
        for (data_type, us) in [
            (0, false),
            (10_001, false),
            (19_999, false),
            (20_000, true),
            (29_999, true),
            (30_000, false),
        ] {
            assert_eq!(Stock { data_type, ..Stock::default() }.is_us(), us, "{data_type}");
        }
    }
}
