use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Market, Playback};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsVideo {
    pub market: Market,
    /// One line.
    pub title: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Whether it is sample content.
    pub sample: bool,
}
