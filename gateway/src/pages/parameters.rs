//! Path parameters: ids are decimal without leading zero, or slugs where allowed (docs/pages.md).

use crate::routes::{Match, is_decimal, is_slug};

/// A parameter that names an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// By its id.
    Id(u64),
    /// By its slug.
    Slug(String),
}

impl Name {
    /// As services take it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Slug(slug) => slug.clone(),
        }
    }
}

/// A parameter that is no name at all: the page does not exist.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// An id; `None` where the path has none.
pub(super) fn id(matched: &Match, name: &str) -> Result<Option<u64>, Malformed> {
    let Some(text) = matched.parameters.get(name) else { return Ok(None) };
    decimal(text).map(Some).ok_or(Malformed)
}

/// An id or a slug; `None` where the path has none.
pub(super) fn name(matched: &Match, name: &str) -> Result<Option<Name>, Malformed> {
    let Some(text) = matched.parameters.get(name) else { return Ok(None) };
    if let Some(id) = decimal(text) {
        return Ok(Some(Name::Id(id)));
    }
    // A slug has a letter: `007` is a malformed id.
    let slug = is_slug(text) && text.bytes().any(|byte| byte.is_ascii_lowercase());
    if slug { Ok(Some(Name::Slug(text.clone()))) } else { Err(Malformed) }
}

fn decimal(text: &str) -> Option<u64> {
    is_decimal(text, 10).then(|| text.parse().ok()).flatten().filter(|id| *id > 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::routes::PageId;

    #[test]
    fn names() {
        for (text, expected) in [
            ("7", Ok(Some(Name::Id(7)))),
            ("fees", Ok(Some(Name::Slug("fees".to_owned())))),
            ("2nd-step", Ok(Some(Name::Slug("2nd-step".to_owned())))),
            ("0", Err(Malformed)),
            ("007", Err(Malformed)),
            ("12345678901", Err(Malformed)),
            ("Fees", Err(Malformed)),
            ("a b", Err(Malformed)),
        ] {
            let parameters = BTreeMap::from([("id".to_owned(), text.to_owned())]);
            let matched = Match { page: PageId::Home, parameters };
            assert_eq!(name(&matched, "id"), expected, "{text}");
            assert_eq!(name(&matched, "other"), Ok(None));
        }
    }
}
