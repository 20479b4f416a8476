//! `/education`

use sahm_proto::{content::v1::GetHomeRequest, page::v1::EducationPage, tags};

use super::{LoadContext, LoadError, PageHead};

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationPage, LoadError> {
    let tags = [tags::COLLEGE_CATEGORIES, tags::COLLEGE_ARTICLES];
    let home = cx.read(tags, GetHomeRequest { locale: cx.locale_name() }).await?;
    Ok(EducationPage {
        frame: cx.frame(PageHead::default()),
        modules: home.modules,
        hot_courses: home.hot_courses,
        research_centre: home.research_centre,
        latest_articles: home.latest_articles,
        lessons: home.lessons,
    })
}
