//! Cache keys: everything that a stored page depends on, as one canonical text (docs/page-cache.md#keys).

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use sha2::{Digest, Sha256};
use strum::IntoStaticStr;

use crate::visitor::Visitor;

/// The kind of the entry under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// A page's HTML.
    Page,
    /// A page's data (`/_data`).
    Data,
    /// A page's data for a browser that has the current layout data.
    DataWithoutLayout,
}

/// Characters that are not encoded in a path or query value: RFC 3986 §2.3 and `/`.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The cache key of one entry (RFC 9111 §2), the same on every gateway.
///
/// The text is `{kind}:{locale}:{platform}:{theme}:{path}?{query}`, path and query values percent-encoded, so that no
/// two sets of parts share a text. The build is not part of it: the previous build's entry of the same page has the
/// same text under another build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    kind: Kind,
    text: String,
}

impl Key {
    /// The key of a page.
    ///
    /// `path` is in canonical percent-encoding and without locale prefix; `query` holds the parameters that the page declares,
    /// each validated, in any order.
    pub fn new<'a>(
        kind: Kind,
        visitor: &Visitor,
        path: &str,
        query: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut key = Self::of_path(kind, visitor, escape(path));
        let mut query: Vec<_> = query.into_iter().collect();
        query.sort_unstable();
        for (index, (name, value)) in query.into_iter().enumerate() {
            let separator = if index == 0 { '?' } else { '&' };
            key.text.push_str(&format!("{separator}{}={}", escape(name), escape(value)));
        }
        key
    }

    /// The one key of all paths that no route matches, per platform, locale and theme.
    pub fn unmatched(kind: Kind, visitor: &Visitor) -> Self {
        // Unescaped, so that it equals no path: paths escape `*`.
        Self::of_path(kind, visitor, "*")
    }

    fn of_path(kind: Kind, visitor: &Visitor, path: impl Display) -> Self {
        let Visitor { locale, platform, theme } = visitor;
        let (locale, platform, theme) = (locale.as_str(), platform.as_str(), theme.as_str());
        let kind_name: &str = kind.into();
        let text = format!("{kind_name}:{locale}:{platform}:{theme}:{path}");
        Self { kind, text }
    }

    /// The canonical text, without the build.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Page or page data.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Tags that every entry under this key carries besides its loader's, so that an operator can
    /// purge by key, by path (all its variants) or everything through a service's change log.
    pub fn tags(&self) -> [String; 3] {
        // Neither a path nor what precedes it contains the delimiters, because they are escaped.
        let path = self.text.splitn(5, ':').last().and_then(|path| path.split('?').next());
        [ALL_PAGES.to_owned(), path_tag(path.unwrap_or_default()), key_tag(&self.text)]
    }
}

/// The tag that every entry carries.
pub const ALL_PAGES: &str = "page:all";

/// The tag of one key's entry.
pub fn key_tag(text: &str) -> String {
    format!("page:key:{}", digest(text))
}

/// The tag of all variants of a path, spelt as in keys (percent-encoded).
pub fn path_tag(path: &str) -> String {
    format!("page:path:{}", digest(path))
}

fn escape(part: &str) -> PercentEncode<'_> {
    utf8_percent_encode(part, ESCAPED)
}

fn digest(text: &str) -> String {
    hex(first_half(Sha256::new_with_prefix(text)))
}

/// The first half of a SHA-256.
pub(super) fn first_half(hasher: Sha256) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize()[..16]);
    half
}

/// Lower-case hex digits.
pub(super) fn hex(bytes: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::visitor::{Locale, Platform, Theme};

    fn visitor(pick: u8) -> Visitor {
        Visitor {
            locale: if pick & 1 == 0 { Locale::EnUs } else { Locale::ArSa },
            platform: [Platform::App, Platform::Mobile, Platform::Pc][usize::from(pick / 2 % 3)],
            theme: [Theme::Light, Theme::Dark, Theme::Auto][usize::from(pick / 6 % 3)],
        }
    }

    #[test]
    fn text_sorts_the_query_and_escapes_delimiters() {
        let key = Key::new(Kind::Page, &visitor(4), "/news/a?b", [("tab", "2"), ("a", "x&y=1")]);
        assert_eq!(key.text(), "page:en-us:pc:light:/news/a%3Fb?a=x%26y%3D1&tab=2");
        let other = Key::new(Kind::Page, &visitor(4), "/news/a?b", [("a", "x&y=1"), ("tab", "2")]);
        assert_eq!(key, other);
        assert_eq!(Key::unmatched(Kind::Data, &visitor(1)).text(), "data:ar-sa:app:light:*");
    }

    #[test]
    fn tags_share_the_path_of_all_variants_and_of_no_other_path() {
        let page = Key::new(Kind::Page, &visitor(0), "/news", [("tab", "2")]).tags();
        let data = Key::new(Kind::Data, &visitor(3), "/news", []).tags();
        let other = Key::new(Kind::Page, &visitor(0), "/news/us", []).tags();
        assert_eq!(page[0], data[0]);
        assert_eq!(page[1], data[1]);
        assert_ne!(page[2], data[2]);
        assert_ne!(page[1], other[1]);
        let fits = |tag: &String| {
            tag.len() <= 120
                && tag.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b':')
        };
        assert!(page.iter().all(fits));
    }

    type EntryData = (bool, u8, String, Vec<(String, String)>);

    fn key_of((data, who, path, query): &EntryData) -> Key {
        let kind = if *data { Kind::Data } else { Kind::Page };
        let query = query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Key::new(kind, &visitor(*who), path, query)
    }

    // A small alphabet of delimiters, so that collisions would be found.
    fn parts() -> impl Strategy<Value = EntryData> {
        let text = "[a/?&=:%*é]{0,4}";
        (any::<bool>(), 0u8..18, text, prop::collection::vec((text, text), 0..3))
    }

    proptest! {
        #[test]
        fn text_differs_for_different_parts(a in parts(), b in parts()) {
            let sorted = |parts: &EntryData| {
                let mut parts = parts.clone();
                parts.3.sort();
                parts
            };
            prop_assert_eq!(sorted(&a) == sorted(&b), key_of(&a).text() == key_of(&b).text());
        }

        #[test]
        fn text_of_a_path_is_never_the_unmatched_key(parts in parts()) {
            let key = key_of(&parts);
            prop_assert_ne!(key.text(), Key::unmatched(key.kind(), &visitor(parts.1)).text().to_owned());
        }
    }
}
