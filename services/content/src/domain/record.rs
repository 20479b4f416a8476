//! Records of entries as authors write them, and their validation.
use super::{
    Banner, Bilingual, CollegeVideo, Course, Entry, EntryData, EntryKind, FieldError, FieldValues,
    FlashNews, Group, Locale, NewsArticle, NewsTab, NewsVideo, RecordFiles, Stock, Synonyms, Text,
    fields::{Fields, MAX_NAME, MAX_PATH, MAX_SUMMARY, MAX_TITLE, NAME},
    id_for,
};

const MAX_KEYWORDS: usize = 20;

/// A validated record.
pub struct Record {
    /// The entry with its files, without its body.
    pub entry: Entry,
    /// The Markdown of a text, unless it follows the record as front matter.
    pub body: Option<String>,
}

impl Record {
    /// Reads a record of an accepted kind; `noun` names such records in error messages.
    ///
    /// # Errors
    /// A key is missing, unknown or invalid.
    pub fn read(
        values: FieldValues,
        noun: &str,
        is_accepted: impl Fn(EntryKind) -> bool,
        files: &mut dyn RecordFiles,
    ) -> Result<Self, FieldError> {
        let error = |message| FieldError { key: "kind".to_owned(), message };
        let name = values.0.get("kind").ok_or_else(|| error("missing field `kind`".to_owned()))?;
        let kind = name.as_str().and_then(EntryKind::parse).filter(|kind| is_accepted(*kind));
        let kind = kind.ok_or_else(|| error(format!("kind: {name} is no kind of {noun}")))?;
        let mut fields = Fields::new(values, files);
        fields.get::<String>("kind");
        let data = data(kind, &mut fields);
        let slug = slug(kind, &mut fields);
        let id = match &data {
            EntryData::SeoInfo(_) => id_for(&slug),
            EntryData::SearchSynonyms(synonyms) => {
                let first = synonyms.terms.first().map_or("", String::as_str);
                id_for(&format!("{} {first}", synonyms.locale))
            }
            EntryData::Stock(stock) => id_for(&format!("{} {}", stock.data_type, stock.code)),
            _ => fields.id("id"),
        };
        let is_text = kind.page_path().is_some();
        let has_locale = is_text || kind == EntryKind::NewsFlash;
        let locale: Option<Locale> = has_locale.then(|| fields.locale());
        let published_at = match kind {
            EntryKind::News
            | EntryKind::NewsFlash
            | EntryKind::NewsVideo
            | EntryKind::CollegeCourse
            | EntryKind::CollegeArticle
            | EntryKind::CompanyArticle
            | EntryKind::CollegeVideo => fields.time("publishedAt"),
            _ => 0,
        };
        let body = if is_text { fields.get("body") } else { None };
        fields.finish()?;
        let body_html = String::new();
        Ok(Self { entry: Entry { id, locale, slug, published_at, body_html, data }, body })
    }
}

fn data(kind: EntryKind, fields: &mut Fields<'_>) -> EntryData {
    match kind {
        EntryKind::News => EntryData::News(NewsArticle::read(fields)),
        EntryKind::NewsTab => EntryData::NewsTab(NewsTab::read(fields)),
        EntryKind::NewsFlash => EntryData::NewsFlash(FlashNews::read(fields)),
        EntryKind::NewsVideo => EntryData::NewsVideo(NewsVideo::read(fields)),
        EntryKind::Stock => EntryData::Stock(Stock::read(fields)),
        EntryKind::CollegeCategory => {
            let group = group(fields);
            let slug: String = fields.get_or_default("slug");
            if group.parent != 0 || !slug.is_empty() {
                fields.refuse("slug", "a category has no slug and no parent");
            }
            EntryData::CollegeCategory(group)
        }
        EntryKind::CollegeCourse => EntryData::CollegeCourse(Course::read(fields)),
        EntryKind::CollegeArticle => {
            let course = fields.id("courseId");
            EntryData::CollegeArticle(article(fields, course))
        }
        EntryKind::CompanyArticle => {
            fields.refuse_parent("courseId", "a company article has no course");
            EntryData::CompanyArticle(article(fields, 0))
        }
        EntryKind::CollegeVideo => EntryData::CollegeVideo(CollegeVideo::read(fields)),
        EntryKind::HelpChannel => EntryData::HelpChannel(group(fields)),
        EntryKind::HelpDocument => {
            let channel = fields.id("channelId");
            EntryData::HelpDocument(document(fields, channel))
        }
        EntryKind::LegalDocument => {
            fields.refuse_parent("channelId", "a legal document has no channel");
            EntryData::LegalDocument(document(fields, 0))
        }
        EntryKind::SeoInfo => EntryData::SeoInfo(seo_info(fields)),
        EntryKind::SearchSynonyms => EntryData::SearchSynonyms(Synonyms::read(fields)),
        EntryKind::ImageBanner => EntryData::ImageBanner(Banner::read(fields)),
    }
}

/// The name in URLs, or the path of a page; empty for kinds that have none.
fn slug(kind: EntryKind, fields: &mut Fields<'_>) -> String {
    match kind {
        EntryKind::CollegeCourse
        | EntryKind::CollegeArticle
        | EntryKind::CompanyArticle
        | EntryKind::HelpChannel
        | EntryKind::HelpDocument
        | EntryKind::LegalDocument => fields.slug(),
        EntryKind::SeoInfo => {
            let path = fields.line("path", MAX_PATH);
            if !path.starts_with('/') || path.contains(['?', '#', '\\']) || path.contains("//") {
                fields.refuse("path", "is no path of the site");
            }
            path
        }
        _ => String::new(),
    }
}

/// A category or channel.
fn group(fields: &mut Fields<'_>) -> Group {
    const DESCRIPTION: [&str; 3] = ["description", "descriptionEn", "descriptionSa"];
    Group {
        parent: fields.get_or_default("parentId"),
        position: fields.get_or_default("position"),
        name: fields.named(NAME),
        description: fields.bilingual(DESCRIPTION, MAX_SUMMARY),
    }
}

/// The title and description of a page.
fn seo_info(fields: &mut Fields<'_>) -> Group {
    let name = fields.line_in_both("titleEn", "titleSa", MAX_TITLE);
    let description = Bilingual {
        en: fields.optional("descriptionEn", MAX_SUMMARY),
        sa: fields.optional("descriptionSa", MAX_SUMMARY),
    };
    Group { name, description, ..Group::default() }
}

/// An article of a course or of the company.
fn article(fields: &mut Fields<'_>, parent: u64) -> Text {
    Text {
        parent,
        position: fields.get_or_default("position"),
        author: fields.optional("author", MAX_NAME),
        ..fields.text()
    }
}

/// A help or legal document.
fn document(fields: &mut Fields<'_>, parent: u64) -> Text {
    Text {
        parent,
        position: fields.get_or_default("position"),
        common: fields.get_or_default("common"),
        keywords: fields.lines("keywords", MAX_KEYWORDS, MAX_NAME),
        updated_at: fields.time("updatedAt"),
        effective_at: fields.optional_time("effectiveAt"),
        ..fields.text()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::{MAX_ID, media::any_files::AnyFiles};

    fn parsed(json: &str) -> Result<Entry, String> {
        let values: FieldValues = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let record = Record::read(values, "record", |_| true, &mut AnyFiles);
        record.map(|record| record.entry).map_err(|error| error.key)
    }

    #[test]
    fn misspelt_and_missing_keys_are_named() {
        let message = |json: &str| {
            let values = serde_json::from_str(json).unwrap();
            Record::read(values, "record", |_| true, &mut AnyFiles).map(|_| ()).unwrap_err().message
        };
        let misspelt = message(r#"{"kind":"news-tab","id":1,"nam":"All"}"#);
        let known = "`kind`, `name`, `nameSa`, `market`, `position`, `id`";
        assert_eq!(misspelt, format!("unknown field `nam`, expected one of {known}"));
        assert_eq!(message(r#"{"kind":"news-tab","id":1}"#), "missing field `name`");
        assert_eq!(message(r#"{"kind":"news-tab","name":"A"}"#), "missing field `id`");
        assert_eq!(message(r#"{"name":"A"}"#), "missing field `kind`");
        assert_eq!(message(r#"{"kind":"tab"}"#), "kind: \"tab\" is no kind of record");
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
            "news" => json!({
                "id": 1001, "locale": "en-us", "market": "us", "title": "Title",
                "summary": "One\nsentence.", "publishedAt": "2026-11-20T09:00:00+03:00",
            }),
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
            ("news", "id", json!(0), "id"),
            ("news", "id", json!(MAX_ID + 1), "id"),
            ("news", "locale", json!("en"), "locale"),
            ("news", "market", json!("tokyo"), "market"),
            ("news", "title", json!(" \n "), "title"),
            ("news", "title", long(201), "title"),
            ("news", "title", json!("nul\0"), "title"),
            ("news", "summary", json!(""), "summary"),
            ("news", "publishedAt", json!(0), "publishedAt"),
            ("news", "author", long(121), "author"),
            ("news", "image", json!("a.svg"), "image"),
            ("news", "imageAlt", json!("a"), "imageAlt"),
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

    #[test]
    fn valid_article_becomes_an_entry() {
        let entry = parsed(&right("news").to_string()).unwrap();
        assert_eq!(entry.published_at, 1_795_154_400);
        assert_eq!(entry.text().unwrap().summary, "One sentence.");
        let EntryData::News(article) = entry.data else { panic!("no article") };
        assert_eq!(article.image, None);
    }

    proptest! {
        #[test]
        fn title_whitespace_is_normalised(title: String) {
            let mut record = right("news");
            record["title"] = title.into();
            if let Ok(entry) = parsed(&record.to_string()) {
                let title = &entry.text().unwrap().title;
                prop_assert!(!title.is_empty());
                prop_assert!(!title.chars().any(char::is_control));
                prop_assert!(!title.contains("  ") && title.trim_matches(' ') == title);
            }
        }
    }
}

#[cfg(test)]
mod file_tests {
    #![allow(clippy::unwrap_used)]
    use crate::domain::{EntryData, EntryKind, FieldValues, Record, media::any_files::AnyFiles};

    fn parsed(json: &str) -> Result<EntryData, String> {
        let values: FieldValues = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let record = Record::read(values, "record", |_| true, &mut AnyFiles);
        record.map(|record| record.entry.data).map_err(|error| error.key)
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
