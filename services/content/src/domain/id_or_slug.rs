/// Largest id: paths contain ids of at most ten digits (docs/page-cache.md).
pub const MAX_ID: u64 = 9_999_999_999;

const MAX_SLUG: usize = 80;

/// The id or slug by which callers refer to an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdOrSlug {
    /// Decimal digits.
    Id(u64),
    /// `[a-z0-9-]{1,80}` with a letter or hyphen.
    Slug(String),
}

impl IdOrSlug {
    /// `None` if the text is neither a valid id nor a valid slug.
    pub fn parse(text: &str) -> Option<Self> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            let id = text.parse().ok().filter(|&id| is_id(id))?;
            return (!text.starts_with('0')).then_some(Self::Id(id));
        }
        is_slug(text).then(|| Self::Slug(text.to_owned()))
    }
}

/// Whether an item can have this id.
pub fn is_id(id: u64) -> bool {
    (1..=MAX_ID).contains(&id)
}

/// Whether a text is a valid slug; digits alone are an id.
pub fn is_slug(text: &str) -> bool {
    (1..=MAX_SLUG).contains(&text.len())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_parsed_as_id_or_slug() {
        let slug = |text: &str| Some(IdOrSlug::Slug(text.to_owned()));
        let table = [
            ("142", Some(IdOrSlug::Id(142))),
            ("0142", None),
            ("0", None),
            ("", None),
            ("99999999999", None),
            ("how-to-reach-us", slug("how-to-reach-us")),
            ("a1", slug("a1")),
            ("Upper", None),
            ("a b", None),
            ("../x", None),
        ];
        for (text, name) in table {
            assert_eq!(IdOrSlug::parse(text), name, "{text:?}");
        }
        assert_eq!(IdOrSlug::parse(&"a".repeat(81)), None);
    }
}
