//! Path parameters: ids are decimal without leading zero, or slugs where allowed (docs/pages.md).

use super::{ItemKind, LoadContext, LoadError};
use crate::routes::{is_decimal, is_slug};

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

    /// The id, where the item is named by it.
    pub(super) fn id(&self) -> Option<u64> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Slug(_) => None,
        }
    }
}

impl LoadContext<'_> {
    /// A path parameter; `None` where the path has none of that name.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.request.found.as_ref()?;
        found.parameters.get(name).map(String::as_str)
    }

    /// The id in a path parameter; a malformed one is a path without a page.
    pub(super) fn id(&self, parameter: &str) -> Result<Option<u64>, LoadError> {
        parse(self.parameter(parameter), decimal)
    }

    /// The id or slug in a path parameter.
    pub(super) fn name(&self, parameter: &str) -> Result<Option<Name>, LoadError> {
        parse(self.parameter(parameter), name)
    }

    /// The id without which the path has no page.
    pub(super) fn required_id(&self, parameter: &str) -> Result<u64, LoadError> {
        self.id(parameter)?.ok_or(LoadError::Missing(ItemKind::Page))
    }

    /// The id or slug without which the path has no page.
    pub(super) fn required_name(&self, parameter: &str) -> Result<Name, LoadError> {
        self.name(parameter)?.ok_or(LoadError::Missing(ItemKind::Page))
    }
}

fn parse<T>(text: Option<&str>, parse: fn(&str) -> Option<T>) -> Result<Option<T>, LoadError> {
    let parsed = text.map(|text| parse(text).ok_or(LoadError::Missing(ItemKind::Page)));
    parsed.transpose()
}

/// An id or a slug.
fn name(text: &str) -> Option<Name> {
    if let Some(id) = decimal(text) {
        return Some(Name::Id(id));
    }
    // A slug has a letter: `007` is a malformed id.
    let slug = is_slug(text) && text.bytes().any(|byte| byte.is_ascii_lowercase());
    slug.then(|| Name::Slug(text.to_owned()))
}

fn decimal(text: &str) -> Option<u64> {
    is_decimal(text, 10).then(|| text.parse().ok()).flatten().filter(|id| *id > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (text, expected) in [
            ("7", Some(Name::Id(7))),
            ("fees", Some(Name::Slug("fees".to_owned()))),
            ("2nd-step", Some(Name::Slug("2nd-step".to_owned()))),
            ("0", None),
            ("007", None),
            ("12345678901", None),
            ("Fees", None),
            ("a b", None),
        ] {
            assert_eq!(name(text), expected, "{text}");
            assert_eq!(parse(Some(text), name).is_ok(), expected.is_some(), "{text}");
        }
        assert!(matches!(parse(None, name), Ok(None)));
    }
}
