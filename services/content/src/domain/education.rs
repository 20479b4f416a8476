//! Courses and their videos.
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{
    Bilingual, Picture, Playback,
    fields::{Fields, MAX_SUMMARY, NAME, SUMMARY},
    is_id,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    pub category: u64,
    /// Position in its category.
    pub position: u32,
    pub level: Level,
    pub hot: bool,
    pub name: Bilingual,
    /// One or two sentences.
    pub summary: Bilingual,
    pub picture: Option<Picture>,
}

/// The level that a course requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    #[default]
    Beginner,
    Intermediate,
    Advanced,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CollegeVideo {
    /// Id of its course; 0 for none.
    pub course: u64,
    /// Id of its article within the course; 0 if it belongs to the course as a whole.
    pub article: u64,
    /// Position among the videos of its course or article.
    pub position: u32,
    pub name: Bilingual,
    #[serde(rename = "clip")]
    pub playback: Playback,
    /// Whether it is sample content.
    pub sample: bool,
}

impl Course {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        Self {
            category: fields.id("categoryId"),
            position: fields.get_or_default("position"),
            level: fields.required("level").unwrap_or_default(),
            hot: fields.get_or_default("hot"),
            name: fields.named(NAME),
            summary: fields.bilingual(SUMMARY, MAX_SUMMARY),
            picture: fields.picture("image"),
        }
    }
}

impl CollegeVideo {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let video = Self {
            course: fields.get_or_default("courseId"),
            article: fields.get_or_default("articleId"),
            position: fields.get_or_default("position"),
            name: fields.named(NAME),
            playback: fields.object("clip", Playback::read),
            sample: fields.get_or_default("sample"),
        };
        if video.article > 0 && !is_id(video.course) {
            fields.refuse("courseId", "is needed for a video of an article");
        }
        video
    }
}
