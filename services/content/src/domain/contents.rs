use super::{Entry, Media};

/// The contents of an imported file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The media files of the entries.
    pub media: Vec<Media>,
    /// Notes for the author on omitted content.
    pub notes: Vec<String>,
}
