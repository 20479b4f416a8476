use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Picture};

/// A course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// Its category.
    pub category: u64,
    /// Where it stands in its category.
    pub position: u32,
    /// How much it supposes.
    pub level: Level,
    /// Among the hot entries.
    pub hot: bool,
    /// Its name.
    pub name: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    /// Decorates.
    pub picture: Option<Picture>,
}

/// How much a course supposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing.
    Beginner,
    /// The basics.
    Intermediate,
    /// Practice.
    Advanced,
}
