//! Conversion of the college's types to wire messages.
use sahm_proto::content::v1 as wire;

use crate::{
    domain::{CollegeVideo, Course, Entry, EntryData, Group, Level, Locale, Text},
    rpc::convert::{
        arabic, display_html, display_text, in_locale, locale, names, picture, playback,
    },
    store::{Counts, EntryRef, StoredEntry},
};

/// Slug of the research center, the course at the end of the hot entries.
pub(super) const RESEARCH_CENTER: &str = "sahm-research-center";

pub(super) fn category(entry: &Entry, group: &Group) -> wire::CollegeCategory {
    wire::CollegeCategory {
        id: entry.id,
        name: group.name.en.clone(),
        name_en: group.name.en.clone(),
        name_sa: arabic(&group.name),
        description: group.description.en.clone(),
        description_en: group.description.en.clone(),
        description_sa: arabic(&group.description),
        position: group.position,
    }
}

pub(super) fn course(entry: &Entry, course: &Course) -> wire::CollegeCourse {
    wire::CollegeCourse {
        id: entry.id,
        slug: entry.slug.clone(),
        category_id: course.category,
        name: course.name.en.clone(),
        name_en: course.name.en.clone(),
        name_sa: arabic(&course.name),
        summary: course.summary.en.clone(),
        summary_en: course.summary.en.clone(),
        summary_sa: arabic(&course.summary),
        level: level(course.level).to_owned(),
        hot: course.hot,
        image: course.picture.as_ref().map(picture),
        published_at: entry.published_at,
        position: course.position,
    }
}

pub(super) fn categories(entries: &[Entry]) -> Vec<wire::CollegeCategory> {
    entries.iter().filter_map(|entry| Some(category(entry, entry.group()?))).collect()
}

pub(super) fn courses(entries: &[Entry]) -> Vec<wire::CollegeCourse> {
    entries.iter().filter_map(|entry| Some(course(entry, entry.course()?))).collect()
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Beginner => "beginner",
        Level::Intermediate => "intermediate",
        Level::Advanced => "advanced",
    }
}

pub(super) fn videos(entries: &[Entry]) -> Vec<wire::CollegeVideo> {
    let video = |entry: &Entry| match &entry.data {
        EntryData::CollegeVideo(found) => Some(video(entry, found)),
        _ => None,
    };
    entries.iter().filter_map(video).collect()
}

pub(super) fn video(entry: &Entry, video: &CollegeVideo) -> wire::CollegeVideo {
    wire::CollegeVideo {
        id: entry.id,
        name: video.name.en.clone(),
        name_en: video.name.en.clone(),
        name_sa: arabic(&video.name),
        address: video.playback.address().to_owned(),
        duration: video.playback.duration,
        course_id: video.course,
        published_at: entry.published_at,
        playback: Some(playback(&video.playback)),
        article_id: video.article,
        sample: video.sample,
    }
}

pub(super) fn summary(
    entry: &Entry,
    text: &Text,
    category_id: u64,
    counts: Counts,
) -> wire::CollegeArticleSummary {
    wire::CollegeArticleSummary {
        id: entry.id,
        slug: entry.slug.clone(),
        locale: locale(entry),
        kind: entry.kind().as_str().to_owned(),
        title: display_text(&text.title, entry),
        summary: display_text(&text.summary, entry),
        course_id: text.parent,
        category_id,
        published_at: entry.published_at,
        author: text.author.clone(),
        reading_minutes: text.reading_minutes,
        sample: text.sample,
        read_count: counts.reads,
        like_count: counts.likes,
    }
}

pub(crate) fn article(
    held: &StoredEntry,
    text: &Text,
    category_id: u64,
    counts: Counts,
) -> wire::CollegeArticle {
    let entry = &held.entry;
    wire::CollegeArticle {
        id: entry.id,
        slug: entry.slug.clone(),
        locale: locale(entry),
        kind: entry.kind().as_str().to_owned(),
        title: display_text(&text.title, entry),
        summary: display_text(&text.summary, entry),
        body_html: display_html(entry),
        course_id: text.parent,
        category_id,
        published_at: entry.published_at,
        updated_at: held.updated_at,
        author: text.author.clone(),
        reading_minutes: text.reading_minutes,
        sample: text.sample,
        read_count: counts.reads,
        like_count: counts.likes,
        available_locales: names(&held.available_locales),
    }
}

pub(super) fn article_ref(found: EntryRef) -> wire::CollegeArticleRef {
    wire::CollegeArticleRef {
        id: found.entry.id,
        kind: found.entry.kind().as_str().to_owned(),
        slug: found.entry.slug,
        available_locales: names(&found.available_locales),
        updated_at: found.updated_at,
    }
}

/// A course in the navigation; the research center opens in a new tab.
pub(super) fn course_vo(entry: &Entry, course: &Course) -> wire::CollegeCourseVo {
    wire::CollegeCourseVo {
        id: entry.id,
        slug: entry.slug.clone(),
        name: course.name.en.clone(),
        name_en: course.name.en.clone(),
        name_sa: arabic(&course.name),
        category_id: course.category,
        link: format!("{}?pageFrom=2", course_link(entry, course)),
        hot: course.hot,
        external: entry.slug == RESEARCH_CENTER,
        seo_url: entry.slug.clone(),
    }
}

pub(super) fn navigation_vo(
    entry: &Entry,
    group: &Group,
    courses: &[Entry],
) -> wire::CollegeNavigationVo {
    let of_group = courses.iter().filter_map(|found| Some((found, found.course()?)));
    let of_group = of_group.filter(|(_, course)| course.category == entry.id);
    wire::CollegeNavigationVo {
        id: entry.id,
        name: group.name.en.clone(),
        name_en: group.name.en.clone(),
        name_sa: arabic(&group.name),
        link: category_link(entry.id),
        course_vo_list: of_group.map(|(found, course)| course_vo(found, course)).collect(),
        category_id: entry.id,
        category_name: group.name.en.clone(),
        category_name_en: group.name.en.clone(),
        category_name_sa: arabic(&group.name),
    }
}

pub(super) fn category_link(id: u64) -> String {
    format!("/education/category/{id}")
}

pub(super) fn course_link(entry: &Entry, course: &Course) -> String {
    format!("/education/course/{}/{}", entry.slug, course.category)
}

/// A breadcrumb of an entry, in the requested locale.
pub(super) fn step(entry: &Entry, parents: (u64, u64), requested: Locale) -> wire::CollegeStep {
    let of = |name| in_locale(name, requested);
    let (category, course) = parents;
    let (kind, name, link) = match &entry.data {
        EntryData::CollegeCategory(group) => ("category", of(&group.name), category_link(entry.id)),
        EntryData::CollegeCourse(course) => {
            ("course", of(&course.name), course_link(entry, course))
        }
        EntryData::CompanyArticle(text) => (
            "company-article",
            display_text(&text.title, entry),
            format!("/company-news/detail/{}", entry.slug),
        ),
        _ => (
            "article",
            entry.text().map(|text| display_text(&text.title, entry)).unwrap_or_default(),
            format!("/education/article/{}/{category}/{course}", entry.slug),
        ),
    };
    wire::CollegeStep { id: entry.id, kind: kind.to_owned(), name, link }
}
