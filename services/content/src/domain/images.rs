//! Banners at positions of pages.
use serde::{Deserialize, Serialize};

use super::{
    Bilingual, Locale, Picture,
    fields::{Fields, MAX_NAME, MAX_TITLE},
    is_id,
};

/// A picture with a link, shown at a page position during a period.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banner {
    /// For instance `SA_TOP_NEWS`.
    pub position_code: String,
    pub position_name: Bilingual,
    /// Order among the banners of its position.
    pub position: u32,
    pub title: Bilingual,
    /// The English picture.
    pub picture: Option<Picture>,
    /// The Arabic picture; falls back to the English one.
    pub picture_sa: Option<Picture>,
    /// The link: a path of this site without locale, or an https URL.
    pub url: String,
    #[serde(rename = "shown")]
    pub display_period: DisplayPeriod,
    /// Whether it is sample content.
    pub sample: bool,
}

impl Banner {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let display_period =
            DisplayPeriod { begin: fields.time("beginTime"), end: fields.time("endTime") };
        if display_period.end <= display_period.begin {
            fields.refuse("endTime", "is not after beginTime");
        }
        let banner = Self {
            position_code: fields.code("positionCode", |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
            }),
            position_name: fields.line_in_both("positionName", "positionNameSa", MAX_NAME),
            position: fields.get_or_default("position"),
            title: fields.line_in_both("title", "titleSa", MAX_TITLE),
            url: fields.address("url").unwrap_or_default(),
            display_period,
            sample: fields.get_or_default("sample"),
            picture: fields.picture("image"),
            picture_sa: fields.picture("imageSa"),
        };
        if banner.picture.is_none() {
            fields.refuse("image", "is missing");
        }
        if banner.url.is_empty() {
            fields.refuse("url", "is missing");
        }
        banner
    }

    /// The picture for a locale.
    pub fn picture_for(&self, locale: Locale) -> Option<&Picture> {
        let arabic = self.picture_sa.as_ref().filter(|_| locale == Locale::ArSa);
        arabic.or(self.picture.as_ref())
    }

    /// The article of this site that it links to.
    pub fn article(&self) -> Option<u64> {
        article_of(&self.url)
    }
}

/// The article of a `/news/content` link: the number after it in the path, otherwise the query
/// parameter `id`.
pub fn article_of(link: &str) -> Option<u64> {
    const MARK: &str = "/news/content";
    let rest = &link[link.find(MARK)? + MARK.len()..];
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let named = match path.strip_prefix('/').unwrap_or(path).trim_end_matches('/') {
        "" if path.is_empty() || path == "/" => {
            query.split('&').find_map(|pair| pair.strip_prefix("id="))
        }
        id if path.starts_with('/') => Some(id),
        _ => None,
    };
    let id = named.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))?;
    id.parse().ok().filter(|&id| is_id(id))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayPeriod {
    /// Epoch seconds; the period begins after this moment.
    pub begin: u32,
    /// Epoch seconds; the period ends before this moment.
    pub end: u32,
}

impl DisplayPeriod {
    /// Whether `now` lies strictly between begin and end.
    pub fn is_active(self, now: u32) -> bool {
        self.begin < now && now < self.end
    }

    /// The next moment at which [`DisplayPeriod::is_active`] changes; `None` if it never does.
    pub fn next_change(self, now: u32) -> Option<u32> {
        let first = self.begin.checked_add(1)?;
        if first >= self.end {
            return None;
        }
        [first, self.end].into_iter().find(|&moment| moment > now)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn article_of_reads_path_and_query() {
        let table = [
            ("/news/content/1001", Some(1001)),
            ("/en-us/news/content/1001?pageFrom=2#top", Some(1001)),
            ("https://www.example.com/ar-sa/news/content/2001/", Some(2001)),
            ("https://www.example.com/news/content?id=7&x=1", Some(7)),
            ("/news/content/?x=1&id=7", Some(7)),
            ("/news/content/", None),
            ("/news/content", None),
            ("/news/content/abc", None),
            ("/news/content/1001/2", None),
            ("/news/contents/1001", None),
            ("/news/content/0", None),
            ("/news/content/99999999999", None),
            ("/news/us", None),
            ("", None),
        ];
        for (link, id) in table {
            assert_eq!(article_of(link), id, "{link}");
        }
    }

    #[test]
    fn period_excludes_its_begin_and_end() {
        let span = DisplayPeriod { begin: 100, end: 200 };
        let table = [
            (99, false, Some(101)),
            (100, false, Some(101)),
            (101, true, Some(200)),
            (199, true, Some(200)),
            (200, false, None),
            (u32::MAX, false, None),
        ];
        for (now, active, next) in table {
            assert_eq!((span.is_active(now), span.next_change(now)), (active, next), "{now}");
        }
        let never = DisplayPeriod { begin: 100, end: 101 };
        assert_eq!((never.is_active(100), never.next_change(0)), (false, None));
    }

    proptest! {
        #[test]
        fn activity_changes_exactly_at_next_change(begin in 0..50_u32, length in 0..50_u32, now in 0..120_u32) {
            let span = DisplayPeriod { begin, end: begin + length };
            let differs = (now..130).find(|&later| span.is_active(later) != span.is_active(now));
            prop_assert_eq!(span.next_change(now), differs);
        }
    }
}
