//! Articles of the college and about the company, and the list of the latter.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{
        CollegeArticle, CollegeArticleSummary, CollegeStep, GetCollegeArticleRequest,
        GetCollegeArticleResponse, GetCollegeBreadcrumbRequest, ListCollegeArticlesRequest,
        ListCompanyArticlesRequest, ListRecommendedArticlesRequest,
    },
    page::v1::{CompanyNewsListPage, EducationArticlePage},
    tags,
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest,
    frame::PageHead,
    json_ld::ArticleData,
    links::localised,
    lists::page_of,
    parameters::{self, Name},
};
use crate::{routes::Match, services::reading};

/// `CollegeArticle.kind` of an article about the company.
pub(super) const COMPANY: &str = "company-article";

/// Articles a page of company news.
const COMPANY_ARTICLES: u32 = 12;

/// Articles beside an article of its course: a course has no more.
const COURSE_ARTICLES: u32 = 50;

/// How many recommended articles stand below.
pub(super) const RECOMMENDED: u32 = 4;

impl Loaders {
    pub(super) async fn college_article(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let asked = parameters::name(matched, "articleId");
        let category_id = parameters::id(matched, "categoryId");
        let course_id = parameters::name(matched, "courseId");
        let (Ok(Some(asked)), Ok(category_id), Ok(course_id)) = (asked, category_id, course_id)
        else {
            return Ok(self.not_found(request, None));
        };
        let locale = request.visitor.locale.as_str();
        let answer =
            reading(self.services.college()?.get_college_article(GetCollegeArticleRequest {
                article_id: asked.text(),
                locale: locale.to_owned(),
                course_id: course_id.map(|name| name.text()).unwrap_or_default(),
                category_id: category_id.unwrap_or_default(),
            }))
            .await;
        let answer = match answer {
            Err(error) if error.code() == ErrorCode::CourseNotFound => None,
            answer => Some(answer?),
        };
        let GetCollegeArticleResponse { article, next_change_at, videos } =
            answer.unwrap_or_default();
        let Some(mut article) = article else {
            return Ok(self.not_found(request, Some(("article", missing_tags(&asked)))));
        };
        article.body_html = localised(&article.body_html, request.visitor.locale);
        let mut found = Found::default();
        found.changes_at(next_change_at);
        found.tag(tags::college_article(article.id));
        let company = article.kind == COMPANY;
        found.tag(if company { tags::COLLEGE_COMPANY } else { tags::COLLEGE_ARTICLES });
        if !company {
            found.tag(tags::college_category(article.category_id));
            found.tag(tags::college_course(article.course_id));
        }

        let (breadcrumb, siblings, recommended) = tokio::join!(
            self.article_trail(&article, locale),
            self.course_articles(&article, locale),
            self.recommended(&article, locale),
        );
        let breadcrumb = found.optional("breadcrumb", breadcrumb).unwrap_or_default();
        let course_articles = found.optional("course", siblings).unwrap_or_default();
        let recommended = found.optional("recommended", recommended).unwrap_or_default();
        let shown = course_articles.iter().chain(&recommended);
        found.tags.extend(shown.map(|article| tags::college_article(article.id)));

        let path = article_path(&article);
        let mut json_ld = vec![self.article_json_ld(&ArticleData {
            kind: if company { "NewsArticle" } else { "Article" },
            title: &article.title,
            summary: &article.summary,
            locale: &article.locale,
            published_at: article.published_at,
            updated_at: article.updated_at,
            author: &article.author,
            path: &path,
        })];
        // The last step is the page itself, under its own address.
        let above = breadcrumb.len().saturating_sub(1);
        let steps = breadcrumb.iter().enumerate().map(|(at, step)| {
            (step.name.as_str(), if at < above { step.link.as_str() } else { path.as_str() })
        });
        json_ld.extend(self.breadcrumb_json_ld(request.visitor.locale, steps));
        let head = PageHead {
            title: &article.title,
            description: &article.summary,
            locales: &article.available_locales,
            og_type: "article",
            path: Some(path),
            json_ld,
            ..PageHead::default()
        };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = EducationArticlePage {
            frame: Some(frame),
            other_language: article.locale != locale,
            article: Some(article),
            breadcrumb,
            course_articles,
            recommended,
            videos,
        };
        let document = Document::EducationArticle(Box::new(document));
        Ok(found.loaded(200, matched.page.as_str(), document))
    }

    async fn article_trail(
        &self,
        article: &CollegeArticle,
        locale: &str,
    ) -> Result<Vec<CollegeStep>, Error> {
        if article.kind == COMPANY {
            return Ok(Vec::new());
        }
        let request = GetCollegeBreadcrumbRequest {
            article_id: article.id.to_string(),
            locale: locale.to_owned(),
            ..GetCollegeBreadcrumbRequest::default()
        };
        Ok(reading(self.services.college()?.get_college_breadcrumb(request)).await?.items)
    }

    pub(super) async fn course_articles(
        &self,
        article: &CollegeArticle,
        locale: &str,
    ) -> Result<Vec<CollegeArticleSummary>, Error> {
        if article.kind == COMPANY {
            return Ok(Vec::new());
        }
        let request = ListCollegeArticlesRequest {
            course_id: article.course_id.to_string(),
            locale: locale.to_owned(),
            size: COURSE_ARTICLES,
            ..ListCollegeArticlesRequest::default()
        };
        Ok(reading(self.services.college()?.list_college_articles(request)).await?.items)
    }

    async fn recommended(
        &self,
        article: &CollegeArticle,
        locale: &str,
    ) -> Result<Vec<CollegeArticleSummary>, Error> {
        let request = ListRecommendedArticlesRequest {
            article_id: article.id.to_string(),
            locale: locale.to_owned(),
            size: RECOMMENDED,
            ..Default::default()
        };
        Ok(reading(self.services.college()?.list_recommended_articles(request)).await?.items)
    }

    pub(super) async fn company_news(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let (list, continued) = page_of(request.query.cursor.as_deref(), |cursor| async {
            let locale = request.visitor.locale.as_str().to_owned();
            let request = ListCompanyArticlesRequest { locale, size: COMPANY_ARTICLES, cursor };
            reading(self.services.college()?.list_company_articles(request)).await
        })
        .await?;
        let head = PageHead { noindex: request.query.cursor.is_some(), ..PageHead::default() };
        found.tag(tags::COLLEGE_COMPANY);
        found.changes_at(list.next_change_at);
        let document = CompanyNewsListPage {
            frame: Some(self.frame_of_page(request, matched.page, head)),
            articles: list.items,
            next_cursor: list.next_cursor,
            continued,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::CompanyNews(Box::new(document))))
    }
}

fn missing_tags(asked: &Name) -> Vec<String> {
    let mut missing = vec![tags::COLLEGE_ARTICLES.to_owned(), tags::COLLEGE_COMPANY.to_owned()];
    if let Name::Id(id) = asked {
        missing.push(tags::college_article(*id));
    }
    missing
}

/// Where an article is at home, whatever page it was asked under.
fn article_path(article: &CollegeArticle) -> String {
    let under = match article.kind.as_str() {
        COMPANY => "/company-news/detail",
        _ => "/education/article",
    };
    match article.slug.as_str() {
        "" => format!("{under}/{}", article.id),
        slug => format!("{under}/{slug}"),
    }
}
