use serde::{Deserialize, Serialize};

use crate::domain::Picture;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playback {
    /// In order of preference: a player uses the first one that it supports.
    pub sources: Vec<VideoSource>,
    /// The picture shown before playback.
    pub poster: Option<Picture>,
    /// At most one per locale.
    pub captions: Vec<Caption>,
    /// Seconds.
    pub duration: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoSource {
    /// A site path or an https URL.
    pub address: String,
    /// For instance `video/webm`.
    pub content_type: String,
}

/// The captions of a video in one locale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// The media name.
    pub name: String,
}

impl Playback {
    /// URL of the first source, for callers that use only one.
    pub fn address(&self) -> &str {
        self.sources.first().map_or("", |source| &source.address)
    }
}
