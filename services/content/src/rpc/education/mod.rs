//! `sahm.content.v1.CollegeService`.

mod catalogue;
mod convert;

use std::collections::BTreeSet;

use sahm_chassis::{Error, ErrorCode, Result, cursor};
use sahm_proto::content::v1::{self as wire, college_service_server::CollegeService};
use tonic::{Request, Response, Status};

use super::{
    entries::{ContentRpc, FromEntry, ListPage, items, missing},
    recommendations::RecommendationPage,
    validate,
};
use crate::{
    domain::{Course, Cursor, Entry, EntryData, EntryKind, IdOrSlug, Locale, PAGE_SIZE, lists},
    store::VideoProgress,
};
pub(super) use convert::article;

const MISSING: ErrorCode = ErrorCode::CourseNotFound;
/// Maximum number of categories, of recommended courses, and of courses whose articles are listed as
/// those of their category.
const MAX_GROUP: u32 = 200;
/// Number of articles on the home page.
const LATEST_ARTICLES: u32 = 8;
/// Maximum number of articles returned with a course.
const MAX_COURSE_ARTICLES: u32 = 200;
/// Maximum length of a video, in seconds.
const MAX_VIDEO_SECONDS: u32 = 86_400;

impl ContentRpc {
    async fn find_video(&self, id: u64) -> Result<Entry> {
        validate::required("video_id", &id)?;
        let (kind, id) = (EntryKind::CollegeVideo, IdOrSlug::Id(id));
        Ok(self.find(kind, &id, Locale::EnUs).await?.entry)
    }

    /// The id of a published article.
    async fn readable_id(&self, id_or_slug: &str) -> Result<u64> {
        let name = validate::id_or_slug("article_id", id_or_slug, MISSING)?;
        Ok(self.find(EntryKind::CollegeArticle, &name, Locale::EnUs).await?.entry.id)
    }

    /// Likes or unlikes an article; returns its id and number of likes.
    async fn like_article(&self, id_or_slug: &str, likes: bool) -> Result<(u64, u64)> {
        let id = self.readable_id(id_or_slug).await?;
        Ok((id, self.like(EntryKind::CollegeArticle, id, likes).await?))
    }
}

/// Rejects a requested parent that differs from the actual one; 0 matches any.
fn require_parent(requested: u64, parent: u64) -> Result<()> {
    if requested == 0 || requested == parent { Ok(()) } else { Err(Error::of(MISSING)) }
}

fn earliest<const N: usize>(changes: [Option<u32>; N]) -> u32 {
    changes.into_iter().flatten().min().unwrap_or(0)
}

#[tonic::async_trait]
impl CollegeService for ContentRpc {
    async fn get_home(
        &self,
        request: Request<wire::GetHomeRequest>,
    ) -> Result<Response<wire::GetHomeResponse>, Status> {
        let locale = Locale::parse_or_english(&request.into_inner().locale);
        let (kind, list) = (EntryKind::CollegeArticle, lists::ARTICLES);
        let latest = self.first(kind, list, Some(locale), LATEST_ARTICLES).await?;
        let hot = self.courses(lists::HOT).await?;
        let (courses, now) = ([lists::COURSES.to_owned()], self.clock.now());
        let next_course =
            self.store.next_publication(EntryKind::CollegeCourse, &courses, None, now);
        let next_course = next_course.await?;
        let center = self.research_center().await?;
        let modules = self.modules().await?;
        let shown = modules.iter().flat_map(|module| &module.courses).map(|course| course.id);
        let shown: BTreeSet<u64> =
            shown.chain(hot.iter().chain(&center).map(|entry| entry.id)).collect();
        let (lessons, next_lesson) = self.lessons(&Vec::from_iter(shown), locale).await?;
        Ok(Response::new(wire::GetHomeResponse {
            modules,
            hot_courses: items(&hot),
            research_centre: center.as_ref().and_then(wire::CollegeCourse::from_entry),
            latest_articles: self.college_summaries(&latest.items).await?,
            next_change_at: earliest([latest.next_change_at, next_course, next_lesson]),
            lessons,
        }))
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
        let (categories, courses) = (self.categories().await?, self.all_courses().await?);
        let hot = self.courses(lists::HOT).await?;
        let center = self.research_center().await?;
        let others = hot.iter().filter(|entry| entry.slug != convert::RESEARCH_CENTER);
        let course = |entry: &Entry| Some(convert::course_vo(entry, entry.course()?));
        Ok(Response::new(wire::GetNavigationResponse {
            navigation_vo_list: categories
                .iter()
                .filter_map(|entry| Some(convert::navigation_vo(entry, entry.group()?, &courses)))
                .collect(),
            hot_vo_list: others.chain(&center).filter_map(course).collect(),
        }))
    }

    async fn list_courses(
        &self,
        request: Request<wire::ListCoursesRequest>,
    ) -> Result<Response<wire::ListCoursesResponse>, Status> {
        let request = request.into_inner();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let list = match request.category_id {
            0 => lists::COURSES.to_owned(),
            id => {
                self.require_category(id).await?;
                lists::category(id)
            }
        };
        let page = self.page(EntryKind::CollegeCourse, &list, None, size, &request.cursor).await?;
        let ids: Vec<u64> = page.items.iter().map(|entry| entry.id).collect();
        let (lessons, next_lesson) =
            self.lessons(&ids, Locale::parse_or_english(&request.locale)).await?;
        let next_course = (page.next_change_at != 0).then_some(page.next_change_at);
        Ok(Response::new(wire::ListCoursesResponse {
            items: items(&page.items),
            next_cursor: page.next_cursor,
            next_change_at: earliest([next_course, next_lesson]),
            lessons,
        }))
    }

    async fn get_course(
        &self,
        request: Request<wire::GetCourseRequest>,
    ) -> Result<Response<wire::GetCourseResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("course_id", &request.course_id, MISSING)?;
        let locale = Locale::parse_or_english(&request.locale);
        let entry = self.find(EntryKind::CollegeCourse, &name, locale).await?.entry;
        let course = wire::CollegeCourse::from_entry(&entry).ok_or_else(|| Error::of(MISSING))?;
        require_parent(request.category_id, course.category_id)?;
        let (list, kind) = (lists::course(entry.id), EntryKind::CollegeArticle);
        let page = self.first(kind, &list, Some(locale), MAX_COURSE_ARTICLES).await?;
        let (videos, next_video) = self.videos(&lists::course_videos(entry.id)).await?;
        Ok(Response::new(wire::GetCourseResponse {
            course: Some(course),
            articles: self.college_summaries(&page.items).await?,
            next_change_at: earliest([page.next_change_at, next_video]),
            videos,
        }))
    }

    async fn list_college_articles(
        &self,
        request: Request<wire::ListCollegeArticlesRequest>,
    ) -> Result<Response<wire::ListCollegeArticlesResponse>, Status> {
        let request = request.into_inner();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let lists = self.article_lists(&request).await?;
        let list = format!("articles:{}:{}", request.category_id, request.course_id);
        let after = cursor::decode(&list, &request.cursor)?;
        let (locale, now) = (Some(Locale::parse_or_english(&request.locale)), self.clock.now());
        let kind = EntryKind::CollegeArticle;
        let page = self.store.entries_of(kind, &lists, locale, after, size, now).await?;
        let page = ListPage::of(&list, page);
        Ok(Response::new(wire::ListCollegeArticlesResponse {
            items: self.college_summaries(&page.items).await?,
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn list_company_articles(
        &self,
        request: Request<wire::ListCompanyArticlesRequest>,
    ) -> Result<Response<wire::ListCompanyArticlesResponse>, Status> {
        let request = request.into_inner();
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let (kind, locale) =
            (EntryKind::CompanyArticle, Some(Locale::parse_or_english(&request.locale)));
        let page = self.page(kind, lists::COMPANY, locale, size, &request.cursor).await?;
        Ok(Response::new(wire::ListCompanyArticlesResponse {
            items: self.college_summaries(&page.items).await?,
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn get_college_article(
        &self,
        request: Request<wire::GetCollegeArticleRequest>,
    ) -> Result<Response<wire::GetCollegeArticleResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("article_id", &request.article_id, MISSING)?;
        let course = validate::optional_id_or_slug(&request.course_id, MISSING)?;
        let (kind, locale) = (EntryKind::CollegeArticle, Locale::parse_or_english(&request.locale));
        let found = self.find(kind, &name, locale).await?;
        let text = found.entry.text().ok_or_else(|| Error::of(MISSING))?;
        if let Some(name) = course {
            require_parent(self.id(EntryKind::CollegeCourse, &name).await?, text.parent)?;
        }
        let category = self.category_of(text.parent).await?.unwrap_or(0);
        require_parent(request.category_id, category)?;
        let id = found.entry.id;
        let counts = self.store.counts(kind, &[id]).await?;
        let counts = counts.get(&id).copied().unwrap_or_default();
        let (videos, next_video) = self.videos(&lists::article_videos(id)).await?;
        Ok(Response::new(wire::GetCollegeArticleResponse {
            article: Some(convert::article(&found, text, category, counts)),
            next_change_at: earliest([found.next_change_at, next_video]),
            videos,
        }))
    }

    async fn list_recommended_articles(
        &self,
        request: Request<wire::ListRecommendedArticlesRequest>,
    ) -> Result<Response<wire::ListRecommendedArticlesResponse>, Status> {
        let request = request.into_inner();
        let name = validate::id_or_slug("article_id", &request.article_id, MISSING)?;
        let list = format!("recommended-articles:{}", request.article_id);
        let page = RecommendationPage::new(list, request.size, PAGE_SIZE, &request.cursor)?;
        let (kind, locale) = (EntryKind::CollegeArticle, Locale::parse_or_english(&request.locale));
        let entry = self.find(kind, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let (mut found, locale, now) = (Vec::new(), Some(locale), self.clock.now());
        let store = &self.store;
        let newest = if entry.kind() == EntryKind::CompanyArticle {
            lists::COMPANY
        } else {
            let list = lists::course(text.parent);
            let after = Some(Cursor { rank: text.position.into(), id: entry.id });
            let later = store.entries(kind, &list, locale, after, page.reach(), now).await?;
            found.extend(later.items);
            lists::ARTICLES
        };
        // The newest articles may include the article itself and recommendations already found.
        let size = 2 * page.reach() + 1;
        for other in store.entries(kind, newest, locale, None, size, now).await?.items {
            if other.id != entry.id && found.iter().all(|one: &Entry| one.id != other.id) {
                found.push(other);
            }
        }
        let (found, next_cursor) = page.cut(found);
        let items = self.college_summaries(&found).await?;
        Ok(Response::new(wire::ListRecommendedArticlesResponse { items, next_cursor }))
    }

    async fn get_college_breadcrumb(
        &self,
        request: Request<wire::GetCollegeBreadcrumbRequest>,
    ) -> Result<Response<wire::GetCollegeBreadcrumbResponse>, Status> {
        let request = request.into_inner();
        let locale = Locale::parse_or_english(&request.locale);
        let article = validate::optional_id_or_slug(&request.article_id, MISSING)?;
        let course = validate::optional_id_or_slug(&request.course_id, MISSING)?;
        if article.is_none() && course.is_none() && request.category_id == 0 {
            return Err(Error::field("category_id", "one of the ids is required").into());
        }
        let article = self.optional_entry(EntryKind::CollegeArticle, article, locale).await?;
        let mut course = self.optional_entry(EntryKind::CollegeCourse, course, locale).await?;
        if let Some(text) = article.as_ref().and_then(Entry::text) {
            match &course {
                Some(course) => require_parent(course.id, text.parent)?,
                None if text.parent != 0 => {
                    let parent = Some(IdOrSlug::Id(text.parent));
                    let kind = EntryKind::CollegeCourse;
                    course = self.optional_entry(kind, parent, locale).await?;
                }
                None => require_parent(request.category_id, 0)?,
            }
        }
        let category_id = match course.as_ref().and_then(Entry::course) {
            Some(Course { category, .. }) => {
                require_parent(request.category_id, *category)?;
                *category
            }
            None => request.category_id,
        };
        let name = (category_id != 0).then_some(IdOrSlug::Id(category_id));
        let category = self.optional_entry(EntryKind::CollegeCategory, name, locale).await?;
        let parents = (category_id, course.as_ref().map_or(0, |course| course.id));
        let steps = [category, course, article];
        let steps = steps.iter().flatten().map(|entry| convert::step(entry, parents, locale));
        Ok(Response::new(wire::GetCollegeBreadcrumbResponse { items: steps.collect() }))
    }

    async fn add_college_article_read_log(
        &self,
        request: Request<wire::AddCollegeArticleReadLogRequest>,
    ) -> Result<Response<wire::AddCollegeArticleReadLogResponse>, Status> {
        let id = self.readable_id(&request.into_inner().article_id).await?;
        let count = self.count_reading(EntryKind::CollegeArticle, id).await?;
        Ok(Response::new(wire::AddCollegeArticleReadLogResponse { id, count }))
    }

    async fn add_college_article_like(
        &self,
        request: Request<wire::AddCollegeArticleLikeRequest>,
    ) -> Result<Response<wire::AddCollegeArticleLikeResponse>, Status> {
        let (id, count) = self.like_article(&request.into_inner().article_id, true).await?;
        Ok(Response::new(wire::AddCollegeArticleLikeResponse { id, count }))
    }

    async fn cancel_college_article_like(
        &self,
        request: Request<wire::CancelCollegeArticleLikeRequest>,
    ) -> Result<Response<wire::CancelCollegeArticleLikeResponse>, Status> {
        let (id, count) = self.like_article(&request.into_inner().article_id, false).await?;
        Ok(Response::new(wire::CancelCollegeArticleLikeResponse { id, count }))
    }

    async fn get_college_video(
        &self,
        request: Request<wire::GetCollegeVideoRequest>,
    ) -> Result<Response<wire::GetCollegeVideoResponse>, Status> {
        let entry = self.find_video(request.into_inner().video_id).await?;
        let progress = match validate::reader() {
            Some(viewer) => self.store.video_progress(entry.id, &viewer).await?,
            None => None,
        };
        let video = wire::CollegeVideo::from_entry(&entry);
        Ok(Response::new(wire::GetCollegeVideoResponse {
            video: Some(video.ok_or_else(|| Error::of(missing(EntryKind::CollegeVideo)))?),
            position: progress.map_or(0, |progress| progress.position),
        }))
    }

    async fn list_college_videos(
        &self,
        request: Request<wire::ListCollegeVideosRequest>,
    ) -> Result<Response<wire::ListCollegeVideosResponse>, Status> {
        let request = request.into_inner();
        let (kind, size) = (EntryKind::CollegeVideo, validate::page_size(request.size, PAGE_SIZE)?);
        let page = match validate::optional_id_or_slug(&request.course_id, MISSING)? {
            Some(name) => {
                let course = self.find(EntryKind::CollegeCourse, &name, Locale::EnUs).await?.entry;
                let list = lists::course_videos(course.id);
                self.page(kind, &list, None, size, &request.cursor).await?
            }
            None => {
                let list = "course-videos";
                let after = cursor::decode(list, &request.cursor)?;
                let page = self.store.entries_by_kind(kind, after, size, self.now()).await?;
                ListPage::of(list, page)
            }
        };
        Ok(Response::new(wire::ListCollegeVideosResponse {
            items: items(&page.items),
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn upload_college_video_result(
        &self,
        request: Request<wire::UploadCollegeVideoResultRequest>,
    ) -> Result<Response<wire::UploadCollegeVideoResultResponse>, Status> {
        let request = request.into_inner();
        let entry = self.find_video(request.video_id).await?;
        let (id, position, duration) = (entry.id, request.position, request.duration);
        if !(1..=MAX_VIDEO_SECONDS).contains(&duration) {
            let why = format!("must be 1 to {MAX_VIDEO_SECONDS}");
            return Err(Error::field("duration", why).into());
        }
        let EntryData::CollegeVideo(video) = &entry.data else {
            return Err(Error::of(missing(EntryKind::CollegeVideo)).into());
        };
        // Players round, so accept up to one second more than the video's duration.
        let longest = video.playback.duration.saturating_add(1);
        if duration > longest {
            let why = format!("the video has {} s", longest - 1);
            return Err(Error::field("duration", why).into());
        }
        if position > duration {
            return Err(Error::field("position", "lies beyond the duration").into());
        }
        let viewer = validate::required_reader()?;
        let (progress, now) = (VideoProgress { position, duration }, self.clock.now());
        self.store.save_video_progress(id, &viewer, progress, now).await?;
        Ok(Response::new(wire::UploadCollegeVideoResultResponse { id, saved: true }))
    }

    async fn list_categories(
        &self,
        _: Request<wire::ListCategoriesRequest>,
    ) -> Result<Response<wire::ListCategoriesResponse>, Status> {
        let items = items(&self.categories().await?);
        Ok(Response::new(wire::ListCategoriesResponse { items }))
    }

    async fn get_category(
        &self,
        request: Request<wire::GetCategoryRequest>,
    ) -> Result<Response<wire::GetCategoryResponse>, Status> {
        let id = request.into_inner().id;
        validate::required("id", &id)?;
        let (kind, id) = (EntryKind::CollegeCategory, IdOrSlug::Id(id));
        let entry = self.find(kind, &id, Locale::EnUs).await?.entry;
        let category = wire::CollegeCategory::from_entry(&entry);
        Ok(Response::new(wire::GetCategoryResponse { category }))
    }

    async fn batch_get_categories(
        &self,
        request: Request<wire::BatchGetCategoriesRequest>,
    ) -> Result<Response<wire::BatchGetCategoriesResponse>, Status> {
        let ids = request.into_inner().ids;
        let items = items(&self.batch(EntryKind::CollegeCategory, &ids, None).await?);
        Ok(Response::new(wire::BatchGetCategoriesResponse { items }))
    }

    async fn batch_get_courses(
        &self,
        request: Request<wire::BatchGetCoursesRequest>,
    ) -> Result<Response<wire::BatchGetCoursesResponse>, Status> {
        let ids = request.into_inner().ids;
        let items = items(&self.batch(EntryKind::CollegeCourse, &ids, None).await?);
        Ok(Response::new(wire::BatchGetCoursesResponse { items }))
    }

    async fn batch_get_college_videos(
        &self,
        request: Request<wire::BatchGetCollegeVideosRequest>,
    ) -> Result<Response<wire::BatchGetCollegeVideosResponse>, Status> {
        let ids = request.into_inner().ids;
        let items = items(&self.batch(EntryKind::CollegeVideo, &ids, None).await?);
        Ok(Response::new(wire::BatchGetCollegeVideosResponse { items }))
    }

    async fn batch_get_college_articles(
        &self,
        request: Request<wire::BatchGetCollegeArticlesRequest>,
    ) -> Result<Response<wire::BatchGetCollegeArticlesResponse>, Status> {
        let request = request.into_inner();
        let locale = Some(Locale::parse_or_english(&request.locale));
        let found = self.batch(EntryKind::CollegeArticle, &request.ids, locale).await?;
        let items = self.college_summaries(&found).await?;
        Ok(Response::new(wire::BatchGetCollegeArticlesResponse { items }))
    }

    async fn list_college_article_refs(
        &self,
        request: Request<wire::ListCollegeArticleRefsRequest>,
    ) -> Result<Response<wire::ListCollegeArticleRefsResponse>, Status> {
        let wire::ListCollegeArticleRefsRequest { size, after_id, cursor } = request.into_inner();
        let (kind, list) = (EntryKind::CollegeArticle, "college-article-refs");
        let (found, next_cursor) = self.refs(kind, list, size, after_id, &cursor).await?;
        let items = found.into_iter().map(convert::article_ref).collect();
        Ok(Response::new(wire::ListCollegeArticleRefsResponse { items, next_cursor }))
    }

    async fn withdraw_college_articles(
        &self,
        request: Request<wire::WithdrawCollegeArticlesRequest>,
    ) -> Result<Response<wire::WithdrawCollegeArticlesResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::CollegeArticle, &ids).await?;
        Ok(Response::new(wire::WithdrawCollegeArticlesResponse { withdrawn_ids }))
    }
}
