//! Categories, courses, their lessons, and videos.
use sahm_chassis::{Result, cursor};
use sahm_proto::content::v1 as wire;

use super::{MAX_GROUP, MISSING, convert};
use crate::{
    domain::{Entry, EntryKind, IdOrSlug, Locale, PAGE_SIZE, lists},
    rpc::{
        entries::{ContentRpc, FromEntry, ListPage, items},
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

    /// A page of the videos of one course or of all courses.
    pub(super) async fn video_page(
        &self,
        request: wire::ListCollegeVideosRequest,
    ) -> Result<ListPage> {
        let (kind, cursor) = (EntryKind::CollegeVideo, &request.cursor);
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        if let Some(name) = validate::optional_id_or_slug(&request.course_id, MISSING)? {
            let course = self.find(EntryKind::CollegeCourse, &name, Locale::EnUs).await?.entry.id;
            return self.page(kind, &lists::course_videos(course), None, size, cursor).await;
        }
        let list = "course-videos";
        let (after, now) = (cursor::decode(list, cursor)?, self.clock.now());
        let page = self.store.entries_by_kind(kind, after, size, now).await?;
        Ok(ListPage::of(list, page))
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
        let (store, now) = (&self.store, self.clock.now());
        let Some(id) = store.entry_id(EntryKind::CollegeCourse, &name).await? else {
            return Ok(None);
        };
        let found = store.entry(EntryKind::CollegeCourse, id, Locale::EnUs, now).await?;
        Ok(found.map(|found| found.entry))
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
}
