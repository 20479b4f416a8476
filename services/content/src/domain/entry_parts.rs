//! Types shared by entries of several kinds.
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bilingual {
    pub en: String,
    /// Arabic; may be empty.
    pub sa: String,
}

/// A category or channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The group that contains it; 0 for none.
    pub parent: u64,
    /// Position in its parent.
    pub position: u32,
    pub name: Bilingual,
    /// One or two sentences.
    pub description: Bilingual,
}

/// A text without its body.
///
/// Earlier releases stored drafts of news articles without the fields that have a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The course or channel that contains it; 0 for none.
    #[serde(default)]
    pub parent: u64,
    /// Position in its course or channel.
    #[serde(default)]
    pub position: u32,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// May be empty.
    pub author: String,
    /// Whether it is sample content.
    pub sample: bool,
    /// Whether it belongs to the common questions.
    #[serde(default)]
    pub common: bool,
    /// Additional words for the search.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Date stated by the author, in epoch seconds; 0 for none.
    #[serde(default)]
    pub updated_at: u32,
    /// Epoch seconds from which the document is in force; 0 for none.
    #[serde(default)]
    pub effective_at: u32,
    /// At least 1.
    pub reading_minutes: u32,
}
