use serde::{Deserialize, Serialize};

use super::{
    Locale, Picture, VideoSource,
    fields::{Fields, MAX_PATH},
};

const MAX_DURATION_SECONDS: u32 = 86_400;
/// Maximum number of files of a video.
const MAX_FILES: usize = 4;

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

    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let duration = fields.required("duration").unwrap_or_default();
        if !(1..=MAX_DURATION_SECONDS).contains(&duration) {
            fields.refuse("duration", "is not between 1 and 86,400 seconds");
        }
        let address = fields.address("address");
        let paths = fields.lines("files", MAX_FILES, MAX_PATH);
        if paths.is_empty() == address.is_none() {
            fields.refuse("clip", "needs either files or an address");
        }
        let hosted = address.map(|address| VideoSource { address, content_type: String::new() });
        let mut sources: Vec<VideoSource> = hosted.into_iter().collect();
        for path in paths {
            sources.extend(fields.file("clip", |files| files.video(&path)));
        }
        let poster = fields.optional_line("poster", MAX_PATH);
        let poster = poster.and_then(|path| fields.file("clip", |files| files.picture(&path)));
        let mut captions = Vec::new();
        for (locale, key) in [(Locale::EnUs, "captionsEn"), (Locale::ArSa, "captionsSa")] {
            let path = fields.optional_line(key, MAX_PATH);
            let name = path.and_then(|path| fields.file("clip", |files| files.captions(&path)));
            captions.extend(name.map(|name| Caption { locale: locale.as_str().to_owned(), name }));
        }
        Self { sources, poster, captions, duration }
    }
}
