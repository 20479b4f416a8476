//! Path parameters: decimal ids without leading zeros, and slugs where allowed (docs/pages.md).

use super::{ItemKind, LoadContext, LoadError};
use crate::routes::{is_decimal, is_slug};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Id(u64),
    Slug(String),
}

impl Name {
    /// The name as text, for requests to services.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Id(id) => id.to_string(),
            Self::Slug(slug) => slug.clone(),
        }
    }

    pub(super) fn id(&self) -> Option<u64> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Slug(_) => None,
        }
    }
}

impl LoadContext<'_> {
    /// The value of a path parameter, if the path has it.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.request.found.as_ref()?;
        found.parameters.get(name).map(String::as_str)
    }

    /// The id in an optional path parameter; a malformed one makes the page missing.
    pub(super) fn id(&self, parameter: &str) -> Result<Option<u64>, LoadError> {
        parse(self.parameter(parameter), decimal)
    }

    /// The id or slug in an optional path parameter; a malformed one makes the page missing.
    pub(super) fn name(&self, parameter: &str) -> Result<Option<Name>, LoadError> {
        parse(self.parameter(parameter), name)
    }

    /// The id in a required path parameter.
    pub(super) fn required_id(&self, parameter: &str) -> Result<u64, LoadError> {
        self.id(parameter)?.ok_or(LoadError::Missing(ItemKind::Page))
    }

    /// The id or slug in a required path parameter.
    pub(super) fn required_name(&self, parameter: &str) -> Result<Name, LoadError> {
        self.name(parameter)?.ok_or(LoadError::Missing(ItemKind::Page))
    }
}

fn parse<T>(text: Option<&str>, parse: fn(&str) -> Option<T>) -> Result<Option<T>, LoadError> {
    let parsed = text.map(|text| parse(text).ok_or(LoadError::Missing(ItemKind::Page)));
    parsed.transpose()
}

fn name(text: &str) -> Option<Name> {
    if let Some(id) = decimal(text) {
        return Some(Name::Id(id));
    }
    // A slug contains a letter; `007` is a malformed id.
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
    fn names_are_ids_or_slugs() {
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
