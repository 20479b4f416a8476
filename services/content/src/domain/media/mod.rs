//! Pictures, videos and captions.

mod file;
mod playback;
mod playback_record;
mod record_files;

#[cfg(test)]
pub(crate) use any_files::AnyFiles;
pub use file::{Larger, Media, MediaName, MediaType};
pub use playback::{Caption, Playback, VideoSource};
pub(crate) use playback_record::PlaybackRecord;
pub use record_files::RecordFiles;

/// Files for tests of records: every path refers to a valid file, which is named after it.
#[cfg(test)]
pub(crate) mod any_files {
    use super::{RecordFiles, VideoSource};
    use crate::domain::{Larger, Picture};

    pub(crate) struct AnyFiles;

    impl RecordFiles for AnyFiles {
        fn picture(&mut self, path: &str) -> Result<Picture, String> {
            let (name, larger) = (path.to_owned(), Larger::default());
            Ok(Picture { name, width: 0, height: 0, larger })
        }

        fn video(&mut self, path: &str) -> Result<VideoSource, String> {
            Ok(VideoSource { address: path.to_owned(), content_type: "video/webm".into() })
        }

        fn captions(&mut self, path: &str) -> Result<String, String> {
            Ok(path.to_owned())
        }
    }
}
