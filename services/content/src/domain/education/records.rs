//! Records of courses, articles and videos as authors write them.
use serde::Deserialize;

use crate::domain::{
    Bilingual, CollegeVideo, Course, Entry, EntryData, FieldError, Level, RecordFiles, Text,
    media::PlaybackRecord,
    record_fields::{
        MAX_NAME, MAX_SUMMARY, MAX_TITLE, NAME, bilingual, either, id, id_of, line, locale, named,
        optional, picture, slug,
    },
    written_time::WrittenTime,
};

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CourseRecord {
    pub(crate) id: u64,
    pub(crate) slug: String,
    pub(crate) category_id: u64,
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

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ArticleRecord {
    pub(crate) id: u64,
    locale: String,
    pub(crate) slug: String,
    /// College articles only.
    #[serde(default)]
    pub(crate) course_id: u64,
    #[serde(default)]
    position: u32,
    title: String,
    summary: String,
    published_at: WrittenTime,
    #[serde(default)]
    author: String,
    #[serde(default)]
    sample: bool,
    pub(crate) body: Option<String>,
}

/// The record of a college video.
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
    clip: PlaybackRecord,
    published_at: WrittenTime,
    #[serde(default)]
    sample: bool,
}

impl CourseRecord {
    pub(crate) fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        let (id, slug) = (id(self.id)?, slug(&self.slug)?);
        let published_at = self.published_at.second("publishedAt")?;
        let course = Course {
            category: id_of("categoryId", self.category_id)?,
            position: self.position,
            level: self.level,
            hot: self.hot,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            summary: Bilingual {
                en: either("summary", &self.summary_en, &self.summary)?,
                sa: optional("summarySa", &self.summary_sa, MAX_SUMMARY)?,
            },
            picture: self.image.as_deref().map(|path| picture("image", path, files)).transpose()?,
        };
        Ok(bilingual(id, &slug, published_at, EntryData::CollegeCourse(course)))
    }
}

impl ArticleRecord {
    pub(crate) fn entry(
        &self,
        parent: u64,
        data: fn(Text) -> EntryData,
    ) -> Result<Entry, FieldError> {
        let text = Text {
            parent,
            position: self.position,
            title: line("title", &self.title, MAX_TITLE)?,
            summary: line("summary", &self.summary, MAX_SUMMARY)?,
            author: optional("author", &self.author, MAX_NAME)?,
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

impl VideoRecord {
    pub(crate) fn entry(&self, files: &mut dyn RecordFiles) -> Result<Entry, FieldError> {
        if self.article_id > 0 {
            id_of("courseId", self.course_id)?;
        }
        let (id, published_at) = (id(self.id)?, self.published_at.second("publishedAt")?);
        let video = CollegeVideo {
            course: self.course_id,
            article: self.article_id,
            position: self.position,
            name: named(NAME, [&self.name, &self.name_en, &self.name_sa])?,
            playback: self.clip.playback(files)?,
            sample: self.sample,
        };
        Ok(bilingual(id, "", published_at, EntryData::CollegeVideo(video)))
    }
}
