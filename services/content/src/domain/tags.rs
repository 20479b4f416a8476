//! The tags of content changes in the change log; see [`sahm_proto::tags`].
//!
//! A change of an article carries the tag of the item and of every list that contains it before or
//! after the change. Read counts are not content and have no tag.

pub use sahm_proto::tags::{
    COLLEGE_ARTICLES, COLLEGE_CATEGORIES, COLLEGE_COMPANY, COLLEGE_NAVIGATION, HELP_CHANNELS,
    HELP_DOCUMENTS, HELP_LEGAL, HELP_SEO, NEWS_STOCKS, NEWS_TABS, SEARCH_SYNONYMS, banner,
    college_article, college_category, college_course, college_video, help_channel, help_document,
    news,
};

use super::List;

/// One list of articles, in all locales.
pub fn news_list(list: List) -> String {
    sahm_proto::tags::news_list(list.as_str())
}

/// One list of flash news, in all locales.
pub fn news_flash(list: List) -> String {
    sahm_proto::tags::news_flash(list.as_str())
}

/// One list of videos of the news page.
pub fn news_videos(list: List) -> String {
    sahm_proto::tags::news_videos(list.as_str())
}
