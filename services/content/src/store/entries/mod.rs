//! Entries of all kinds.

pub(crate) mod put;
pub(crate) mod read;
pub(crate) mod rows;
mod video_progress;
mod withdraw;

pub use read::StoredEntry;
pub use video_progress::VideoProgress;
