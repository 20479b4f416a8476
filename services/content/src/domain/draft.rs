//! Drafts and their types.
use super::{Entry, EntryKind, is_id};

const MAX_TYPE: usize = 80;

/// Upper bound on the drafts of a type.
pub const MAX_DRAFTS: usize = 200;

/// The type of a draft: the name of the folder that it was imported from, `[a-z0-9-]{1,80}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DraftType(String);

impl DraftType {
    /// `None` if the text is not a valid type.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=MAX_TYPE).contains(&text.len())
            && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        fits.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Identifies a draft of a type in all its locales: `help-document-142`.
///
/// Kinds of a collection share one id space: a type has at most one draft per collection and id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DraftName {
    collection: &'static str,
    id: u64,
}

impl DraftName {
    /// The draft name of an entry.
    pub fn of(entry: &Entry) -> Self {
        Self { collection: entry.kind().collection(), id: entry.id }
    }

    /// Reads `{kind}-{number}`.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, number) = text.rsplit_once('-')?;
        let kind = EntryKind::parse(kind).filter(|kind| kind.page_path().is_some())?;
        let digits = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
        let id = number.parse().ok().filter(|&id| digits && is_id(id))?;
        Some(Self { collection: kind.collection(), id })
    }

    /// The collection of the entry when published.
    pub fn collection(&self) -> &'static str {
        self.collection
    }

    /// The id of the entry when published.
    pub fn id(&self) -> u64 {
        self.id
    }
}

/// `{kind}-{number}`: the name of a draft in URLs and messages.
pub fn draft_label(entry: &Entry) -> String {
    format!("{}-{}", entry.kind().as_str(), entry.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_accepts_folder_names_only() {
        let long = "a".repeat(80);
        for text in ["summer", "2026-11", "7", &long] {
            assert_eq!(DraftType::parse(text).as_ref().map(DraftType::as_str), Some(text));
        }
        for text in ["", "Summer", "a b", "../etc", "a/b", "صيف", &format!("{long}a")] {
            assert_eq!(DraftType::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn name_is_parsed_and_printed() {
        let table = [
            ("news-1001", Some(("news", 1001))),
            ("college-article-7", Some(("college-article", 7))),
            ("company-article-7", Some(("college-article", 7))),
            ("help-document-142", Some(("help-document", 142))),
            ("legal-document-27", Some(("help-document", 27))),
            ("news-0", None),
            ("news-007", None),
            ("news-+7", None),
            ("news-", None),
            ("news", None),
            ("image-banner-1", None),
            ("news-99999999999", None),
        ];
        for (text, parts) in table {
            let name = DraftName::parse(text);
            assert_eq!(name.as_ref().map(|name| (name.collection(), name.id())), parts, "{text}");
        }
    }
}
