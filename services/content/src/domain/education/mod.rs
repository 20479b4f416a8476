//! Courses, their articles and videos.

mod course;
mod records;
mod video;

pub use course::{Course, Level};
pub(crate) use records::{ArticleRecord, CourseRecord, VideoRecord};
pub use video::CollegeVideo;
