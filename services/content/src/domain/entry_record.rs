//! Records of the college, the help centre and the search as authors write them, and what makes
//! one acceptable.
use serde::Deserialize;

use super::{
    Bilingual, Course, Entry, EntryData, Fault, FilesAsk, Group, Level, Synonyms, Text, is_slug,
    news_entry_record::{BannerRecord, FlashRecord, NewsVideoRecord, StockRecord, VideoRecord},
    record_fields::{
        NAME, NAME_MAX, PATH_MAX, SUMMARY_MAX, TITLE_MAX, bilingual, either, fault, id, id_for,
        id_of, line, locale, named, optional,
    },
    written_time::WrittenTime,
};

const KEYWORDS_MAX: usize = 20;
const TERMS_MAX: usize = 20;

/// A record of one of these kinds; a text's `body` is Markdown, or follows the front matter.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EntryRecord {
    /// A category of the college.
    CollegeCategory(GroupRecord),
    /// A course.
    CollegeCourse(CourseRecord),
    /// An article of a course.
    CollegeArticle(ArticleRecord),
    /// An article about the company.
    CompanyArticle(ArticleRecord),
    /// A video of a course.
    CollegeVideo(VideoRecord),
    /// A channel of the help centre.
    HelpChannel(GroupRecord),
    /// A document of a channel.
    HelpDocument(DocumentRecord),
    /// A legal document.
    LegalDocument(DocumentRecord),
    /// Title and description of a page.
    SeoInfo(SeoRecord),
    /// Words that a search takes for one another.
    SearchSynonyms(SynonymsRecord),
    /// Flash news.
    NewsFlash(FlashRecord),
    /// A video of the news page.
    NewsVideo(NewsVideoRecord),
    /// A banner.
    ImageBanner(BannerRecord),
    /// A security.
    Stock(StockRecord),
}

/// A category or channel, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupRecord {
    id: u64,
    /// Of channels; 0: a top channel.
    #[serde(default)]
    parent_id: u64,
    /// Of channels.
    #[serde(default)]
    slug: String,
    #[serde(default)]
    position: u32,
    name: String,
    #[serde(default)]
    name_en: String,
    #[serde(default)]
    name_sa: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    description_en: String,
    #[serde(default)]
    description_sa: String,
}

/// A course, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CourseRecord {
    id: u64,
    slug: String,
    category_id: u64,
    #[serde(default)]
    position: u32,
    level: Level,
    #[serde(default)]
    hot: bool,
    name: String,
    #[serde(default)]
    name_en: String,
    #[serde(default)]
    name_sa: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    summary_en: String,
    #[serde(default)]
    summary_sa: String,
    image: Option<String>,
    published_at: WrittenTime,
}

/// An article, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ArticleRecord {
    id: u64,
    locale: String,
    slug: String,
    /// Of college articles only.
    #[serde(default)]
    course_id: u64,
    #[serde(default)]
    position: u32,
    title: String,
    summary: String,
    published_at: WrittenTime,
    #[serde(default)]
    author: String,
    #[serde(default)]
    sample: bool,
    body: Option<String>,
}

/// A help or legal document, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentRecord {
    id: u64,
    locale: String,
    slug: String,
    /// Of help documents only.
    #[serde(default)]
    channel_id: u64,
    #[serde(default)]
    position: u32,
    #[serde(default)]
    common: bool,
    title: String,
    summary: String,
    updated_at: WrittenTime,
    /// Of legal documents.
    effective_at: Option<WrittenTime>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    sample: bool,
    body: Option<String>,
}

/// Title and description of a page, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeoRecord {
    path: String,
    title_en: String,
    #[serde(default)]
    title_sa: String,
    #[serde(default)]
    description_en: String,
    #[serde(default)]
    description_sa: String,
}

/// Words that a search takes for one another, as written. The first of them names the group.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SynonymsRecord {
    locale: String,
    terms: Vec<String>,
}

impl EntryRecord {
    /// The text in Markdown, where the record itself holds it.
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::CollegeArticle(record) | Self::CompanyArticle(record) => record.body.as_deref(),
            Self::HelpDocument(record) | Self::LegalDocument(record) => record.body.as_deref(),
            _ => None,
        }
    }

    /// The files that it asks for.
    pub fn files(&self) -> Result<Option<FilesAsk>, Fault> {
        Ok(Some(match self {
            Self::CollegeCourse(CourseRecord { image: Some(path), .. }) => {
                FilesAsk::Picture(line("image", path, PATH_MAX)?)
            }
            Self::CollegeVideo(record) => FilesAsk::Clip(record.clip.files()?),
            Self::NewsVideo(record) => FilesAsk::Clip(record.clip.files()?),
            Self::ImageBanner(record) => record.files()?,
            _ => return Ok(None),
        }))
    }

    /// The entry, judged, without its body and files.
    pub fn entry(&self) -> Result<Entry, Fault> {
        match self {
            Self::CollegeCategory(record) => {
                if record.parent_id != 0 || !record.slug.is_empty() {
                    return Err(fault("slug", "a category has no slug and no parent"));
                }
                Ok(bilingual(id(record.id)?, "", 0, EntryData::CollegeCategory(record.group()?)))
            }
            Self::HelpChannel(record) => {
                let slug = slug(&record.slug)?;
                Ok(bilingual(id(record.id)?, &slug, 0, EntryData::HelpChannel(record.group()?)))
            }
            Self::CollegeCourse(record) => record.entry(),
            Self::CollegeVideo(record) => record.entry(),
            Self::CollegeArticle(record) => {
                record.entry(id_of("courseId", record.course_id)?, EntryData::CollegeArticle)
            }
            Self::CompanyArticle(record) => {
                if record.course_id != 0 {
                    return Err(fault("courseId", "a company article has no course"));
                }
                record.entry(0, EntryData::CompanyArticle)
            }
            Self::HelpDocument(record) => {
                record.entry(id_of("channelId", record.channel_id)?, EntryData::HelpDocument)
            }
            Self::LegalDocument(record) => {
                if record.channel_id != 0 {
                    return Err(fault("channelId", "a legal document has no channel"));
                }
                record.entry(0, EntryData::LegalDocument)
            }
            Self::SeoInfo(record) => record.entry(),
            Self::SearchSynonyms(record) => record.entry(),
            Self::NewsFlash(record) => record.entry(),
            Self::NewsVideo(record) => record.entry(),
            Self::ImageBanner(record) => record.entry(),
            Self::Stock(record) => record.entry(),
        }
    }
}

impl GroupRecord {
    fn group(&self) -> Result<Group, Fault> {
        Ok(Group {
            parent: self.parent_id,
            position: self.position,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            description: Bilingual {
                en: either("description", &self.description_en, &self.description)?,
                sa: optional("descriptionSa", &self.description_sa, SUMMARY_MAX)?,
            },
        })
    }
}

impl CourseRecord {
    fn entry(&self) -> Result<Entry, Fault> {
        let course = Course {
            category: id_of("categoryId", self.category_id)?,
            position: self.position,
            level: self.level,
            hot: self.hot,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            summary: Bilingual {
                en: either("summary", &self.summary_en, &self.summary)?,
                sa: optional("summarySa", &self.summary_sa, SUMMARY_MAX)?,
            },
            picture: None,
        };
        let published_at = self.published_at.second("publishedAt")?;
        Ok(bilingual(
            id(self.id)?,
            &slug(&self.slug)?,
            published_at,
            EntryData::CollegeCourse(course),
        ))
    }
}

impl ArticleRecord {
    fn entry(&self, parent: u64, data: fn(Text) -> EntryData) -> Result<Entry, Fault> {
        let text = Text {
            parent,
            position: self.position,
            title: line("title", &self.title, TITLE_MAX)?,
            summary: line("summary", &self.summary, SUMMARY_MAX)?,
            author: optional("author", &self.author, NAME_MAX)?,
            sample: self.sample,
            ..Text::default()
        };
        Ok(Entry {
            id: id(self.id)?,
            locale: Some(locale(&self.locale)?),
            slug: slug(&self.slug)?,
            published_at: self.published_at.second("publishedAt")?,
            body_html: String::new(),
            data: data(text),
        })
    }
}

impl DocumentRecord {
    fn entry(&self, parent: u64, data: fn(Text) -> EntryData) -> Result<Entry, Fault> {
        if self.keywords.len() > KEYWORDS_MAX {
            return Err(fault("keywords", format!("are more than {KEYWORDS_MAX}")));
        }
        let keywords = self.keywords.iter().map(|word| line("keywords", word, NAME_MAX));
        let effective_at = match &self.effective_at {
            Some(time) => time.second("effectiveAt")?,
            None => 0,
        };
        let text = Text {
            parent,
            position: self.position,
            title: line("title", &self.title, TITLE_MAX)?,
            summary: line("summary", &self.summary, SUMMARY_MAX)?,
            sample: self.sample,
            common: self.common,
            keywords: keywords.collect::<Result<_, _>>()?,
            updated_at: self.updated_at.second("updatedAt")?,
            effective_at,
            ..Text::default()
        };
        Ok(Entry {
            id: id(self.id)?,
            locale: Some(locale(&self.locale)?),
            slug: slug(&self.slug)?,
            published_at: 0,
            body_html: String::new(),
            data: data(text),
        })
    }
}

impl SeoRecord {
    fn entry(&self) -> Result<Entry, Fault> {
        let path = line("path", &self.path, PATH_MAX)?;
        if !path.starts_with('/') || path.contains(['?', '#', '\\']) || path.contains("//") {
            return Err(fault("path", "is no path of the site"));
        }
        let group = Group {
            name: Bilingual {
                en: line("titleEn", &self.title_en, TITLE_MAX)?,
                sa: optional("titleSa", &self.title_sa, TITLE_MAX)?,
            },
            description: Bilingual {
                en: optional("descriptionEn", &self.description_en, SUMMARY_MAX)?,
                sa: optional("descriptionSa", &self.description_sa, SUMMARY_MAX)?,
            },
            ..Group::default()
        };
        Ok(bilingual(id_for(&path), &path, 0, EntryData::SeoInfo(group)))
    }
}

impl SynonymsRecord {
    fn entry(&self) -> Result<Entry, Fault> {
        let locale = locale(&self.locale)?;
        if !(2..=TERMS_MAX).contains(&self.terms.len()) {
            return Err(fault("terms", format!("are not 2 to {TERMS_MAX}")));
        }
        let terms = self.terms.iter().map(|term| line("terms", term, NAME_MAX));
        let terms = terms.collect::<Result<Vec<_>, _>>()?;
        let id = id_for(&format!("{} {}", locale.as_str(), terms[0]));
        let synonyms = Synonyms { locale: locale.as_str().to_owned(), terms };
        Ok(bilingual(id, "", 0, EntryData::SearchSynonyms(synonyms)))
    }
}

fn slug(text: &str) -> Result<String, Fault> {
    is_slug(text).then(|| text.to_owned()).ok_or_else(|| {
        fault("slug", "is not 1 to 80 of a-z, 0-9 and hyphen, with a letter among them")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;
    use crate::domain::Locale;

    fn judged(json: &str) -> Result<Entry, String> {
        let record: EntryRecord = serde_json::from_str(json).map_err(|error| error.to_string())?;
        record.entry().map_err(|fault| fault.key.to_owned())
    }

    #[test]
    fn good_records() {
        let course = judged(
            r#"{"kind":"college-course","id":101,"slug":"first-steps","categoryId":1,"level":"beginner","name":"First","nameSa":"أول","publishedAt":"2026-10-05T09:00:00+03:00"}"#,
        )
        .unwrap();
        assert_eq!((course.id, course.slug.as_str(), course.locale), (101, "first-steps", None));
        assert_eq!(course.course().unwrap().name.en, "First");
        let seo = judged(r#"{"kind":"seo-info","path":"/support","titleEn":"Help"}"#).unwrap();
        assert_eq!((seo.id, seo.slug.as_str()), (id_for("/support"), "/support"));
        assert!(seo.id < 1 << 53);
        let legal = judged(
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
            assert_eq!(judged(json).unwrap_err(), key, "{json}");
        }
    }

    /// A record of each kind whose fields the table below changes one at a time.
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

    /// Takes the record as it is, then with the field set: the key that is refused, if any.
    fn refused(kind: &str, field: &str, value: &Value) -> Option<String> {
        let mut record = right(kind);
        assert!(judged(&record.to_string()).is_ok(), "{record}");
        record[field] = value.clone();
        judged(&record.to_string()).err()
    }

    #[test]
    fn each_field_is_refused_by_its_name() {
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
