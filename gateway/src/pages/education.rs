//! `/education`

use sahm_proto::page::v1::EducationPage;

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationPage, LoadError> {
    let home = cx.college_home().await?;
    Ok(EducationPage {
        frame: cx.frame(PageHead::default()),
        modules: home.modules,
        hot_courses: home.hot_courses,
        research_centre: home.research_centre,
        latest_articles: home.latest_articles,
        lessons: home.lessons,
    })
}
