//! Items of all kinds but news articles and tabs.

pub(crate) mod put;
mod read;
mod video_progress;
mod withdraw;

pub use read::{EntryRef, StoredEntry};
pub use video_progress::VideoProgress;
