use serde::{Deserialize, Serialize};

use crate::domain::{Locale, Picture};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Playback {
    /// A player takes the first that it can play.
    pub sources: Vec<VideoSource>,
    /// Shown before it plays.
    pub poster: Option<Picture>,
    /// One a language at most.
    pub captions: Vec<Caption>,
    /// Seconds.
    pub duration: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoSource {
    /// A site path or an https address.
    pub address: String,
    /// For instance `video/webm`.
    pub content_type: String,
}

/// What is said in a video, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// `en-us` or `ar-sa`.
    pub locale: String,
    /// The media name.
    pub name: String,
}

impl Playback {
    /// Where it plays, for those who know one address only.
    pub fn address(&self) -> &str {
        self.sources.first().map_or("", |source| &source.address)
    }

    /// Adds what is said in a language.
    pub fn caption(&mut self, locale: Locale, name: String) {
        self.captions.push(Caption { locale: locale.as_str().to_owned(), name });
    }
}
