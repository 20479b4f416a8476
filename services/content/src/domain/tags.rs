//! What changes of content name in the change log: the tags of [`sahm_proto::tags`].
//!
//! A change of an article names its item and every list that it enters, leaves or stands in.
//! Read counts are not content and name nothing.

pub use sahm_proto::tags::{
    COLLEGE_ARTICLES, COLLEGE_CATEGORIES, COLLEGE_COMPANY, COLLEGE_NAVIGATION, HELP_CHANNELS,
    HELP_DOCUMENTS, HELP_LEGAL, HELP_SEO, NEWS_STOCKS, NEWS_TABS, SEARCH_SYNONYMS, banner,
    college_article, college_category, college_course, college_video, help_channel, help_document,
    news,
};

use super::{List, Market};

/// One list of articles, in whatever locale.
pub fn news_list(list: List) -> String {
    sahm_proto::tags::news_list(list.as_str())
}

/// One list of flash news, in whatever locale.
pub fn news_flash(list: List) -> String {
    sahm_proto::tags::news_flash(list.as_str())
}

/// One list of videos of the news page.
pub fn news_videos(list: List) -> String {
    sahm_proto::tags::news_videos(list.as_str())
}

/// What a change of an article names: its item, and the lists of its market before and after.
pub fn news_change(id: u64, before: Option<Market>, after: Option<Market>) -> Vec<String> {
    let lists = List::EVERY.into_iter().filter(|list| {
        [before, after].into_iter().flatten().any(|market| market.lists().contains(list))
    });
    std::iter::once(news(id)).chain(lists.map(news_list)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_names_the_item_and_the_lists_of_both_markets() {
        let table: [(Option<Market>, Option<Market>, &[&str]); 6] = [
            (None, Some(Market::Us), &["news:7", "news:list:all", "news:list:us"]),
            (Some(Market::Saudi), None, &["news:7", "news:list:all", "news:list:saudi"]),
            (
                Some(Market::Us),
                Some(Market::Saudi),
                &["news:7", "news:list:all", "news:list:us", "news:list:saudi"],
            ),
            (Some(Market::Empty), Some(Market::Empty), &["news:7", "news:list:all"]),
            (
                Some(Market::All),
                Some(Market::Empty),
                &["news:7", "news:list:all", "news:list:us", "news:list:saudi"],
            ),
            (None, None, &["news:7"]),
        ];
        for (before, after, tags) in table {
            assert_eq!(news_change(7, before, after), tags, "{before:?} to {after:?}");
        }
    }
}
