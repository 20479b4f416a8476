use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, Market, Playback};

/// A video of the news page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsVideo {
    /// The market it is about.
    pub market: Market,
    /// One line.
    pub title: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    /// How it plays.
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Made as an example; reports nothing.
    pub sample: bool,
}
