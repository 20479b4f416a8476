//! The education section, and articles about the company.

use sahm_chassis::error::{ErrorCode, Result};
use sahm_proto::{
    content::v1::{
        CollegeArticle, CollegeArticleSummary, CollegeCategory, CollegeStep,
        GetCollegeArticleRequest, GetCollegeArticleResponse, GetCollegeBreadcrumbRequest,
        GetCourseRequest, GetCourseResponse, GetHomeRequest, GetHomeResponse,
        ListCategoriesRequest, ListCollegeArticlesRequest, ListCompanyArticlesRequest,
        ListCompanyArticlesResponse, ListCoursesRequest, ListCoursesResponse,
        ListRecommendedArticlesRequest,
    },
    tags,
};

use super::{ItemKind, LoadContext, LoadError, never};
use crate::{canonical_paths::COMPANY_ARTICLE, pages::parameters::Name};

/// Number of articles of a course to read; no course has more.
const MAX_COURSE_ARTICLES: u32 = 50;

impl LoadContext<'_> {
    pub(crate) async fn college_home(&self) -> Result<GetHomeResponse> {
        let tags = [tags::COLLEGE_CATEGORIES, tags::COLLEGE_ARTICLES];
        let mut college = self.data.services.college()?;
        let call = college.get_home(GetHomeRequest { locale: self.locale_name() });
        self.read(tags, |home| home.next_change_at, call).await
    }

    pub(crate) async fn categories(&self) -> Result<Vec<CollegeCategory>> {
        let mut college = self.data.services.college()?;
        let call = college.list_categories(ListCategoriesRequest {});
        Ok(self.read([tags::COLLEGE_CATEGORIES], never, call).await?.items)
    }

    pub(crate) async fn courses(
        &self,
        category_id: u64,
        size: u32,
        cursor: String,
    ) -> Result<ListCoursesResponse> {
        let tags = [tags::COLLEGE_CATEGORIES, tags::COLLEGE_ARTICLES];
        let mut college = self.data.services.college()?;
        let locale = self.locale_name();
        let call = college.list_courses(ListCoursesRequest { category_id, size, cursor, locale });
        self.read(tags, |list| list.next_change_at, call).await
    }

    /// A course with its articles; missing if `category_id` is not its category (0: any).
    pub(crate) async fn course(
        &self,
        name: &Name,
        category_id: u64,
    ) -> Result<GetCourseResponse, LoadError> {
        let request =
            GetCourseRequest { course_id: name.text(), locale: self.locale_name(), category_id };
        let mut college = self.data.services.college()?;
        let tags = name.id().map(tags::college_course);
        let call = college.get_course(request);
        let response = match self.read(tags, |course| course.next_change_at, call).await {
            Err(error) if error.code() == ErrorCode::CourseNotFound => Default::default(),
            response => response?,
        };
        let Some(course) = &response.course else {
            self.tag([tags::COLLEGE_CATEGORIES]);
            return Err(LoadError::Missing(ItemKind::Course));
        };
        self.tag([tags::college_category(course.category_id), tags::college_course(course.id)]);
        Ok(response)
    }

    /// The breadcrumb of a course.
    pub(crate) async fn course_breadcrumb(&self, course_id: u64) -> Result<Vec<CollegeStep>> {
        let request = GetCollegeBreadcrumbRequest {
            course_id: course_id.to_string(),
            locale: self.locale_name(),
            ..GetCollegeBreadcrumbRequest::default()
        };
        let mut college = self.data.services.college()?;
        let call = college.get_college_breadcrumb(request);
        Ok(self.read([tags::college_course(course_id)], never, call).await?.items)
    }

    /// An article of the education section or about the company; missing if it is not in the given course and category.
    pub(crate) async fn college_article(
        &self,
        name: &Name,
        category_id: u64,
        course_id: String,
    ) -> Result<(CollegeArticle, GetCollegeArticleResponse), LoadError> {
        let request = GetCollegeArticleRequest {
            article_id: name.text(),
            locale: self.locale_name(),
            course_id,
            category_id,
        };
        let mut college = self.data.services.college()?;
        let tags = name.id().map(tags::college_article);
        let call = college.get_college_article(request);
        let mut response = match self.read(tags, |article| article.next_change_at, call).await {
            Err(error) if error.code() == ErrorCode::CourseNotFound => Default::default(),
            response => response?,
        };
        let Some(article) = response.article.take() else {
            self.tag([tags::COLLEGE_ARTICLES, tags::COLLEGE_COMPANY]);
            return Err(LoadError::Missing(ItemKind::Article));
        };
        self.tag([tags::college_article(article.id)]);
        if article.kind != COMPANY_ARTICLE {
            let (category, course) = (article.category_id, article.course_id);
            self.tag([tags::college_category(category), tags::college_course(course)]);
        }
        Ok((article, response))
    }

    /// The breadcrumb of an article; empty for an article about the company.
    pub(crate) async fn article_breadcrumb(
        &self,
        article: &CollegeArticle,
    ) -> Result<Vec<CollegeStep>> {
        if article.kind == COMPANY_ARTICLE {
            return Ok(Vec::new());
        }
        let request = GetCollegeBreadcrumbRequest {
            article_id: article.id.to_string(),
            locale: self.locale_name(),
            ..GetCollegeBreadcrumbRequest::default()
        };
        let mut college = self.data.services.college()?;
        let call = college.get_college_breadcrumb(request);
        Ok(self.read([tags::college_course(article.course_id)], never, call).await?.items)
    }

    /// All articles of an article's course.
    pub(crate) async fn course_articles(
        &self,
        article: &CollegeArticle,
    ) -> Result<Vec<CollegeArticleSummary>> {
        if article.kind == COMPANY_ARTICLE {
            return Ok(Vec::new());
        }
        let request = ListCollegeArticlesRequest {
            course_id: article.course_id.to_string(),
            locale: self.locale_name(),
            size: MAX_COURSE_ARTICLES,
            ..ListCollegeArticlesRequest::default()
        };
        self.college_articles(request, tags::college_course(article.course_id)).await
    }

    /// The newest articles of the same kind, for a preview.
    pub(crate) async fn newest_college_articles(
        &self,
        article: &CollegeArticle,
        size: u32,
    ) -> Result<Vec<CollegeArticleSummary>> {
        if article.kind == COMPANY_ARTICLE {
            return Ok(self.company_articles(size, String::new()).await?.items);
        }
        let locale = self.locale_name();
        let request = ListCollegeArticlesRequest { locale, size, ..Default::default() };
        self.college_articles(request, tags::COLLEGE_ARTICLES.to_owned()).await
    }

    async fn college_articles(
        &self,
        request: ListCollegeArticlesRequest,
        tag: String,
    ) -> Result<Vec<CollegeArticleSummary>> {
        let mut college = self.data.services.college()?;
        let call = college.list_college_articles(request);
        let items = self.read([tag], |list| list.next_change_at, call).await?.items;
        self.tag_college_articles(&items);
        Ok(items)
    }

    /// Articles recommended for an article.
    pub(crate) async fn recommended_articles(
        &self,
        article: &CollegeArticle,
        size: u32,
    ) -> Result<Vec<CollegeArticleSummary>> {
        let request = ListRecommendedArticlesRequest {
            article_id: article.id.to_string(),
            locale: self.locale_name(),
            size,
            ..ListRecommendedArticlesRequest::default()
        };
        let is_company = article.kind == COMPANY_ARTICLE;
        let tag = if is_company { tags::COLLEGE_COMPANY } else { tags::COLLEGE_ARTICLES };
        let mut college = self.data.services.college()?;
        let call = college.list_recommended_articles(request);
        let items = self.read([tag], never, call).await?.items;
        self.tag_college_articles(&items);
        Ok(items)
    }

    fn tag_college_articles(&self, articles: &[CollegeArticleSummary]) {
        self.tag(articles.iter().map(|article| tags::college_article(article.id)));
    }

    pub(crate) async fn company_articles(
        &self,
        size: u32,
        cursor: String,
    ) -> Result<ListCompanyArticlesResponse> {
        let request = ListCompanyArticlesRequest { locale: self.locale_name(), size, cursor };
        let mut college = self.data.services.college()?;
        let call = college.list_company_articles(request);
        self.read([tags::COLLEGE_COMPANY], |list| list.next_change_at, call).await
    }
}
