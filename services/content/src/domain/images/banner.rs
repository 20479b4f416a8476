use serde::{Deserialize, Serialize};

use crate::domain::{Bilingual, DisplayPeriod, Locale, Picture};

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
    id.parse().ok().filter(|&id| crate::domain::is_id(id))
}

#[cfg(test)]
mod tests {
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
}
