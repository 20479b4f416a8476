//! `/education/article/{articleId}/…` and `/company-news/detail/{articleId}/…`

use sahm_proto::page::v1::EducationArticlePage;

use super::{LoadContext, LoadError, PageHead, json_ld::ArticleData, links::localize_links};
use crate::canonical_paths::{self, COMPANY_ARTICLE};

/// Number of recommended articles.
pub(super) const RECOMMENDED_SIZE: u32 = 4;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationArticlePage, LoadError> {
    let (name, category_id) = (cx.required_name("articleId")?, cx.id("categoryId")?);
    let course_id = cx.name("courseId")?.map(|name| name.text()).unwrap_or_default();
    let (mut article, response) =
        cx.college_article(&name, category_id.unwrap_or_default(), course_id).await?;
    article.body_html = localize_links(&article.body_html, cx.locale());
    let (breadcrumb, course_articles, recommended) = tokio::join!(
        cx.article_breadcrumb(&article),
        cx.course_articles(&article),
        cx.recommended_articles(&article, RECOMMENDED_SIZE),
    );
    let breadcrumb = cx.optional("breadcrumb", breadcrumb).unwrap_or_default();

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
    let above = breadcrumb.len().saturating_sub(1);
    let steps = breadcrumb.iter().enumerate().map(|(at, step)| {
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
        other_language: article.locale != cx.locale().as_str(),
        article: Some(article),
        breadcrumb,
        course_articles: cx.optional("course", course_articles).unwrap_or_default(),
        recommended: cx.optional("recommended", recommended).unwrap_or_default(),
        videos: response.videos,
    })
}
