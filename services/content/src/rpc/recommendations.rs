//! Offset-based pages of recommendations.
use sahm_chassis::{Error, Result, cursor};

use super::{entries::next_cursor, validate};

const MAX_RECOMMENDATIONS: u32 = 50;

pub(super) struct RecommendationPage {
    list: String,
    start: u32,
    end: u32,
}

impl RecommendationPage {
    /// The page at a cursor of the list.
    pub(super) fn new(list: String, size: u32, default: u32, cursor: &str) -> Result<Self> {
        let size = validate::page_size(size, default)?;
        // Any client can compute the check sum of a cursor.
        let start = cursor::decode::<u64>(&list, cursor)?.unwrap_or(0);
        let start = u32::try_from(start).ok().filter(|start| *start < MAX_RECOMMENDATIONS);
        let start = start.ok_or_else(|| Error::field("cursor", "is not a cursor of this list"))?;
        Ok(Self { list, start, end: (start + size).min(MAX_RECOMMENDATIONS) })
    }

    /// Number of recommendations to find, counted from the first; includes one beyond the page, to
    /// detect whether more follow.
    pub(super) fn reach(&self) -> u32 {
        self.end + 1
    }

    /// Cuts the page out of all recommendations found; also returns the cursor of the next page.
    pub(super) fn cut<T>(&self, mut found: Vec<T>) -> (Vec<T>, String) {
        let has_more = found.len() > self.end as usize && self.end < MAX_RECOMMENDATIONS;
        found.truncate(self.end as usize);
        let page = found.split_off((self.start as usize).min(found.len()));
        (page, next_cursor(&self.list, has_more.then_some(u64::from(self.end))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_beyond_the_last_page_are_rejected() {
        for (start, is_accepted) in [
            (0, true),
            (u64::from(MAX_RECOMMENDATIONS) - 1, true),
            (u64::from(MAX_RECOMMENDATIONS), false),
            (u64::from(u32::MAX), false),
            (u64::from(u32::MAX) + 1, false),
        ] {
            let cursor = cursor::encode("list", &start);
            let page = RecommendationPage::new("list".to_owned(), 10, 10, &cursor);
            assert_eq!(page.is_ok(), is_accepted, "{start}");
        }
    }
}
