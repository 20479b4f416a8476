//! Conversion of the college's types to wire messages.
use sahm_proto::content::v1 as wire;

use crate::{
    domain::{Course, Entry, EntryData, Group, Locale, Text},
    rpc::{
        convert::{
            arabic, display_html, display_text, in_locale, locale, names, picture, playback,
        },
        entries::FromEntry,
    },
    store::{Counts, StoredEntry},
};

/// Slug of the research center, the course at the end of the hot entries.
pub(super) const RESEARCH_CENTER: &str = "sahm-research-center";

impl FromEntry for wire::CollegeCategory {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let group = entry.group()?;
        Some(Self {
            id: entry.id,
            name: group.name.en.clone(),
            name_en: group.name.en.clone(),
            name_sa: arabic(&group.name),
            description: group.description.en.clone(),
            description_en: group.description.en.clone(),
            description_sa: arabic(&group.description),
            position: group.position,
        })
    }
}

impl FromEntry for wire::CollegeCourse {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let course = entry.course()?;
        Some(Self {
            id: entry.id,
            slug: entry.slug.clone(),
            category_id: course.category,
            name: course.name.en.clone(),
            name_en: course.name.en.clone(),
            name_sa: arabic(&course.name),
            summary: course.summary.en.clone(),
            summary_en: course.summary.en.clone(),
            summary_sa: arabic(&course.summary),
            level: <&str>::from(course.level).to_owned(),
            hot: course.hot,
            image: course.picture.as_ref().map(picture),
            published_at: entry.published_at,
            position: course.position,
        })
    }
}

impl FromEntry for wire::CollegeVideo {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let EntryData::CollegeVideo(video) = &entry.data else { return None };
        Some(Self {
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
        })
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

pub(super) fn article_ref(found: StoredEntry) -> wire::CollegeArticleRef {
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
