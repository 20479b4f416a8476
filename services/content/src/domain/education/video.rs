use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Playback};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CollegeVideo {
    /// Id of its course; 0 for none.
    pub course: u64,
    /// Id of its article within the course; 0 if it belongs to the course as a whole.
    pub article: u64,
    /// Position among the videos of its course or article.
    pub position: u32,
    pub name: Bilingual,
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Whether it is sample content.
    pub sample: bool,
}
