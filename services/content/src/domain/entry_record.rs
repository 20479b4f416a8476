//! Records of entries as authors write them, and their validation.
use serde::Deserialize;

use super::{
    Entry, EntryData, FieldError, RecordFiles,
    education::{ArticleRecord, CourseRecord, VideoRecord},
    help::{DocumentRecord, GroupRecord, SeoRecord},
    images::BannerRecord,
    news::{FlashRecord, NewsRecord, NewsVideoRecord, StockRecord, TabRecord},
    record_fields::{bilingual, field_error, id, id_of, slug},
    search::SynonymsRecord,
};

/// A record of any kind. The `body` of a text is Markdown, or follows the front matter.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EntryRecord {
    /// A news article. The import parses it as its own type, because errors in a tagged enum do not
    /// contain the line.
    #[serde(skip)]
    News(NewsRecord),
    /// A tab of the news page, also parsed as its own type.
    #[serde(skip)]
    NewsTab(TabRecord),
    CollegeCategory(GroupRecord),
    CollegeCourse(CourseRecord),
    CollegeArticle(ArticleRecord),
    CompanyArticle(ArticleRecord),
    CollegeVideo(VideoRecord),
    HelpChannel(GroupRecord),
    HelpDocument(DocumentRecord),
    LegalDocument(DocumentRecord),
    /// Title and description of a page.
    SeoInfo(SeoRecord),
    /// Words that the search treats as synonyms.
    SearchSynonyms(SynonymsRecord),
    NewsFlash(FlashRecord),
    NewsVideo(NewsVideoRecord),
    ImageBanner(BannerRecord),
    Stock(StockRecord),
}

impl EntryRecord {
    /// The Markdown text, if the record contains it.
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::News(record) => record.body.as_deref(),
            Self::CollegeArticle(record) | Self::CompanyArticle(record) => record.body.as_deref(),
            Self::HelpDocument(record) | Self::LegalDocument(record) => record.body.as_deref(),
            _ => None,
        }
    }

    /// The validated entry with its files, without its body.
    pub fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        match self {
            Self::News(record) => record.entry(files),
            Self::NewsTab(record) => record.entry(),
            Self::CollegeCategory(record) => {
                if record.parent_id != 0 || !record.slug.is_empty() {
                    return Err(field_error("slug", "a category has no slug and no parent"));
                }
                Ok(bilingual(id(record.id)?, "", 0, EntryData::CollegeCategory(record.group()?)))
            }
            Self::HelpChannel(record) => {
                let slug = slug(&record.slug)?;
                Ok(bilingual(id(record.id)?, &slug, 0, EntryData::HelpChannel(record.group()?)))
            }
            Self::CollegeCourse(record) => record.entry(files),
            Self::CollegeVideo(record) => record.entry(files),
            Self::CollegeArticle(record) => {
                record.entry(id_of("courseId", record.course_id)?, EntryData::CollegeArticle)
            }
            Self::CompanyArticle(record) => {
                if record.course_id != 0 {
                    return Err(field_error("courseId", "a company article has no course"));
                }
                record.entry(0, EntryData::CompanyArticle)
            }
            Self::HelpDocument(record) => {
                record.entry(id_of("channelId", record.channel_id)?, EntryData::HelpDocument)
            }
            Self::LegalDocument(record) => {
                if record.channel_id != 0 {
                    return Err(field_error("channelId", "a legal document has no channel"));
                }
                record.entry(0, EntryData::LegalDocument)
            }
            Self::SeoInfo(record) => record.entry(),
            Self::SearchSynonyms(record) => record.entry(),
            Self::NewsFlash(record) => record.entry(),
            Self::NewsVideo(record) => record.entry(files),
            Self::ImageBanner(record) => record.entry(files),
            Self::Stock(record) => record.entry(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::{EntryKind, Locale, id_for, media::AnyFiles};

    fn parsed(json: &str) -> Result<Entry, String> {
        let record: EntryRecord = serde_json::from_str(json).map_err(|error| error.to_string())?;
        record.entry(&mut AnyFiles).map_err(|error| error.key.to_owned())
    }

    #[test]
    fn good_records() {
        let course = parsed(
            r#"{"kind":"college-course","id":101,"slug":"first-steps","categoryId":1,"level":"beginner","name":"First","nameSa":"أول","publishedAt":"2026-10-05T09:00:00+03:00"}"#,
        )
        .unwrap();
        assert_eq!((course.id, course.slug.as_str(), course.locale), (101, "first-steps", None));
        assert_eq!(course.course().unwrap().name.en, "First");
        let seo = parsed(r#"{"kind":"seo-info","path":"/support","titleEn":"Help"}"#).unwrap();
        assert_eq!((seo.id, seo.slug.as_str()), (id_for("/support"), "/support"));
        assert!(seo.id < 1 << 53);
        let legal = parsed(
            r#"{"kind":"legal-document","id":25,"locale":"ar-sa","slug":"disclaimer","title":"ت","summary":"م","updatedAt":"2026-10-12T10:00:00+03:00"}"#,
        )
        .unwrap();
        assert_eq!((legal.locale, legal.kind()), (Some(Locale::ArSa), EntryKind::LegalDocument));
    }

    #[test]
    fn bad_records_name_the_key() {
        let table = [
            (r#"{"kind":"help-channel","id":1,"slug":"12","name":"A"}"#, "slug"),
            (r#"{"kind":"help-channel","id":0,"slug":"a","name":"A"}"#, "id"),
            (r#"{"kind":"help-channel","id":1,"slug":"a","name":" "}"#, "name"),
            (r#"{"kind":"college-category","id":1,"slug":"a","name":"A"}"#, "slug"),
            (r#"{"kind":"seo-info","path":"//evil","titleEn":"A"}"#, "path"),
            (r#"{"kind":"seo-info","path":"/a","titleEn":""}"#, "titleEn"),
            (r#"{"kind":"search-synonyms","locale":"fr","terms":["a","b"]}"#, "locale"),
            (r#"{"kind":"search-synonyms","locale":"en-us","terms":["a"]}"#, "terms"),
            (
                r#"{"kind":"company-article","id":1,"locale":"en-us","slug":"a","courseId":1,"title":"A","summary":"A","publishedAt":"2026-10-05T09:00:00Z"}"#,
                "courseId",
            ),
            (
                r#"{"kind":"college-article","id":1,"locale":"en-us","slug":"a","title":"A","summary":"A","publishedAt":"2026-10-05T09:00:00Z"}"#,
                "courseId",
            ),
        ];
        for (json, key) in table {
            assert_eq!(parsed(json).unwrap_err(), key, "{json}");
        }
    }

    /// A valid record of each kind; the table below changes one field at a time.
    fn right(kind: &str) -> Value {
        let time = "2026-10-05T09:00:00Z";
        let mut record = match kind {
            "college-category" => json!({ "id": 1, "name": "A" }),
            "help-channel" => json!({ "id": 1, "slug": "a", "name": "A" }),
            "college-course" => json!({
                "id": 1, "slug": "a", "categoryId": 1, "level": "beginner", "name": "A",
                "publishedAt": time,
            }),
            "college-article" => json!({
                "id": 1, "locale": "en-us", "slug": "a", "courseId": 1, "title": "A",
                "summary": "A", "publishedAt": time,
            }),
            "company-article" => json!({
                "id": 1, "locale": "en-us", "slug": "a", "title": "A", "summary": "A",
                "publishedAt": time,
            }),
            "help-document" => json!({
                "id": 1, "locale": "en-us", "slug": "a", "channelId": 1, "title": "A",
                "summary": "A", "updatedAt": time,
            }),
            "legal-document" => json!({
                "id": 1, "locale": "en-us", "slug": "a", "title": "A", "summary": "A",
                "updatedAt": time,
            }),
            "seo-info" => json!({ "path": "/a", "titleEn": "A" }),
            "search-synonyms" => json!({ "locale": "en-us", "terms": ["a", "b"] }),
            "news-flash" => json!({
                "id": 1, "locale": "en-us", "market": "us", "content": "A", "publishedAt": time,
            }),
            other => panic!("{other} is no kind of the table"),
        };
        record["kind"] = kind.into();
        record
    }

    /// Validates the record unchanged, then with the field set; returns the rejected key, if any.
    fn refused(kind: &str, field: &str, value: &Value) -> Option<String> {
        let mut record = right(kind);
        assert!(parsed(&record.to_string()).is_ok(), "{record}");
        record[field] = value.clone();
        parsed(&record.to_string()).err()
    }

    #[test]
    fn invalid_field_is_rejected_by_name() {
        let words = |count: usize| json!(vec!["a"; count]);
        let long = |count: usize| json!("a".repeat(count));
        let table = [
            ("college-category", "parentId", json!(1), "slug"),
            ("college-category", "nameEn", long(201), "nameEn"),
            ("college-category", "nameSa", long(201), "nameSa"),
            ("college-category", "description", long(601), "description"),
            ("college-category", "descriptionSa", long(601), "descriptionSa"),
            ("college-course", "slug", json!("A"), "slug"),
            ("college-course", "slug", long(81), "slug"),
            ("college-course", "categoryId", json!(0), "categoryId"),
            ("college-course", "summary", long(601), "summary"),
            ("college-course", "summarySa", long(601), "summarySa"),
            ("college-course", "publishedAt", json!("1969-12-31T23:59:59Z"), "publishedAt"),
            ("college-article", "id", json!(0), "id"),
            ("college-article", "locale", json!("fr"), "locale"),
            ("college-article", "slug", json!("1"), "slug"),
            ("college-article", "title", json!(""), "title"),
            ("college-article", "title", long(201), "title"),
            ("college-article", "summary", json!(""), "summary"),
            ("college-article", "summary", long(601), "summary"),
            ("college-article", "author", long(121), "author"),
            ("help-document", "channelId", json!(0), "channelId"),
            ("help-document", "keywords", words(21), "keywords"),
            ("help-document", "keywords", json!([""]), "keywords"),
            ("help-document", "updatedAt", json!("1969-12-31T23:59:59Z"), "updatedAt"),
            ("help-document", "effectiveAt", json!("1969-12-31T23:59:59Z"), "effectiveAt"),
            ("legal-document", "channelId", json!(1), "channelId"),
            ("seo-info", "path", json!("a"), "path"),
            ("seo-info", "path", json!("/a?b"), "path"),
            ("seo-info", "path", json!("/a#b"), "path"),
            ("seo-info", "path", json!("/a\\b"), "path"),
            ("seo-info", "path", json!("/a//b"), "path"),
            ("seo-info", "descriptionEn", long(601), "descriptionEn"),
            ("seo-info", "descriptionSa", long(601), "descriptionSa"),
            ("search-synonyms", "terms", words(21), "terms"),
            ("search-synonyms", "terms", json!(["a", ""]), "terms"),
            ("news-flash", "locale", json!("fr"), "locale"),
            ("news-flash", "market", json!("uk"), "market"),
            ("news-flash", "content", json!(""), "content"),
        ];
        for (kind, field, value, key) in table {
            assert_eq!(
                refused(kind, field, &value).as_deref(),
                Some(key),
                "{kind} {field} {value}"
            );
        }
        let table = [
            ("college-course", "slug", long(80)),
            ("college-article", "title", long(200)),
            ("college-article", "summary", long(600)),
            ("college-article", "author", long(120)),
            ("help-document", "keywords", words(20)),
            ("search-synonyms", "terms", words(20)),
        ];
        for (kind, field, value) in table {
            assert_eq!(refused(kind, field, &value), None, "{kind} {field}");
        }
    }
}

#[cfg(test)]
mod file_tests {
    #![allow(clippy::unwrap_used)]
    use crate::domain::{EntryData, EntryKind, EntryRecord, media::AnyFiles};

    fn parsed(json: &str) -> Result<EntryData, String> {
        let record: EntryRecord = serde_json::from_str(json).map_err(|error| error.to_string())?;
        record.entry(&mut AnyFiles).map(|entry| entry.data).map_err(|error| error.key.to_owned())
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
    fn records_at_their_bounds_are_accepted() {
        for json in [
            flash("en-us", "", &"أ".repeat(600)),
            video(r#"{"address":"/x","duration":1}"#),
            video(r#"{"address":"https://x.example/a","duration":86400}"#),
            video(r#"{"files":["a","b","c","d"],"duration":1}"#),
            BANNER.replace("SA_TOP_NEWS", &"A".repeat(32)),
            BANNER.replace("/news/content/1001", "https://x.example/"),
            format!(r#"{{"kind":"stock","code":"{}","dataType":1,"name":"A"}}"#, "a-._".repeat(8)),
        ] {
            assert!(parsed(&json).is_ok(), "{json}: {:?}", parsed(&json));
        }
    }

    #[test]
    fn good_records() {
        let EntryData::ImageBanner(banner) = parsed(BANNER).unwrap() else { panic!("no banner") };
        assert_eq!((banner.article(), banner.display_period.begin), (Some(1001), 1_767_225_600));
        let EntryData::NewsVideo(found) = parsed(&video(CLIP)).unwrap() else { panic!("no video") };
        assert_eq!((found.playback.duration, found.playback.sources.len()), (12, 1));
        assert_eq!(found.playback.sources[0].address, "a.webm");
        assert_eq!(found.playback.poster.unwrap().name, "a.svg");
        assert_eq!(
            (found.playback.captions.len(), &*found.playback.captions[0].name),
            (1, "a.vtt")
        );
        let stock = r#"{"kind":"stock","code":"2222","dataType":10001,"name":"Saudi Aramco"}"#;
        assert_eq!(parsed(stock).unwrap().kind(), EntryKind::Stock);
        let flash = r#"{"kind":"news-flash","id":1,"locale":"ar-sa","market":"saudi","content":"خبر","publishedAt":"2026-01-01T00:00:00Z"}"#;
        assert_eq!(parsed(flash).unwrap().kind(), EntryKind::NewsFlash);
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
            assert_eq!(parsed(&json).unwrap_err(), key, "{json}");
        }
    }
}
