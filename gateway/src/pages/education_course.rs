//! `/education/course/{courseId}/{categoryId?}`

use sahm_proto::{Localize, page::v1::EducationCoursePage};

use super::{ItemKind, LoadContext, LoadError, PageHead};
use crate::canonical_paths;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationCoursePage, LoadError> {
    let (name, category_id) = (cx.required_name("courseId")?, cx.id("categoryId")?);
    let response = cx.course(&name, category_id.unwrap_or_default()).await?;
    let mut course = response.course.ok_or(LoadError::Missing(ItemKind::Course))?;
    course.localize(cx.locale());
    let breadcrumb = cx.course_breadcrumb(course.id).await;
    let breadcrumb = cx.optional("breadcrumb", breadcrumb).unwrap_or_default();
    let steps = breadcrumb.iter().map(|step| (step.name.as_str(), step.link.as_str()));
    let head = PageHead {
        title: &course.name,
        description: &course.summary,
        path: Some(canonical_paths::course(&course.slug, course.id)),
        json_ld: cx.breadcrumb_json_ld(steps).into_iter().collect(),
        ..PageHead::default()
    };
    Ok(EducationCoursePage {
        frame: cx.frame(head),
        course: Some(course),
        articles: response.articles,
        breadcrumb,
        videos: response.videos,
    })
}
