//! What entries of several subjects are made of.
use serde::{Deserialize, Serialize};

use super::Larger;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bilingual {
    pub en: String,
    /// Arabic; may be empty.
    pub sa: String,
}

/// What holds others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The group that holds it; 0: none.
    pub parent: u64,
    /// Where it stands.
    pub position: u32,
    pub name: Bilingual,
    /// One or two sentences.
    pub description: Bilingual,
}

/// A picture without words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its media name.
    pub name: String,
    /// Pixels; 0 where unknown.
    pub width: u32,
    /// Pixels; 0 where unknown.
    pub height: u32,
    #[serde(default, flatten)]
    pub larger: Larger,
}

/// A text without its body.
///
/// Earlier releases stored drafts of news articles without the fields that have a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The course or channel that holds it; 0: none.
    #[serde(default)]
    pub parent: u64,
    /// Its position there.
    #[serde(default)]
    pub position: u32,
    /// One line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// May be empty.
    pub author: String,
    /// Written as an example.
    pub sample: bool,
    /// Among the common questions.
    #[serde(default)]
    pub common: bool,
    /// Further words by which it is found.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Epoch seconds, as the author dated it; 0: not dated.
    #[serde(default)]
    pub updated_at: u32,
    /// Epoch seconds from which it holds; 0: not said.
    #[serde(default)]
    pub effective_at: u32,
    /// At least 1.
    pub reading_minutes: u32,
}
