//! `/education/course/{courseId}/{categoryId?}`

use sahm_proto::{Localize, content::v1::GetCourseRequest, page::v1::EducationCoursePage, tags};

use super::{ItemKind, LoadContext, LoadError, PageHead};
use crate::canonical_paths;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationCoursePage, LoadError> {
    let name = cx.required_name("courseId")?;
    let request = GetCourseRequest {
        course_id: name.text(),
        locale: cx.locale_name(),
        // Of another category, the course is not found.
        category_id: cx.id("categoryId")?.unwrap_or_default(),
    };
    let response = cx.find(name.id().map(tags::college_course), request).await?;
    let Some(mut course) = response.course else {
        cx.tag([tags::COLLEGE_CATEGORIES]);
        return Err(LoadError::Missing(ItemKind::Course));
    };
    cx.tag([tags::college_category(course.category_id), tags::college_course(course.id)]);
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
