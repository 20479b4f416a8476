//! What there is to learn: modules, courses, navigation.
use sahm_chassis::{Error, Result, cursor};
use sahm_proto::content::v1 as wire;

use super::{CollegeCalls, GROUP_MAX, MISSING, holds};
use crate::{
    domain::{Entry, EntryKind, Locale, Name, PAGE_SIZE, lists},
    rpc::{asked, college_convert as convert},
};

/// How many courses a module shows.
const MODULE_COURSES: usize = 4;
/// How many articles the home page shows.
const LATEST: u32 = 8;
/// The most articles that come with a course.
const COURSE_ARTICLES: u32 = 200;

impl CollegeCalls {
    pub(super) async fn modules(&self) -> Result<Vec<wire::CollegeModule>> {
        let courses = self.all_courses().await?;
        let module = |entry: &Entry| {
            let of_category = courses
                .iter()
                .filter(|course| course.course().is_some_and(|course| course.category == entry.id));
            let first: Vec<Entry> = of_category.take(MODULE_COURSES).cloned().collect();
            Some(wire::CollegeModule {
                id: entry.id,
                category: Some(convert::category(entry, entry.group()?)),
                courses: convert::courses(&first),
            })
        };
        Ok(self.categories().await?.iter().filter_map(module).collect())
    }

    async fn research_centre(&self) -> Result<Option<Entry>> {
        let name = Name::Slug(convert::RESEARCH_CENTRE.to_owned());
        let Some(id) = self.store.entry_id(EntryKind::CollegeCourse, &name).await? else {
            return Ok(None);
        };
        let found =
            self.store.entry(EntryKind::CollegeCourse, id, Locale::EnUs, self.clock.now()).await?;
        Ok(found.map(|held| held.entry))
    }

    pub(super) async fn home(&self, asked: wire::GetHomeRequest) -> Result<wire::GetHomeResponse> {
        let (locale, now) = (Locale::asked(&asked.locale), self.clock.now());
        let latest = self
            .store
            .entries(EntryKind::CollegeArticle, lists::ARTICLES, Some(locale), None, LATEST, now)
            .await?;
        let hot = self.listed(EntryKind::CollegeCourse, lists::HOT, GROUP_MAX).await?;
        let courses = self.listed(EntryKind::CollegeCourse, lists::COURSES, 1).await?;
        let changes = [latest.next_change_at, courses.next_change_at];
        let centre = self.research_centre().await?;
        Ok(wire::GetHomeResponse {
            modules: self.modules().await?,
            hot_courses: convert::courses(&hot.items),
            research_centre: centre
                .as_ref()
                .and_then(|entry| Some(convert::course(entry, entry.course()?))),
            latest_articles: self.summaries(&latest.items).await?,
            next_change_at: changes.into_iter().flatten().min().unwrap_or(0),
        })
    }

    pub(super) async fn navigation(&self) -> Result<wire::GetNavigationResponse> {
        let (categories, courses) = (self.categories().await?, self.all_courses().await?);
        let hot = self.listed(EntryKind::CollegeCourse, lists::HOT, GROUP_MAX).await?.items;
        let centre = self.research_centre().await?;
        let others = hot.iter().filter(|entry| entry.slug != convert::RESEARCH_CENTRE);
        let vo = |entry: &Entry| Some(convert::course_vo(entry, entry.course()?));
        Ok(wire::GetNavigationResponse {
            navigation_vo_list: categories
                .iter()
                .filter_map(|entry| Some(convert::navigation_vo(entry, entry.group()?, &courses)))
                .collect(),
            hot_vo_list: others.chain(&centre).filter_map(vo).collect(),
        })
    }

    pub(super) async fn courses(
        &self,
        asked: wire::ListCoursesRequest,
    ) -> Result<wire::ListCoursesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let list = match asked.category_id {
            0 => lists::COURSES.to_owned(),
            id => {
                self.known_category(id).await?;
                lists::category(id)
            }
        };
        let (after, now) = (cursor::decode(&list, &asked.cursor)?, self.clock.now());
        let page =
            self.store.entries(EntryKind::CollegeCourse, &list, None, after, size, now).await?;
        Ok(wire::ListCoursesResponse {
            items: convert::courses(&page.items),
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    pub(super) async fn category(&self, id: u64) -> Result<wire::GetCategoryResponse> {
        asked::needed("id", id)?;
        let entry = self.held(EntryKind::CollegeCategory, &Name::Id(id), Locale::EnUs).await?.entry;
        let category = entry.group().map(|group| convert::category(&entry, group));
        Ok(wire::GetCategoryResponse { category })
    }

    pub(super) async fn list_videos(
        &self,
        asked: wire::ListCollegeVideosRequest,
    ) -> Result<wire::ListCollegeVideosResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let now = self.clock.now();
        let of_course = match asked::optional_name(&asked.course_id, MISSING)? {
            None => None,
            Some(name) => {
                Some(self.held(EntryKind::CollegeCourse, &name, Locale::EnUs).await?.entry.id)
            }
        };
        let list = of_course.map_or_else(|| "course-videos".to_owned(), lists::course_videos);
        let after = cursor::decode(&list, &asked.cursor)?;
        let page = match of_course {
            None => self.store.entries_by_kind(EntryKind::CollegeVideo, after, size, now).await?,
            Some(_) => {
                self.store.entries(EntryKind::CollegeVideo, &list, None, after, size, now).await?
            }
        };
        Ok(wire::ListCollegeVideosResponse {
            items: convert::videos(&page.items),
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    pub(super) async fn course(
        &self,
        asked: wire::GetCourseRequest,
    ) -> Result<wire::GetCourseResponse> {
        let name = asked::name("course_id", &asked.course_id, MISSING)?;
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(EntryKind::CollegeCourse, &name, locale).await?.entry;
        let course = entry.course().ok_or_else(|| Error::of(MISSING))?;
        holds(asked.category_id, course.category)?;
        let list = lists::course(entry.id);
        let page = self
            .store
            .entries(
                EntryKind::CollegeArticle,
                &list,
                Some(locale),
                None,
                COURSE_ARTICLES,
                self.clock.now(),
            )
            .await?;
        let (videos, next_video) = self.videos(&lists::course_videos(entry.id)).await?;
        let changes = [page.next_change_at, next_video];
        Ok(wire::GetCourseResponse {
            course: Some(convert::course(&entry, course)),
            articles: self.summaries(&page.items).await?,
            next_change_at: changes.into_iter().flatten().min().unwrap_or(0),
            videos,
        })
    }
}
