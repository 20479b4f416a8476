use crate::domain::{Picture, VideoSource};

/// The files that a record references, as paths relative to the record's file. Errors are reasons
/// for the author.
pub trait RecordFiles {
    fn picture(&mut self, path: &str) -> Result<Picture, String>;

    fn video(&mut self, path: &str) -> Result<VideoSource, String>;

    /// The media name of captions.
    fn captions(&mut self, path: &str) -> Result<String, String>;
}
