//! Playback of a video as authors write it.
use serde::Deserialize;

use crate::domain::{
    Caption, FieldError, Locale, Playback, RecordFiles, VideoSource,
    record_fields::{MAX_PATH, address, field_error, line},
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

impl PlaybackRecord {
    pub(crate) fn playback(&self, files: &mut dyn RecordFiles) -> Result<Playback, FieldError> {
        if !(1..=MAX_DURATION_SECONDS).contains(&self.duration) {
            return Err(field_error("duration", "is not between 1 and 86,400 seconds"));
        }
        let address = self.address.as_deref().map(|text| address("address", text)).transpose()?;
        if self.files.is_empty() == address.is_none() {
            return Err(field_error("clip", "needs either files or an address"));
        }
        if self.files.len() > MAX_FILES {
            return Err(field_error("files", format!("are more than {MAX_FILES}")));
        }
        let refused = |why| field_error("clip", why);
        let hosted = address.map(|address| VideoSource { address, content_type: String::new() });
        let mut sources: Vec<VideoSource> = hosted.into_iter().collect();
        for path in &self.files {
            sources.push(files.video(&line("files", path, MAX_PATH)?).map_err(refused)?);
        }
        let poster = match &self.poster {
            Some(path) => Some(files.picture(&line("poster", path, MAX_PATH)?).map_err(refused)?),
            None => None,
        };
        let mut captions = Vec::new();
        for (locale, key, path) in [
            (Locale::EnUs, "captionsEn", &self.captions_en),
            (Locale::ArSa, "captionsSa", &self.captions_sa),
        ] {
            if let Some(path) = path {
                let name = files.captions(&line(key, path, MAX_PATH)?).map_err(refused)?;
                captions.push(Caption { locale: locale.as_str().to_owned(), name });
            }
        }
        Ok(Playback { sources, poster, captions, duration: self.duration })
    }
}
