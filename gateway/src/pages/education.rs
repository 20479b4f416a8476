//! `/education` and its categories and courses.

use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::{
    content::v1::{
        CollegeCategory, GetCollegeBreadcrumbRequest, GetCourseRequest, GetHomeRequest,
        ListCategoriesRequest, ListCoursesRequest,
    },
    page::v1::{EducationCategoryPage, EducationCoursePage, EducationPage},
    tags,
};

use super::{
    Document, Found, Loaded, Loaders, PageRequest,
    frame::PageHead,
    lists::page_of,
    parameters::{self, Name},
};
use crate::{routes::Match, services::reading, visitor::Locale};

/// Courses a page of a category.
const COURSES: u32 = 12;

impl Loaders {
    pub(super) async fn education(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let mut found = Found::default();
        let locale = request.visitor.locale.as_str().to_owned();
        let home = reading(self.services.college()?.get_home(GetHomeRequest { locale })).await?;
        found.tag(tags::COLLEGE_CATEGORIES);
        found.tag(tags::COLLEGE_ARTICLES);
        found.changes_at(home.next_change_at);
        let document = EducationPage {
            frame: Some(self.frame_of_page(request, matched.page, PageHead::default())),
            modules: home.modules,
            hot_courses: home.hot_courses,
            research_centre: home.research_centre,
            latest_articles: home.latest_articles,
        };
        Ok(found.loaded(200, matched.page.as_str(), Document::Education(Box::new(document))))
    }

    pub(super) async fn education_category(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let Ok(asked) = parameters::id(matched, "categoryId") else {
            return Ok(self.not_found(request, None));
        };
        let mut college = self.services.college()?;
        let categories = reading(college.list_categories(ListCategoriesRequest {})).await?.items;
        let category = match asked {
            Some(id) => categories.iter().find(|category| category.id == id),
            None => categories.first(),
        };
        let Some(category) = category.cloned() else {
            let missing = ("category", vec![tags::COLLEGE_CATEGORIES.to_owned()]);
            return Ok(self.not_found(request, Some(missing)));
        };
        let mut found = Found::default();
        found.tag(tags::COLLEGE_CATEGORIES);
        let name = category_name(&category, request.visitor.locale);
        let description = match request.visitor.locale {
            Locale::ArSa => &category.description_sa,
            Locale::EnUs => &category.description_en,
        };
        let head = PageHead {
            title: name,
            description,
            path: Some(format!("/education/category/{}", category.id)),
            noindex: request.query.cursor.is_some(),
            ..PageHead::default()
        };
        let (courses, continued) = page_of(request.query.cursor.as_deref(), |cursor| async {
            let request = ListCoursesRequest { category_id: category.id, size: COURSES, cursor };
            reading(self.services.college()?.list_courses(request)).await
        })
        .await?;
        let frame = self.frame_of_page(request, matched.page, head);
        found.changes_at(courses.next_change_at);
        let document = EducationCategoryPage {
            frame: Some(frame),
            categories,
            category: Some(category),
            courses: courses.items,
            next_cursor: courses.next_cursor,
            continued,
        };
        let document = Document::EducationCategory(Box::new(document));
        Ok(found.loaded(200, matched.page.as_str(), document))
    }

    pub(super) async fn education_course(
        &self,
        request: &PageRequest,
        matched: &Match,
    ) -> Result<Loaded, Error> {
        let asked = parameters::name(matched, "courseId");
        let category_id = parameters::id(matched, "categoryId");
        let (Ok(Some(asked)), Ok(category_id)) = (asked, category_id) else {
            return Ok(self.not_found(request, None));
        };
        let locale = request.visitor.locale;
        let answer = reading(self.services.college()?.get_course(GetCourseRequest {
            course_id: asked.text(),
            locale: locale.as_str().to_owned(),
            category_id: category_id.unwrap_or_default(),
        }))
        .await;
        let answer = match answer {
            Err(error) if error.code() == ErrorCode::CourseNotFound => None,
            answer => Some(answer?),
        };
        let course = answer.as_ref().and_then(|answer| answer.course.clone());
        let (Some(answer), Some(course)) = (answer, course) else {
            let mut missing = vec![tags::COLLEGE_CATEGORIES.to_owned()];
            if let Name::Id(id) = asked {
                missing.push(tags::college_course(id));
            }
            return Ok(self.not_found(request, Some(("course", missing))));
        };
        let mut found = Found::default();
        found.tag(tags::college_category(course.category_id));
        found.tag(tags::college_course(course.id));
        found.changes_at(answer.next_change_at);

        let breadcrumb =
            reading(self.services.college()?.get_college_breadcrumb(GetCollegeBreadcrumbRequest {
                course_id: course.id.to_string(),
                locale: locale.as_str().to_owned(),
                ..GetCollegeBreadcrumbRequest::default()
            }))
            .await;
        let breadcrumb =
            found.optional("breadcrumb", breadcrumb).map(|b| b.items).unwrap_or_default();
        let (name, summary) = match locale {
            Locale::ArSa => (&course.name_sa, &course.summary_sa),
            Locale::EnUs => (&course.name_en, &course.summary_en),
        };
        let steps = breadcrumb.iter().map(|step| (step.name.as_str(), step.link.as_str()));
        let head = PageHead {
            title: if name.is_empty() { &course.name } else { name },
            description: if summary.is_empty() { &course.summary } else { summary },
            path: Some(course_path(&course.slug, course.id)),
            json_ld: self.breadcrumb_json_ld(locale, steps).into_iter().collect(),
            ..PageHead::default()
        };
        let frame = self.frame_of_page(request, matched.page, head);
        let document = EducationCoursePage {
            frame: Some(frame),
            course: Some(course),
            articles: answer.articles,
            breadcrumb,
            videos: answer.videos,
        };
        let document = Document::EducationCourse(Box::new(document));
        Ok(found.loaded(200, matched.page.as_str(), document))
    }
}

fn category_name(category: &CollegeCategory, locale: Locale) -> &str {
    let own = match locale {
        Locale::ArSa => &category.name_sa,
        Locale::EnUs => &category.name_en,
    };
    if own.is_empty() { &category.name } else { own }
}

fn course_path(slug: &str, id: u64) -> String {
    match slug {
        "" => format!("/education/course/{id}"),
        slug => format!("/education/course/{slug}"),
    }
}
