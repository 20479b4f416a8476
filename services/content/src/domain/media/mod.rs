//! Pictures, videos and captions.

mod file;
mod playback;
mod playback_record;

pub use file::{Larger, Media, MediaName, MediaType};
pub use playback::{Caption, Clip, ClipSource};
pub(crate) use playback_record::ClipRecord;
pub use playback_record::{ClipAsk, FilesAsk};
