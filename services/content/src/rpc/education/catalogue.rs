//! Categories, courses and their lessons, articles, and videos.
use std::collections::HashMap;

use sahm_chassis::{Error, Result};
use sahm_proto::content::v1 as wire;

use super::{MAX_GROUP, MISSING, convert, require_parent};
use crate::{
    domain::{Entry, EntryKind, IdOrSlug, Locale, lists},
    rpc::{
        entries::{ContentRpc, FromEntry, items},
        validate,
    },
};

const MODULE_COURSES: usize = 4;
/// Maximum number of lessons counted per page, over all its courses.
const MAX_LESSONS: u32 = 1_000;
/// Maximum number of videos returned with a course or article.
const MAX_VIDEOS: u32 = 50;

impl ContentRpc {
    pub(super) async fn categories(&self) -> Result<Vec<Entry>> {
        let (kind, list) = (EntryKind::CollegeCategory, lists::CATEGORIES);
        Ok(self.first(kind, list, None, MAX_GROUP).await?.items)
    }

    pub(super) async fn courses(&self, list: &str) -> Result<Vec<Entry>> {
        Ok(self.first(EntryKind::CollegeCourse, list, None, MAX_GROUP).await?.items)
    }

    /// The courses of all categories, in display order within each.
    pub(super) async fn all_courses(&self) -> Result<Vec<Entry>> {
        let now = self.clock.now();
        let mut courses = self.store.all_of(EntryKind::CollegeCourse, now).await?;
        courses.sort_by_key(|entry| (entry.course().map(|course| course.position), entry.id));
        Ok(courses)
    }

    /// Refuses a category that does not exist.
    pub(super) async fn require_category(&self, id: u64) -> Result<()> {
        self.find(EntryKind::CollegeCategory, &IdOrSlug::Id(id), Locale::EnUs).await.map(drop)
    }

    /// The videos of a list, and the time of the next publication in it.
    pub(super) async fn videos(
        &self,
        list: &str,
    ) -> Result<(Vec<wire::CollegeVideo>, Option<u32>)> {
        let page = self.first(EntryKind::CollegeVideo, list, None, MAX_VIDEOS).await?;
        Ok((items(&page.items), page.next_change_at))
    }

    pub(super) async fn modules(&self) -> Result<Vec<wire::CollegeModule>> {
        let courses = self.all_courses().await?;
        let module = |entry: &Entry| {
            let of_category = courses
                .iter()
                .filter(|course| course.course().is_some_and(|course| course.category == entry.id));
            let first: Vec<Entry> = of_category.take(MODULE_COURSES).cloned().collect();
            Some(wire::CollegeModule {
                id: entry.id,
                category: Some(wire::CollegeCategory::from_entry(entry)?),
                courses: items(&first),
            })
        };
        Ok(self.categories().await?.iter().filter_map(module).collect())
    }

    pub(super) async fn research_center(&self) -> Result<Option<Entry>> {
        let name = IdOrSlug::Slug(convert::RESEARCH_CENTER.to_owned());
        match self.store.entry_id(EntryKind::CollegeCourse, &name).await? {
            Some(id) => self.by_id(EntryKind::CollegeCourse, id).await,
            None => Ok(None),
        }
    }

    /// The lessons of these courses, and the time of the next publication among them.
    pub(super) async fn lessons(
        &self,
        courses: &[u64],
        locale: Locale,
    ) -> Result<(Vec<wire::CourseLessons>, Option<u32>)> {
        let lists: Vec<String> = courses.iter().map(|id| lists::course(*id)).collect();
        let (store, now) = (&self.store, self.clock.now());
        let (kind, locale) = (EntryKind::CollegeArticle, Some(locale));
        let page = store.entries_of(kind, &lists, locale, None, MAX_LESSONS, now).await?;
        let lessons = courses.iter().map(|course| {
            let mut lessons = wire::CourseLessons { course_id: *course, ..Default::default() };
            for entry in &page.items {
                let Some(text) = entry.text().filter(|text| text.parent == *course) else {
                    continue;
                };
                lessons.article_ids.push(entry.id);
                lessons.reading_minutes += text.reading_minutes;
            }
            lessons
        });
        let lessons = lessons.filter(|lessons| !lessons.article_ids.is_empty()).collect();
        Ok((lessons, page.next_change_at))
    }

    /// The category of a course.
    pub(in crate::rpc) async fn category_of(&self, course: u64) -> Result<Option<u64>> {
        let course = self.by_id(EntryKind::CollegeCourse, course).await?;
        Ok(course.as_ref().and_then(Entry::course).map(|course| course.category))
    }

    /// The category of each of these courses.
    async fn categories_of(&self, courses: &[u64]) -> Result<HashMap<u64, u64>> {
        let found = self.by_ids(EntryKind::CollegeCourse, courses, None).await?;
        Ok(found.iter().filter_map(|entry| Some((entry.id, entry.course()?.category))).collect())
    }

    pub(super) async fn college_summaries(
        &self,
        entries: &[Entry],
    ) -> Result<Vec<wire::CollegeArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let mut parents: Vec<u64> =
            entries.iter().filter_map(|entry| Some(entry.text()?.parent)).collect();
        parents.sort_unstable();
        parents.dedup();
        let counts = self.store.counts(EntryKind::CollegeArticle, &ids).await?;
        let categories = self.categories_of(&parents).await?;
        let summary = |entry: &Entry| {
            let text = entry.text()?;
            let category = categories.get(&text.parent).copied().unwrap_or(0);
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Some(convert::summary(entry, text, category, counts))
        };
        Ok(entries.iter().filter_map(summary).collect())
    }

    /// The lists that contain the requested articles.
    pub(super) async fn article_lists(
        &self,
        request: &wire::ListCollegeArticlesRequest,
    ) -> Result<Vec<String>> {
        if request.course_id.is_empty() {
            if request.category_id == 0 {
                return Ok(vec![lists::ARTICLES.to_owned()]);
            }
            self.require_category(request.category_id).await?;
            let courses = self.courses(&lists::category(request.category_id)).await?;
            return Ok(courses.iter().map(|entry| lists::newest_of_course(entry.id)).collect());
        }
        let name = validate::id_or_slug("course_id", &request.course_id, MISSING)?;
        let id = self.id(EntryKind::CollegeCourse, &name).await?;
        let category = self.category_of(id).await?;
        require_parent(request.category_id, category.ok_or_else(|| Error::of(MISSING))?)?;
        Ok(vec![lists::course(id)])
    }

    pub(super) async fn optional_entry(
        &self,
        kind: EntryKind,
        name: Option<IdOrSlug>,
        locale: Locale,
    ) -> Result<Option<Entry>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(self.find(kind, &name, locale).await?.entry))
    }
}
