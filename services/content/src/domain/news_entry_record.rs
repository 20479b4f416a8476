//! Records of what stands on the news page beside its articles, and of videos, as authors write
//! them.
use serde::Deserialize;

use super::{
    Banner, Bilingual, Clip, ClipSource, Entry, EntryData, Fault, Flash, Locale, NewsVideo, Span,
    Stock, Video,
    record_fields::{
        NAME, NAME_MAX, PATH_MAX, SUMMARY_MAX, TITLE, TITLE_MAX, bilingual, either, fault, id,
        id_for, id_of, line, locale, market, named, optional,
    },
    written_time::WrittenTime,
};

const DAY: u32 = 86_400;
const CODE_MAX: usize = 32;
const FILES_MAX: usize = 4;

/// Flash news in one locale, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FlashRecord {
    id: u64,
    locale: String,
    #[serde(default)]
    market: String,
    /// At most 600 characters.
    content: String,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// A video of the news page, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewsVideoRecord {
    id: u64,
    #[serde(default)]
    market: String,
    title: String,
    #[serde(default)]
    title_en: String,
    #[serde(default)]
    title_sa: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    summary_en: String,
    #[serde(default)]
    summary_sa: String,
    pub(super) clip: ClipRecord,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// A video of the college, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VideoRecord {
    id: u64,
    #[serde(default)]
    course_id: u64,
    #[serde(default)]
    article_id: u64,
    #[serde(default)]
    position: u32,
    name: String,
    #[serde(default)]
    name_en: String,
    #[serde(default)]
    name_sa: String,
    pub(super) clip: ClipRecord,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// How a video plays, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ClipRecord {
    /// An https address or a site path, where the video is kept elsewhere.
    address: Option<String>,
    /// Paths of WebM and MP4 files, relative to the record's file, the best first.
    #[serde(default)]
    files: Vec<String>,
    /// Path of a picture.
    poster: Option<String>,
    /// Paths of WebVTT files.
    captions_en: Option<String>,
    captions_sa: Option<String>,
    /// Seconds.
    duration: u32,
}

/// A banner, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BannerRecord {
    id: u64,
    /// Upper-case letters, digits and `_`.
    position_code: String,
    position_name: String,
    #[serde(default)]
    position_name_sa: String,
    #[serde(default)]
    position: u32,
    title: String,
    #[serde(default)]
    title_sa: String,
    /// Paths of pictures, relative to the record's file.
    image: String,
    image_sa: Option<String>,
    /// A path of the site or an https address.
    url: String,
    begin_time: WrittenTime,
    end_time: WrittenTime,
    #[serde(default)]
    sample: bool,
}

/// A security whose names are looked for in texts, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockRecord {
    code: String,
    data_type: u32,
    name: String,
    #[serde(default)]
    name_sa: String,
}

/// The files that a record asks for, as paths relative to its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesAsk {
    /// A picture that decorates.
    Picture(String),
    /// A banner's pictures: English, Arabic.
    Banner(String, Option<String>),
    /// A video's files.
    Clip(ClipAsk),
}

/// The files of a video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipAsk {
    pub(crate) files: Vec<String>,
    pub(crate) poster: Option<String>,
    pub(crate) captions: Vec<(Locale, String)>,
}

impl FlashRecord {
    pub(super) fn entry(&self) -> Result<Entry, Fault> {
        let flash = Flash {
            market: market(&self.market)?,
            content: line("content", &self.content, SUMMARY_MAX)?,
            sample: self.sample,
        };
        let published_at = self.published_at.second("publishedAt")?;
        let entry = bilingual(id(self.id)?, "", published_at, EntryData::NewsFlash(flash));
        Ok(Entry { locale: Some(locale(&self.locale)?), ..entry })
    }
}

impl NewsVideoRecord {
    pub(super) fn entry(&self) -> Result<Entry, Fault> {
        let video = NewsVideo {
            market: market(&self.market)?,
            title: named(TITLE, [&self.title, &self.title_en, &self.title_sa])?,
            summary: Bilingual {
                en: either("summary", &self.summary_en, &self.summary)?,
                sa: optional("summarySa", &self.summary_sa, SUMMARY_MAX)?,
            },
            clip: self.clip.clip()?,
            sample: self.sample,
        };
        let published_at = self.published_at.second("publishedAt")?;
        Ok(bilingual(id(self.id)?, "", published_at, EntryData::NewsVideo(video)))
    }
}

impl VideoRecord {
    pub(super) fn entry(&self) -> Result<Entry, Fault> {
        if self.article_id > 0 {
            id_of("courseId", self.course_id)?;
        }
        let video = Video {
            course: self.course_id,
            article: self.article_id,
            position: self.position,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            clip: self.clip.clip()?,
            sample: self.sample,
        };
        let published_at = self.published_at.second("publishedAt")?;
        Ok(bilingual(id(self.id)?, "", published_at, EntryData::CollegeVideo(video)))
    }
}

impl ClipRecord {
    fn clip(&self) -> Result<Clip, Fault> {
        if !(1..=DAY).contains(&self.duration) {
            return Err(fault("duration", "is not between 1 and 86,400 seconds"));
        }
        let address = match &self.address {
            Some(text) => Some(address("address", text)?),
            None => None,
        };
        if self.files.is_empty() == address.is_none() {
            return Err(fault("clip", "needs either files or an address"));
        }
        let sources = address.map(|address| ClipSource { address, content_type: "".into() });
        Ok(Clip {
            sources: sources.into_iter().collect(),
            duration: self.duration,
            ..Clip::default()
        })
    }

    pub(super) fn files(&self) -> Result<ClipAsk, Fault> {
        if self.files.len() > FILES_MAX {
            return Err(fault("files", format!("are more than {FILES_MAX}")));
        }
        let paths = self.files.iter().map(|path| line("files", path, PATH_MAX));
        let mut captions = Vec::new();
        for (locale, key, path) in [
            (Locale::EnUs, "captionsEn", &self.captions_en),
            (Locale::ArSa, "captionsSa", &self.captions_sa),
        ] {
            if let Some(path) = path {
                captions.push((locale, line(key, path, PATH_MAX)?));
            }
        }
        Ok(ClipAsk {
            files: paths.collect::<Result<_, _>>()?,
            poster: path_of("poster", self.poster.as_deref())?,
            captions,
        })
    }
}

impl BannerRecord {
    pub(super) fn entry(&self) -> Result<Entry, Fault> {
        let shown = Span {
            begin: self.begin_time.second("beginTime")?,
            end: self.end_time.second("endTime")?,
        };
        if shown.end <= shown.begin {
            return Err(fault("endTime", "is not after beginTime"));
        }
        let banner = Banner {
            position_code: code("positionCode", &self.position_code, |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
            })?,
            position_name: Bilingual {
                en: line("positionName", &self.position_name, NAME_MAX)?,
                sa: optional("positionNameSa", &self.position_name_sa, NAME_MAX)?,
            },
            position: self.position,
            title: Bilingual {
                en: line("title", &self.title, TITLE_MAX)?,
                sa: optional("titleSa", &self.title_sa, TITLE_MAX)?,
            },
            picture: None,
            picture_sa: None,
            url: address("url", &self.url)?,
            shown,
            sample: self.sample,
        };
        Ok(bilingual(id(self.id)?, "", 0, EntryData::ImageBanner(banner)))
    }

    pub(super) fn files(&self) -> Result<FilesAsk, Fault> {
        let sa = path_of("imageSa", self.image_sa.as_deref())?;
        Ok(FilesAsk::Banner(line("image", &self.image, PATH_MAX)?, sa))
    }
}

impl StockRecord {
    pub(super) fn entry(&self) -> Result<Entry, Fault> {
        let stock = Stock {
            code: code("code", &self.code, |byte| {
                byte.is_ascii_alphanumeric() || b".-_".contains(&byte)
            })?,
            data_type: self.data_type,
            name: named(NAME, [&self.name, "", &self.name_sa])?,
        };
        let id = id_for(&format!("{} {}", stock.data_type, stock.code));
        Ok(bilingual(id, "", 0, EntryData::Stock(stock)))
    }
}

fn path_of(key: &'static str, path: Option<&str>) -> Result<Option<String>, Fault> {
    path.map(|path| line(key, path, PATH_MAX)).transpose()
}

fn code(key: &'static str, text: &str, fits: impl Fn(u8) -> bool) -> Result<String, Fault> {
    let good = (1..=CODE_MAX).contains(&text.len()) && text.bytes().all(fits);
    good.then(|| text.to_owned())
        .ok_or_else(|| fault(key, format!("is no code of at most {CODE_MAX} characters")))
}

fn address(key: &'static str, text: &str) -> Result<String, Fault> {
    let address = line(key, text, PATH_MAX)?;
    let path = address.starts_with('/') && !address.starts_with("//") && !address.contains('\\');
    if address.starts_with("https://") || path {
        Ok(address)
    } else {
        Err(fault(key, "is neither an https address nor a path of the site"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::domain::{EntryData, EntryKind, EntryRecord, FilesAsk};

    fn judged(json: &str) -> Result<EntryData, String> {
        let record: EntryRecord = serde_json::from_str(json).map_err(|error| error.to_string())?;
        record.files().map_err(|fault| fault.key.to_owned())?;
        record.entry().map(|entry| entry.data).map_err(|fault| fault.key.to_owned())
    }

    const BANNER: &str = r#"{"kind":"image-banner","id":1,"positionCode":"SA_TOP_NEWS","positionName":"Top","title":"T","image":"a.svg","url":"/news/content/1001","beginTime":"2026-01-01T00:00:00Z","endTime":"2027-01-01T00:00:00Z"}"#;
    const CLIP: &str =
        r#"{"files":["a.webm"],"poster":"a.svg","captionsSa":"a.vtt","duration":12}"#;

    fn video(clip: &str) -> String {
        format!(
            r#"{{"kind":"news-video","id":1,"title":"T","market":"us","clip":{clip},"publishedAt":"2026-01-01T00:00:00Z"}}"#
        )
    }

    fn flash(locale: &str, market: &str, content: &str) -> String {
        format!(
            r#"{{"kind":"news-flash","id":1,"locale":"{locale}","market":"{market}","content":"{content}","publishedAt":"2026-01-01T00:00:00Z"}}"#
        )
    }

    #[test]
    fn records_at_their_bounds_are_taken() {
        for json in [
            flash("en-us", "", &"أ".repeat(600)),
            video(r#"{"address":"/x","duration":1}"#),
            video(r#"{"address":"https://x.example/a","duration":86400}"#),
            video(r#"{"files":["a","b","c","d"],"duration":1}"#),
            BANNER.replace("SA_TOP_NEWS", &"A".repeat(32)),
            BANNER.replace("/news/content/1001", "https://x.example/"),
            format!(r#"{{"kind":"stock","code":"{}","dataType":1,"name":"A"}}"#, "a-._".repeat(8)),
        ] {
            assert!(judged(&json).is_ok(), "{json}: {:?}", judged(&json));
        }
    }

    #[test]
    fn good_records() {
        let EntryData::ImageBanner(banner) = judged(BANNER).unwrap() else { panic!("no banner") };
        assert_eq!((banner.article(), banner.shown.begin), (Some(1001), 1_767_225_600));
        let EntryData::NewsVideo(found) = judged(&video(CLIP)).unwrap() else { panic!("no video") };
        assert_eq!((found.clip.duration, found.clip.sources.len()), (12, 0));
        let record: EntryRecord = serde_json::from_str(&video(CLIP)).unwrap();
        let Some(FilesAsk::Clip(files)) = record.files().unwrap() else { panic!("no files") };
        assert_eq!((files.files.len(), files.captions.len()), (1, 1));
        let stock = r#"{"kind":"stock","code":"2222","dataType":10001,"name":"Saudi Aramco"}"#;
        assert_eq!(judged(stock).unwrap().kind(), EntryKind::Stock);
        let flash = r#"{"kind":"news-flash","id":1,"locale":"ar-sa","market":"saudi","content":"خبر","publishedAt":"2026-01-01T00:00:00Z"}"#;
        assert_eq!(judged(flash).unwrap().kind(), EntryKind::NewsFlash);
    }

    #[test]
    fn bad_records_name_the_key() {
        let table = [
            (BANNER.replace("2027-01", "2025-01"), "endTime"),
            (BANNER.replace("SA_TOP_NEWS", "top news"), "positionCode"),
            (BANNER.replace("/news/content", "//evil.example"), "url"),
            (BANNER.replace("/news/content", "javascript:"), "url"),
            (video(r#"{"duration":12}"#), "clip"),
            (video(r#"{"files":["a.webm"],"address":"/a","duration":12}"#), "clip"),
            (video(r#"{"address":"http://x","duration":12}"#), "address"),
            (video(r#"{"address":"/x","duration":0}"#), "duration"),
            (r#"{"kind":"stock","code":"A B","dataType":1,"name":"A"}"#.to_owned(), "code"),
            (format!(r#"{{"kind":"stock","code":"{}","dataType":1,"name":"A"}}"#, "A".repeat(33)), "code"),
            (r#"{"kind":"stock","code":"","dataType":1,"name":"A"}"#.to_owned(), "code"),
            (r#"{"kind":"stock","code":"A","dataType":1,"name":""}"#.to_owned(), "name"),
            (flash("fr-fr", "us", "a"), "locale"),
            (flash("en-us", "uk", "a"), "market"),
            (flash("en-us", "us", ""), "content"),
            (flash("en-us", "us", &"a".repeat(601)), "content"),
            (video(CLIP).replace(r#""title":"T""#, r#""title":"""#), "title"),
            (video(CLIP).replace(r#""market":"us""#, r#""market":"uk""#), "market"),
            (video(CLIP).replace(r#""id":1"#, r#""id":0"#), "id"),
            (video(CLIP).replace(r#""title":"T""#, &format!(r#""title":"T","summary":"{}""#, "a".repeat(601))), "summary"),
            (video(CLIP).replace(r#""title":"T""#, &format!(r#""title":"T","summarySa":"{}""#, "a".repeat(601))), "summarySa"),
            (video(r#"{"address":"/x","duration":86401}"#), "duration"),
            (video(r#"{"address":"//x","duration":1}"#), "address"),
            (video(r#"{"address":"/\\x","duration":1}"#), "address"),
            (video(r#"{"files":["a","b","c","d","e"],"duration":1}"#), "files"),
            (video(r#"{"files":["a"],"poster":"","duration":1}"#), "poster"),
            (video(r#"{"files":["a"],"captionsEn":"","duration":1}"#), "captionsEn"),
            (video(r#"{"files":["a"],"captionsSa":"","duration":1}"#), "captionsSa"),
            (BANNER.replace("2027-01-01", "2026-01-01"), "endTime"),
            (BANNER.replace("SA_TOP_NEWS", &"A".repeat(33)), "positionCode"),
            (BANNER.replace(r#""positionName":"Top""#, r#""positionName":"""#), "positionName"),
            (BANNER.replace(r#""title":"T""#, r#""title":"""#), "title"),
            (BANNER.replace("a.svg", ""), "image"),
            (BANNER.replace(r#""image""#, r#""imageSa":"","image""#), "imageSa"),
            (
                r#"{"kind":"college-video","id":1,"articleId":7,"name":"A","clip":{"address":"/x","duration":1},"publishedAt":"2026-10-05T09:00:00Z"}"#.to_owned(),
                "courseId",
            ),
        ];
        for (json, key) in table {
            assert_eq!(judged(&json).unwrap_err(), key, "{json}");
        }
    }
}
