mod articles;
mod catalogue;
mod readers;

use std::collections::HashMap;

use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock};
use sahm_proto::content::v1::{self as wire, college_service_server::CollegeService};
use tonic::{Request, Response, Status};

use super::{asked, college_convert as convert};
use crate::{
    domain::{Entry, EntryKind, Locale, Name, Page, lists},
    store::{ContentStore, StoredEntry},
};

const MISSING: ErrorCode = ErrorCode::CourseNotFound;
/// The most courses of a category, and the most categories, that one answer names.
const GROUP_MAX: u32 = 200;
/// The most videos that come with a course or article.
const VIDEOS_MAX: u32 = 50;

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

    async fn listed(&self, kind: EntryKind, list: &str, size: u32) -> Result<Page<Entry>> {
        self.store.entries(kind, list, None, None, size, self.clock.now()).await
    }

    /// The videos of a list, and when the next one enters it.
    async fn videos(&self, list: &str) -> Result<(Vec<wire::CollegeVideo>, Option<u32>)> {
        let page = self.listed(EntryKind::CollegeVideo, list, VIDEOS_MAX).await?;
        Ok((convert::videos(&page.items), page.next_change_at))
    }

    async fn categories(&self) -> Result<Vec<Entry>> {
        Ok(self.listed(EntryKind::CollegeCategory, lists::CATEGORIES, GROUP_MAX).await?.items)
    }

    async fn all_courses(&self) -> Result<Vec<Entry>> {
        Ok(self.listed(EntryKind::CollegeCourse, lists::COURSES, GROUP_MAX).await?.items)
    }

    /// Bilingual entries, in the order asked.
    async fn by_id(&self, kind: EntryKind, ids: &[u64]) -> Result<Vec<Entry>> {
        asked::batch(ids)?;
        self.store.entries_by_id(kind, ids, None, self.clock.now()).await
    }

    /// Whether there is such a category.
    async fn known_category(&self, id: u64) -> Result<()> {
        self.held(EntryKind::CollegeCategory, &Name::Id(id), Locale::EnUs).await.map(drop)
    }

    async fn id(&self, kind: EntryKind, name: &Name) -> Result<u64> {
        self.store.entry_id(kind, name).await?.ok_or_else(|| Error::of(MISSING))
    }

    async fn held(&self, kind: EntryKind, name: &Name, locale: Locale) -> Result<StoredEntry> {
        let id = self.id(kind, name).await?;
        let found = self.store.entry(kind, id, locale, self.clock.now()).await?;
        found.ok_or_else(|| Error::of(MISSING))
    }

    /// The category of each of these courses.
    async fn categories_of(&self, courses: &[u64]) -> Result<HashMap<u64, u64>> {
        let found = self
            .store
            .entries_by_id(EntryKind::CollegeCourse, courses, None, self.clock.now())
            .await?;
        Ok(found.iter().filter_map(|entry| Some((entry.id, entry.course()?.category))).collect())
    }

    async fn summaries(&self, entries: &[Entry]) -> Result<Vec<wire::CollegeArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let mut parents: Vec<u64> =
            entries.iter().filter_map(|entry| Some(entry.text()?.parent)).collect();
        parents.sort_unstable();
        parents.dedup();
        let (counts, categories) = (
            self.store.counts(EntryKind::CollegeArticle, &ids).await?,
            self.categories_of(&parents).await?,
        );
        let summary = |entry: &Entry| {
            let text = entry.text()?;
            let category = categories.get(&text.parent).copied().unwrap_or(0);
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Some(convert::summary(entry, text, category, counts))
        };
        Ok(entries.iter().filter_map(summary).collect())
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
        let (id, count) = self.count(&asked.article_id).await?;
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

    async fn list_college_videos(
        &self,
        request: Request<wire::ListCollegeVideosRequest>,
    ) -> Result<Response<wire::ListCollegeVideosResponse>, Status> {
        let asked = request.into_inner();
        Ok(Response::new(self.list_videos(asked).await?))
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
        Ok(Response::new(wire::ListCategoriesResponse { items: convert::categories(&found) }))
    }

    async fn get_category(
        &self,
        request: Request<wire::GetCategoryRequest>,
    ) -> Result<Response<wire::GetCategoryResponse>, Status> {
        Ok(Response::new(self.category(request.into_inner().id).await?))
    }

    async fn batch_get_categories(
        &self,
        request: Request<wire::BatchGetCategoriesRequest>,
    ) -> Result<Response<wire::BatchGetCategoriesResponse>, Status> {
        let found = self.by_id(EntryKind::CollegeCategory, &request.into_inner().ids).await?;
        Ok(Response::new(wire::BatchGetCategoriesResponse { items: convert::categories(&found) }))
    }

    async fn batch_get_courses(
        &self,
        request: Request<wire::BatchGetCoursesRequest>,
    ) -> Result<Response<wire::BatchGetCoursesResponse>, Status> {
        let found = self.by_id(EntryKind::CollegeCourse, &request.into_inner().ids).await?;
        Ok(Response::new(wire::BatchGetCoursesResponse { items: convert::courses(&found) }))
    }

    async fn batch_get_college_videos(
        &self,
        request: Request<wire::BatchGetCollegeVideosRequest>,
    ) -> Result<Response<wire::BatchGetCollegeVideosResponse>, Status> {
        let found = self.by_id(EntryKind::CollegeVideo, &request.into_inner().ids).await?;
        Ok(Response::new(wire::BatchGetCollegeVideosResponse { items: convert::videos(&found) }))
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
