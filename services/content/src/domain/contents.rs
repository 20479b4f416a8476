use super::{Entry, Media};

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The files that the entries show.
    pub media: Vec<Media>,
    /// What was left out, for the author to know.
    pub notes: Vec<String>,
}
