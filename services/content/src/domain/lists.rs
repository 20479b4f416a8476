//! The names of lists; each list is ordered by rank, then by id.

use super::List;

/// Categories by position.
pub const CATEGORIES: &str = "categories";
/// Courses by category and position.
pub const COURSES: &str = "courses";
/// Hot courses by category and position.
pub const HOT: &str = "courses:hot";
/// College articles, newest first.
pub const ARTICLES: &str = "articles";
/// Company articles, newest first.
pub const COMPANY: &str = "company";
/// Common questions by channel and position.
pub const COMMON: &str = "common";
/// Legal documents by id.
pub const LEGAL: &str = "legal";

/// Courses of a category by position.
pub fn category(id: u64) -> String {
    format!("category:{id}")
}

/// Articles of a course by position.
pub fn course(id: u64) -> String {
    format!("course:{id}")
}

/// Articles of a course, newest first.
pub fn newest_of_course(id: u64) -> String {
    format!("course-newest:{id}")
}

/// Channels under a channel by position; 0: top channels.
pub fn channels(parent: u64) -> String {
    format!("channels:{parent}")
}

/// Documents of a channel by position.
pub fn channel(id: u64) -> String {
    format!("channel:{id}")
}

/// Videos of a course by position.
pub fn course_videos(id: u64) -> String {
    format!("course-videos:{id}")
}

/// Videos of an article by position.
pub fn article_videos(id: u64) -> String {
    format!("article-videos:{id}")
}

/// Flash news, newest first.
pub fn flash(list: List) -> String {
    format!("flash:{}", list.as_str())
}

/// Videos of the news page, newest first.
pub fn news_videos(list: List) -> String {
    format!("news-videos:{}", list.as_str())
}

/// Banners of a position, in order.
pub fn banners(position_code: &str) -> String {
    format!("banners:{position_code}")
}
