use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Picture};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    pub category: u64,
    /// Position in its category.
    pub position: u32,
    pub level: Level,
    pub hot: bool,
    pub name: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    pub picture: Option<Picture>,
}

/// The level that a course requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Beginner,
    Intermediate,
    Advanced,
}
