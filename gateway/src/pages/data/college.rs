//! The education section, and articles about the company.

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{
        CollegeArticle, CollegeArticleSummary, CollegeStep, GetCollegeBreadcrumbRequest,
        ListCollegeArticlesRequest, ListCompanyArticlesRequest, ListCompanyArticlesResponse,
    },
    tags,
};

use super::LoadContext;
use crate::canonical_paths::COMPANY_ARTICLE;

/// Number of articles of a course to read; no course has more.
const MAX_COURSE_ARTICLES: u32 = 50;

impl LoadContext<'_> {
    /// The breadcrumb of a course.
    pub(crate) async fn course_breadcrumb(&self, course_id: u64) -> Result<Vec<CollegeStep>> {
        let request = GetCollegeBreadcrumbRequest {
            course_id: course_id.to_string(),
            locale: self.locale_name(),
            ..Default::default()
        };
        Ok(self.read([tags::college_course(course_id)], request).await?.items)
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
            ..Default::default()
        };
        let list = self.read([tags::college_course(article.course_id)], request).await?;
        self.tag_college_articles(&list.items);
        Ok(list.items)
    }

    pub(crate) fn tag_college_articles(&self, articles: &[CollegeArticleSummary]) {
        self.tag(articles.iter().map(|article| tags::college_article(article.id)));
    }

    pub(crate) async fn company_articles(
        &self,
        size: u32,
        cursor: String,
    ) -> Result<ListCompanyArticlesResponse> {
        let request = ListCompanyArticlesRequest { locale: self.locale_name(), size, cursor };
        self.read([tags::COLLEGE_COMPANY], request).await
    }
}
