//! Declared query parameters: those that a page depends on, and their valid values (docs/page-cache.md#keys).

use std::collections::BTreeMap;

use serde::Deserialize;

/// Maximum length of a keyword that the search accepts, in characters.
const MAX_KEYWORD_CHARS: usize = 100;

/// The kind of a declared query parameter (docs/page-cache.md#keys).
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum QueryKind {
    /// One of several values.
    Enumeration { values: Vec<String> },
    /// 0 to 10,000.
    Integer,
    /// Decimal of at most 10 digits, or a slug.
    Id,
    /// Opaque; the page bypasses the cache.
    Cursor,
    /// Free text of a search, always named `keyword`; the page bypasses the cache.
    Keyword,
}

/// The valid declared query parameters of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredQuery {
    values: BTreeMap<String, String>,
    /// The cursor of a list.
    pub cursor: Option<String>,
    /// The keyword of a search.
    pub keyword: Option<String>,
}

impl DeclaredQuery {
    /// Reads the declared parameters of a raw query; undeclared, repeated and malformed ones are dropped.
    pub(super) fn parse(kinds: &BTreeMap<String, QueryKind>, query: &str) -> Self {
        let mut declared = Self::default();
        let mut known = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let Some((name, kind)) = kinds.get_key_value(name.as_ref()) else { continue };
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            match kind {
                QueryKind::Cursor if is_cursor(&value) => {
                    declared.cursor = Some(value.into_owned())
                }
                QueryKind::Keyword => declared.keyword = keyword(&value),
                kind if kind.accepts(&value) => {
                    declared.values.insert(name.clone(), value.into_owned());
                }
                _ => {}
            }
        }
        declared
    }

    /// Whether the page bypasses the page cache.
    pub fn bypasses(&self) -> bool {
        self.cursor.is_some() || self.keyword.is_some()
    }

    /// Adds parameters, which must be valid.
    #[must_use]
    pub fn with(mut self, others: BTreeMap<String, String>) -> Self {
        self.values.extend(others);
        self
    }

    pub fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Whether there are no parameters, cursor and keyword included.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && !self.bypasses()
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The parameters except cursor and keyword, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The parameters except cursor and keyword, sorted by name: `a=1&b=2`. Valid values need no encoding.
    pub fn canonical(&self) -> String {
        self.values
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("&")
    }
}

impl QueryKind {
    pub(super) fn accepts(&self, value: &str) -> bool {
        match self {
            Self::Enumeration { values } => values.iter().any(|allowed| allowed == value),
            Self::Integer => {
                is_decimal(value, 5) && value.parse::<u32>().is_ok_and(|n| n <= 10_000)
            }
            Self::Id => is_decimal(value, 10) || is_slug(value),
            Self::Cursor | Self::Keyword => false,
        }
    }
}

/// Whether a text is a decimal number without leading zeros, of at most `digits` digits.
pub fn is_decimal(text: &str, digits: usize) -> bool {
    !text.is_empty()
        && text.len() <= digits
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// Whether a text is a slug: `[a-z0-9-]{1,80}`.
pub fn is_slug(text: &str) -> bool {
    (1..=80).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Whether a text has the form of a cursor: `[A-Za-z0-9_-]{1,128}`.
pub(super) fn is_cursor(text: &str) -> bool {
    (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// Trims and truncates a keyword; `None` if nothing remains.
fn keyword(text: &str) -> Option<String> {
    let text = text.replace(char::is_control, " ");
    let text = text.trim().chars().take(MAX_KEYWORD_CHARS).collect::<String>();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_trimmed_and_truncated() {
        for (sent, expected) in [
            ("", None),
            (" \u{0} ", None),
            (" fees\n", Some("fees".to_owned())),
            ("رسوم", Some("رسوم".to_owned())),
            (&"x".repeat(200), Some("x".repeat(100))),
        ] {
            assert_eq!(keyword(sent), expected, "{sent}");
        }
    }

    #[test]
    fn values_are_validated_by_kind() {
        let market = QueryKind::Enumeration { values: vec!["us".into(), "saudi".into()] };
        for (kind, value, accepted) in [
            (&market, "us", true),
            (&market, "US", false),
            (&QueryKind::Integer, "10000", true),
            (&QueryKind::Integer, "10001", false),
            (&QueryKind::Integer, "007", false),
            (&QueryKind::Id, "privacy-policy", true),
            (&QueryKind::Id, "Privacy", false),
        ] {
            assert_eq!(kind.accepts(value), accepted, "{kind:?} {value}");
        }
    }
}
