//! `/education/article/{articleId}/…` and `/company-news/detail/{articleId}/…`

use sahm_chassis::error::Result;
use sahm_proto::{
    content::v1::{
        CollegeArticle, CollegeArticleSummary, CollegeStep, GetCollegeArticleRequest,
        GetCollegeBreadcrumbRequest, ListRecommendedArticlesRequest,
    },
    page::v1::EducationArticlePage,
    tags,
};

use super::{
    ItemKind, LoadContext, LoadError, PageHead, json_ld::ArticleData, links::localize_links,
};
use crate::canonical_paths::{self, COMPANY_ARTICLE};

/// Number of recommended articles.
pub(super) const RECOMMENDED_SIZE: u32 = 4;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationArticlePage, LoadError> {
    let name = cx.required_name("articleId")?;
    let request = GetCollegeArticleRequest {
        article_id: name.text(),
        locale: cx.locale_name(),
        course_id: cx.name("courseId")?.map(|name| name.text()).unwrap_or_default(),
        category_id: cx.id("categoryId")?.unwrap_or_default(),
    };
    let response = cx.find(name.id().map(tags::college_article), request).await?;
    let Some(mut article) = response.article else {
        cx.tag([tags::COLLEGE_ARTICLES, tags::COLLEGE_COMPANY]);
        return Err(LoadError::Missing(ItemKind::Article));
    };
    cx.tag([tags::college_article(article.id)]);
    if article.kind != COMPANY_ARTICLE {
        let (category, course) = (article.category_id, article.course_id);
        cx.tag([tags::college_category(category), tags::college_course(course)]);
    }
    article.body_html = localize_links(&article.body_html, cx.locale());
    let parts = parts(cx, &article, breadcrumb(cx, &article), recommended(cx, &article)).await;

    let path = canonical_paths::college_article(&article.kind, &article.slug, article.id);
    let mut json_ld = vec![cx.article_json_ld(&ArticleData {
        kind: if article.kind == COMPANY_ARTICLE { "NewsArticle" } else { "Article" },
        title: &article.title,
        summary: &article.summary,
        locale: &article.locale,
        published_at: article.published_at,
        updated_at: article.updated_at,
        author: &article.author,
        path: &path,
    })];
    // The last step of the breadcrumb is the page itself.
    let above = parts.breadcrumb.len().saturating_sub(1);
    let steps = parts.breadcrumb.iter().enumerate().map(|(at, step)| {
        (step.name.as_str(), if at < above { step.link.as_str() } else { path.as_str() })
    });
    json_ld.extend(cx.breadcrumb_json_ld(steps));
    let head = PageHead {
        title: &article.title,
        description: &article.summary,
        locales: &article.available_locales,
        og_type: "article",
        path: Some(path),
        json_ld,
        ..PageHead::default()
    };
    Ok(EducationArticlePage {
        frame: cx.frame(head),
        article: Some(article),
        videos: response.videos,
        ..parts
    })
}

/// What a page shows beside an article.
pub(super) async fn parts(
    cx: &LoadContext<'_>,
    article: &CollegeArticle,
    breadcrumb: impl Future<Output = Result<Vec<CollegeStep>>>,
    recommended: impl Future<Output = Result<Vec<CollegeArticleSummary>>>,
) -> EducationArticlePage {
    let (breadcrumb, course_articles, recommended) =
        tokio::join!(breadcrumb, cx.course_articles(article), recommended);
    EducationArticlePage {
        other_language: article.locale != cx.locale().as_str(),
        breadcrumb: cx.optional("breadcrumb", breadcrumb).unwrap_or_default(),
        course_articles: cx.optional("course", course_articles).unwrap_or_default(),
        recommended: cx.optional("recommended", recommended).unwrap_or_default(),
        ..EducationArticlePage::default()
    }
}

/// The breadcrumb of an article; empty for an article about the company.
async fn breadcrumb(cx: &LoadContext<'_>, article: &CollegeArticle) -> Result<Vec<CollegeStep>> {
    if article.kind == COMPANY_ARTICLE {
        return Ok(Vec::new());
    }
    let request = GetCollegeBreadcrumbRequest {
        article_id: article.id.to_string(),
        locale: cx.locale_name(),
        ..Default::default()
    };
    Ok(cx.read([tags::college_course(article.course_id)], request).await?.items)
}

async fn recommended(
    cx: &LoadContext<'_>,
    article: &CollegeArticle,
) -> Result<Vec<CollegeArticleSummary>> {
    let request = ListRecommendedArticlesRequest {
        article_id: article.id.to_string(),
        locale: cx.locale_name(),
        size: RECOMMENDED_SIZE,
        ..Default::default()
    };
    let is_company = article.kind == COMPANY_ARTICLE;
    let tag = if is_company { tags::COLLEGE_COMPANY } else { tags::COLLEGE_ARTICLES };
    let items = cx.read([tag], request).await?.items;
    cx.tag_college_articles(&items);
    Ok(items)
}
