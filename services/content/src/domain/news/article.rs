use serde::{Deserialize, Serialize};

use crate::domain::{Market, Picture, Text};

/// Largest id: paths contain ids of at most ten digits (docs/page-cache.md).
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
    /// Alternative text, in the text's locale.
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
}
