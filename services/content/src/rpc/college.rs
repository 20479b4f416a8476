use std::collections::HashMap;

use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock};
use sahm_proto::content::v1::{self as wire, college_service_server::CollegeService};
use tonic::{Request, Response, Status};

use super::{asked, college_convert as convert};
use crate::{
    domain::{Course, Entry, Head, Locale, Name, PAGE_SIZE, Shelf, lists},
    store::{ContentStore, Held, Listed, View},
};

const MISSING: ErrorCode = ErrorCode::CourseNotFound;
/// How many courses a module shows.
const MODULE_COURSES: usize = 4;
/// How many articles the home page shows.
const LATEST: u32 = 8;
/// The most articles that come with a course.
const COURSE_ARTICLES: u32 = 200;
/// The most courses of a category, and the most categories, that one answer names.
const GROUP_MAX: u32 = 200;
/// The longest video, in seconds.
const DAY: u32 = 86_400;

/// `sahm.content.v1.CollegeService`.
pub(crate) struct CollegeCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
}

impl CollegeCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
    }

    async fn listed(&self, shelf: Shelf, list: &str, size: u32) -> Result<Listed> {
        self.store.entries(shelf, list, None, None, size, self.clock.now()).await
    }

    async fn categories(&self) -> Result<Vec<Entry>> {
        Ok(self.listed(Shelf::Category, lists::CATEGORIES, GROUP_MAX).await?.items)
    }

    async fn all_courses(&self) -> Result<Vec<Entry>> {
        Ok(self.listed(Shelf::Course, lists::COURSES, GROUP_MAX).await?.items)
    }

    async fn id(&self, shelf: Shelf, name: &Name) -> Result<u64> {
        self.store.entry_id(shelf, name).await?.ok_or_else(|| Error::of(MISSING))
    }

    async fn held(&self, shelf: Shelf, name: &Name, locale: Locale) -> Result<Held> {
        let id = self.id(shelf, name).await?;
        let found = self.store.entry(shelf, id, locale, self.clock.now()).await?;
        found.ok_or_else(|| Error::of(MISSING))
    }

    /// The category of each of these courses.
    async fn categories_of(&self, courses: &[u64]) -> Result<HashMap<u64, u64>> {
        let found =
            self.store.entries_by_id(Shelf::Course, courses, None, self.clock.now()).await?;
        Ok(found.iter().filter_map(|entry| Some((entry.id, entry.course()?.category))).collect())
    }

    async fn summaries(&self, entries: &[Entry]) -> Result<Vec<wire::CollegeArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let mut parents: Vec<u64> =
            entries.iter().filter_map(|entry| Some(entry.text()?.parent)).collect();
        parents.sort_unstable();
        parents.dedup();
        let (counts, categories) =
            (self.store.counts(Shelf::Article, &ids).await?, self.categories_of(&parents).await?);
        let summary = |entry: &Entry| {
            let text = entry.text()?;
            let category = categories.get(&text.parent).copied().unwrap_or(0);
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Some(convert::summary(entry, text, category, counts))
        };
        Ok(entries.iter().filter_map(summary).collect())
    }

    async fn modules(&self) -> Result<Vec<wire::CollegeModule>> {
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
        let Some(id) = self.store.entry_id(Shelf::Course, &name).await? else { return Ok(None) };
        let found = self.store.entry(Shelf::Course, id, Locale::EnUs, self.clock.now()).await?;
        Ok(found.map(|held| held.entry))
    }

    async fn home(&self, asked: wire::GetHomeRequest) -> Result<wire::GetHomeResponse> {
        let (locale, now) = (Locale::asked(&asked.locale), self.clock.now());
        let latest = self
            .store
            .entries(Shelf::Article, lists::ARTICLES, Some(locale), None, LATEST, now)
            .await?;
        let hot = self.listed(Shelf::Course, lists::HOT, GROUP_MAX).await?;
        let courses = self.listed(Shelf::Course, lists::COURSES, 1).await?;
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

    async fn navigation(&self) -> Result<wire::GetNavigationResponse> {
        let (categories, courses) = (self.categories().await?, self.all_courses().await?);
        let hot = self.listed(Shelf::Course, lists::HOT, GROUP_MAX).await?.items;
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

    async fn courses(&self, asked: wire::ListCoursesRequest) -> Result<wire::ListCoursesResponse> {
        let list = match asked.category_id {
            0 => lists::COURSES.to_owned(),
            id => lists::category(id),
        };
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let (after, now) = (asked::place(&asked.cursor)?, self.clock.now());
        let page = self.store.entries(Shelf::Course, &list, None, after, size, now).await?;
        Ok(wire::ListCoursesResponse {
            items: convert::courses(&page.items),
            next_cursor: asked::next(page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn course(&self, asked: wire::GetCourseRequest) -> Result<wire::GetCourseResponse> {
        let name = asked::name("course_id", &asked.course_id, MISSING)?;
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(Shelf::Course, &name, locale).await?.entry;
        let course = entry.course().ok_or_else(|| Error::of(MISSING))?;
        holds(asked.category_id, course.category)?;
        let list = lists::course(entry.id);
        let page = self
            .store
            .entries(Shelf::Article, &list, Some(locale), None, COURSE_ARTICLES, self.clock.now())
            .await?;
        Ok(wire::GetCourseResponse {
            course: Some(convert::course(&entry, course)),
            articles: self.summaries(&page.items).await?,
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn articles(
        &self,
        asked: wire::ListCollegeArticlesRequest,
    ) -> Result<wire::ListCollegeArticlesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let after = asked::place(&asked.cursor)?;
        let lists = self.article_lists(&asked).await?;
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let page = self.store.entries_of(Shelf::Article, &lists, locale, after, size, now).await?;
        Ok(wire::ListCollegeArticlesResponse {
            items: self.summaries(&page.items).await?,
            next_cursor: asked::next(page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    /// The lists that hold what is asked; none for an unknown course or category.
    async fn article_lists(&self, asked: &wire::ListCollegeArticlesRequest) -> Result<Vec<String>> {
        if asked.course_id.is_empty() {
            if asked.category_id == 0 {
                return Ok(vec![lists::ARTICLES.to_owned()]);
            }
            let list = lists::category(asked.category_id);
            let courses = self.listed(Shelf::Course, &list, GROUP_MAX).await?.items;
            return Ok(courses.iter().map(|entry| lists::newest_of_course(entry.id)).collect());
        }
        let Some(name) = Name::parse(&asked.course_id) else { return Ok(Vec::new()) };
        let Some(id) = self.store.entry_id(Shelf::Course, &name).await? else {
            return Ok(Vec::new());
        };
        let category = self.categories_of(&[id]).await?.get(&id).copied();
        let held = asked.category_id == 0 || category == Some(asked.category_id);
        Ok(if held && category.is_some() { vec![lists::course(id)] } else { Vec::new() })
    }

    async fn company(
        &self,
        asked: wire::ListCompanyArticlesRequest,
    ) -> Result<wire::ListCompanyArticlesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let (after, locale) = (asked::place(&asked.cursor)?, Some(Locale::asked(&asked.locale)));
        let (list, now) = (lists::COMPANY, self.clock.now());
        let page = self.store.entries(Shelf::Article, list, locale, after, size, now).await?;
        Ok(wire::ListCompanyArticlesResponse {
            items: self.summaries(&page.items).await?,
            next_cursor: asked::next(page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn article(
        &self,
        asked: wire::GetCollegeArticleRequest,
    ) -> Result<wire::GetCollegeArticleResponse> {
        let name = asked::name("article_id", &asked.article_id, MISSING)?;
        let course = asked::optional_name(&asked.course_id, MISSING)?;
        let held = self.held(Shelf::Article, &name, Locale::asked(&asked.locale)).await?;
        let text = held.entry.text().ok_or_else(|| Error::of(MISSING))?;
        if let Some(name) = course {
            holds(self.id(Shelf::Course, &name).await?, text.parent)?;
        }
        let categories = self.categories_of(&[text.parent]).await?;
        let category = categories.get(&text.parent).copied().unwrap_or(0);
        holds(asked.category_id, category)?;
        let id = held.entry.id;
        let counts = self.store.counts(Shelf::Article, &[id]).await?;
        let counts = counts.get(&id).copied().unwrap_or_default();
        Ok(wire::GetCollegeArticleResponse {
            article: Some(convert::article(&held, text, category, counts)),
            next_change_at: held.next_change_at.unwrap_or(0),
        })
    }

    async fn recommended(
        &self,
        asked: wire::ListRecommendedArticlesRequest,
    ) -> Result<wire::ListRecommendedArticlesResponse> {
        let name = asked::name("article_id", &asked.article_id, MISSING)?;
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(Shelf::Article, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let mut found = Vec::new();
        let (locale, now) = (Some(locale), self.clock.now());
        let newest = if matches!(entry.head, Head::CompanyArticle(_)) {
            lists::COMPANY
        } else {
            let list = lists::course(text.parent);
            let here = crate::domain::Place { rank: text.position.into(), id: entry.id };
            let after =
                self.store.entries(Shelf::Article, &list, locale, Some(here), size, now).await?;
            found.extend(after.items);
            lists::ARTICLES
        };
        // Those that were found already and the article itself may be among the newest.
        let more = size * 2 + 1;
        let others = self.store.entries(Shelf::Article, newest, locale, None, more, now).await?;
        for other in others.items {
            if other.id != entry.id && found.iter().all(|one| one.id != other.id) {
                found.push(other);
            }
        }
        found.truncate(size as usize);
        Ok(wire::ListRecommendedArticlesResponse { items: self.summaries(&found).await? })
    }

    async fn breadcrumb(
        &self,
        asked: wire::GetCollegeBreadcrumbRequest,
    ) -> Result<wire::GetCollegeBreadcrumbResponse> {
        let locale = Locale::asked(&asked.locale);
        let article = asked::optional_name(&asked.article_id, MISSING)?;
        let course = asked::optional_name(&asked.course_id, MISSING)?;
        if article.is_none() && course.is_none() && asked.category_id == 0 {
            return Err(Error::field("category_id", "one of the ids is needed"));
        }
        let article = match article {
            Some(name) => Some(self.held(Shelf::Article, &name, locale).await?.entry),
            None => None,
        };
        let mut course = match course {
            Some(name) => Some(self.held(Shelf::Course, &name, locale).await?.entry),
            None => None,
        };
        if let Some(text) = article.as_ref().and_then(Entry::text) {
            match &course {
                Some(course) => holds(course.id, text.parent)?,
                None if text.parent != 0 => {
                    course =
                        Some(self.held(Shelf::Course, &Name::Id(text.parent), locale).await?.entry);
                }
                None => holds(asked.category_id, 0)?,
            }
        }
        let category_id = match course.as_ref().and_then(Entry::course) {
            Some(Course { category, .. }) => {
                holds(asked.category_id, *category)?;
                *category
            }
            None => asked.category_id,
        };
        let category = match category_id {
            0 => None,
            id => Some(self.held(Shelf::Category, &Name::Id(id), locale).await?.entry),
        };
        let parents = (category_id, course.as_ref().map_or(0, |course| course.id));
        let steps = [category, course, article];
        let steps = steps.iter().flatten().map(|entry| convert::step(entry, parents, locale));
        Ok(wire::GetCollegeBreadcrumbResponse { items: steps.collect() })
    }

    /// The id of an article that can be read.
    async fn readable(&self, text: &str) -> Result<u64> {
        let name = asked::name("article_id", text, MISSING)?;
        Ok(self.held(Shelf::Article, &name, Locale::EnUs).await?.entry.id)
    }

    async fn like(&self, text: &str, likes: bool) -> Result<(u64, u64)> {
        let id = self.readable(text).await?;
        let voter = asked::voter()?;
        Ok((id, self.store.like_entry(Shelf::Article, id, &voter, likes).await?))
    }

    async fn video(&self, id: u64) -> Result<Entry> {
        if id == 0 {
            return Err(Error::field("video_id", "is needed"));
        }
        Ok(self.held(Shelf::Video, &Name::Id(id), Locale::EnUs).await?.entry)
    }

    async fn watched(
        &self,
        asked: wire::GetCollegeVideoRequest,
    ) -> Result<wire::GetCollegeVideoResponse> {
        let entry = self.video(asked.video_id).await?;
        let Head::CollegeVideo(video) = &entry.head else { return Err(Error::of(MISSING)) };
        let seen = match asked::counted_as() {
            Some(viewer) => self.store.view(entry.id, &viewer).await?,
            None => None,
        };
        Ok(wire::GetCollegeVideoResponse {
            video: Some(wire::CollegeVideo {
                id: entry.id,
                name: video.name.en.clone(),
                name_en: video.name.en.clone(),
                name_sa: video.name.sa.clone(),
                address: video.address.clone(),
                duration: video.duration,
                course_id: video.course,
                published_at: entry.published_at,
            }),
            position: seen.map_or(0, |seen| seen.position),
        })
    }

    async fn keep(
        &self,
        asked: wire::UploadCollegeVideoResultRequest,
    ) -> Result<wire::UploadCollegeVideoResultResponse> {
        let id = self.video(asked.video_id).await?.id;
        let (position, duration) = (asked.position, asked.duration);
        if !(1..=DAY).contains(&duration) {
            return Err(Error::field("duration", format!("must be 1 to {DAY}")));
        }
        if position > duration {
            return Err(Error::field("position", "lies beyond the duration"));
        }
        let (viewer, seen) = (asked::voter()?, View { position, duration });
        self.store.keep_view(id, &viewer, seen, self.clock.now()).await?;
        Ok(wire::UploadCollegeVideoResultResponse { id, saved: true })
    }

    async fn batch(
        &self,
        asked: wire::BatchGetCollegeArticlesRequest,
    ) -> Result<wire::BatchGetCollegeArticlesResponse> {
        asked::batch(&asked.ids)?;
        let locale = Some(Locale::asked(&asked.locale));
        let now = self.clock.now();
        let found = self.store.entries_by_id(Shelf::Article, &asked.ids, locale, now).await?;
        Ok(wire::BatchGetCollegeArticlesResponse { items: self.summaries(&found).await? })
    }

    async fn refs(
        &self,
        asked: wire::ListCollegeArticleRefsRequest,
    ) -> Result<wire::ListCollegeArticleRefsResponse> {
        let size = asked::refs_size(asked.size)?;
        let now = self.clock.now();
        let found = self.store.entry_refs(Shelf::Article, asked.after_id, size, now).await?;
        let items = found.into_iter().map(convert::article_ref).collect();
        Ok(wire::ListCollegeArticleRefsResponse { items })
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawCollegeArticlesRequest,
    ) -> Result<wire::WithdrawCollegeArticlesResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids = self.store.withdraw_entries(Shelf::Article, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawCollegeArticlesResponse { withdrawn_ids })
    }
}

/// Whether the asked parent, where one is asked, is the true one.
fn holds(asked: u64, parent: u64) -> Result<()> {
    if asked == 0 || asked == parent { Ok(()) } else { Err(Error::of(MISSING)) }
}

#[tonic::async_trait]
impl CollegeService for CollegeCalls {
    async fn get_home(
        &self,
        request: Request<wire::GetHomeRequest>,
    ) -> Result<Response<wire::GetHomeResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.home(asked).await?))
    }

    async fn list_modules(
        &self,
        _: Request<wire::ListModulesRequest>,
    ) -> Result<Response<wire::ListModulesResponse>, Status> {
        Ok(Response::new(wire::ListModulesResponse { items: self.modules().await? }))
    }

    async fn get_navigation(
        &self,
        _: Request<wire::GetNavigationRequest>,
    ) -> Result<Response<wire::GetNavigationResponse>, Status> {
        Ok(Response::new(self.navigation().await?))
    }

    async fn list_courses(
        &self,
        request: Request<wire::ListCoursesRequest>,
    ) -> Result<Response<wire::ListCoursesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.courses(asked).await?))
    }

    async fn get_course(
        &self,
        request: Request<wire::GetCourseRequest>,
    ) -> Result<Response<wire::GetCourseResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.course(asked).await?))
    }

    async fn list_college_articles(
        &self,
        request: Request<wire::ListCollegeArticlesRequest>,
    ) -> Result<Response<wire::ListCollegeArticlesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.articles(asked).await?))
    }

    async fn list_company_articles(
        &self,
        request: Request<wire::ListCompanyArticlesRequest>,
    ) -> Result<Response<wire::ListCompanyArticlesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.company(asked).await?))
    }

    async fn get_college_article(
        &self,
        request: Request<wire::GetCollegeArticleRequest>,
    ) -> Result<Response<wire::GetCollegeArticleResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.article(asked).await?))
    }

    async fn list_recommended_articles(
        &self,
        request: Request<wire::ListRecommendedArticlesRequest>,
    ) -> Result<Response<wire::ListRecommendedArticlesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.recommended(asked).await?))
    }

    async fn get_college_breadcrumb(
        &self,
        request: Request<wire::GetCollegeBreadcrumbRequest>,
    ) -> Result<Response<wire::GetCollegeBreadcrumbResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.breadcrumb(asked).await?))
    }

    async fn add_college_article_read_log(
        &self,
        request: Request<wire::AddCollegeArticleReadLogRequest>,
    ) -> Result<Response<wire::AddCollegeArticleReadLogResponse>, Status> {
        let asked = request.into_inner();
        let id = self.readable(&asked.article_id).await?;
        let count = self.store.count_entry_reading(Shelf::Article, id).await?;
        Ok(Response::new(wire::AddCollegeArticleReadLogResponse { id, count }))
    }

    async fn add_college_article_like(
        &self,
        request: Request<wire::AddCollegeArticleLikeRequest>,
    ) -> Result<Response<wire::AddCollegeArticleLikeResponse>, Status> {
        let asked = request.into_inner();
        let (id, count) = self.like(&asked.article_id, true).await?;
        Ok(Response::new(wire::AddCollegeArticleLikeResponse { id, count }))
    }

    async fn cancel_college_article_like(
        &self,
        request: Request<wire::CancelCollegeArticleLikeRequest>,
    ) -> Result<Response<wire::CancelCollegeArticleLikeResponse>, Status> {
        let asked = request.into_inner();
        let (id, count) = self.like(&asked.article_id, false).await?;
        Ok(Response::new(wire::CancelCollegeArticleLikeResponse { id, count }))
    }

    async fn get_college_video(
        &self,
        request: Request<wire::GetCollegeVideoRequest>,
    ) -> Result<Response<wire::GetCollegeVideoResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.watched(asked).await?))
    }

    async fn upload_college_video_result(
        &self,
        request: Request<wire::UploadCollegeVideoResultRequest>,
    ) -> Result<Response<wire::UploadCollegeVideoResultResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.keep(asked).await?))
    }

    async fn list_categories(
        &self,
        _: Request<wire::ListCategoriesRequest>,
    ) -> Result<Response<wire::ListCategoriesResponse>, Status> {
        let found = self.categories().await?;
        let items = found.iter().filter_map(|entry| Some(convert::category(entry, entry.group()?)));
        Ok(Response::new(wire::ListCategoriesResponse { items: items.collect() }))
    }

    async fn batch_get_college_articles(
        &self,
        request: Request<wire::BatchGetCollegeArticlesRequest>,
    ) -> Result<Response<wire::BatchGetCollegeArticlesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.batch(asked).await?))
    }

    async fn list_college_article_refs(
        &self,
        request: Request<wire::ListCollegeArticleRefsRequest>,
    ) -> Result<Response<wire::ListCollegeArticleRefsResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.refs(asked).await?))
    }

    async fn withdraw_college_articles(
        &self,
        request: Request<wire::WithdrawCollegeArticlesRequest>,
    ) -> Result<Response<wire::WithdrawCollegeArticlesResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.withdraw(asked).await?))
    }
}
