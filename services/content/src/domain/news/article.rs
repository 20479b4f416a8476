use serde::{Deserialize, Serialize};

use crate::domain::{Market, Picture, Text};

/// The largest id: paths hold ids of at most ten digits (docs/page-cache.md).
pub const MAX_ID: u64 = 9_999_999_999;

/// Whether an item can have this id.
pub fn is_id(id: u64) -> bool {
    (1..=MAX_ID).contains(&id)
}

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
    /// What it shows, in the text's language.
    pub alt: String,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::domain::{EntryData, Larger};

    /// The draft of an article as earlier releases stored it.
    const STORED: &str = r#"{"sample":true,"market":"us","title":"T","summary":"S","author":"A","image":{"name":"0123456789abcdef.png","alt":"Alt","width":4,"height":3,"x2":"0123456789abcde2.png"},"reading_minutes":2}"#;

    #[test]
    fn stored_articles_of_this_and_earlier_releases_are_read() {
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
    fn a_stored_article_without_one_of_its_fields_is_refused() {
        for field in ["sample", "market", "title", "summary", "author", "reading_minutes"] {
            let mut stored: serde_json::Value = serde_json::from_str(STORED).unwrap();
            stored.as_object_mut().unwrap().remove(field).unwrap();
            assert!(serde_json::from_value::<NewsArticle>(stored).is_err(), "{field}");
        }
    }
}
