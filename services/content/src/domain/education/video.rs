use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Playback};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CollegeVideo {
    /// Its course; 0: none.
    pub course: u64,
    /// The article of that course that it belongs to; 0: the course as a whole.
    pub article: u64,
    /// Where it stands among those.
    pub position: u32,
    pub name: Bilingual,
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Made as an example.
    pub sample: bool,
}
