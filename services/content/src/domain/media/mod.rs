//! Pictures, videos and captions.

mod file;
mod playback;
mod playback_record;

pub use file::{Larger, Media, MediaName, MediaType};
pub use playback::{Caption, Playback, VideoSource};
pub(crate) use playback_record::PlaybackRecord;
pub use playback_record::{PlaybackFiles, RecordFiles};
