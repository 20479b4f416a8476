//! Playback of a video as authors write it, and the files that a record references.
use serde::Deserialize;

use crate::domain::{
    FieldError, Locale, Playback, VideoSource,
    record_fields::{MAX_PATH, address, field_error, line, path_of},
};

const MAX_DURATION_SECONDS: u32 = 86_400;
const MAX_FILES: usize = 4;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PlaybackRecord {
    /// An https URL or a site path, for a video that is hosted elsewhere.
    address: Option<String>,
    /// Paths of WebM and MP4 files, relative to the record's file, in order of preference.
    #[serde(default)]
    files: Vec<String>,
    /// Path of a picture.
    poster: Option<String>,
    /// Paths of WebVTT files.
    captions_en: Option<String>,
    captions_sa: Option<String>,
    /// Seconds.
    duration: u32,
}

/// The files that a record references, as paths relative to the record's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFiles {
    /// A decorative picture.
    Picture(String),
    Image {
        path: String,
        alt: String,
    },
    /// A banner's pictures: English, Arabic.
    Banner(String, Option<String>),
    Playback(PlaybackFiles),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaybackFiles {
    pub(crate) files: Vec<String>,
    pub(crate) poster: Option<String>,
    pub(crate) captions: Vec<(Locale, String)>,
}

impl PlaybackRecord {
    pub(crate) fn playback(&self) -> Result<Playback, FieldError> {
        if !(1..=MAX_DURATION_SECONDS).contains(&self.duration) {
            return Err(field_error("duration", "is not between 1 and 86,400 seconds"));
        }
        let address = match &self.address {
            Some(text) => Some(address("address", text)?),
            None => None,
        };
        if self.files.is_empty() == address.is_none() {
            return Err(field_error("clip", "needs either files or an address"));
        }
        let sources = address.map(|address| VideoSource { address, content_type: "".into() });
        Ok(Playback {
            sources: sources.into_iter().collect(),
            duration: self.duration,
            ..Playback::default()
        })
    }

    pub(crate) fn files(&self) -> Result<PlaybackFiles, FieldError> {
        if self.files.len() > MAX_FILES {
            return Err(field_error("files", format!("are more than {MAX_FILES}")));
        }
        let paths = self.files.iter().map(|path| line("files", path, MAX_PATH));
        let mut captions = Vec::new();
        for (locale, key, path) in [
            (Locale::EnUs, "captionsEn", &self.captions_en),
            (Locale::ArSa, "captionsSa", &self.captions_sa),
        ] {
            if let Some(path) = path {
                captions.push((locale, line(key, path, MAX_PATH)?));
            }
        }
        Ok(PlaybackFiles {
            files: paths.collect::<Result<_, _>>()?,
            poster: path_of("poster", self.poster.as_deref())?,
            captions,
        })
    }
}
