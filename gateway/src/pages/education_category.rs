//! `/education/category/{categoryId?}`

use sahm_proto::{
    Localize,
    content::v1::{ListCategoriesRequest, ListCoursesRequest},
    page::v1::EducationCategoryPage,
    tags,
};

use super::{ItemKind, LoadContext, LoadError, PageHead, pagination::read_page};
use crate::canonical_paths;

const PAGE_SIZE: u32 = 12;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationCategoryPage, LoadError> {
    let id = cx.id("categoryId")?;
    let categories = cx.read([tags::COLLEGE_CATEGORIES], ListCategoriesRequest {}).await?.items;
    let category = match id {
        Some(id) => categories.iter().find(|category| category.id == id),
        None => categories.first(),
    };
    let mut category = category.cloned().ok_or(LoadError::Missing(ItemKind::Category))?;
    category.localize(cx.locale());
    let cursor = cx.request.query.cursor.as_deref();
    let tags = [tags::COLLEGE_CATEGORIES, tags::COLLEGE_ARTICLES];
    let (courses, continued) = read_page(cursor, |cursor| {
        let (category_id, locale) = (category.id, cx.locale_name());
        cx.read(tags, ListCoursesRequest { category_id, size: PAGE_SIZE, cursor, locale })
    })
    .await?;
    let head = PageHead {
        title: &category.name,
        description: &category.description,
        path: Some(canonical_paths::category(category.id)),
        noindex: cursor.is_some(),
        ..PageHead::default()
    };
    Ok(EducationCategoryPage {
        frame: cx.frame(head),
        categories,
        category: Some(category),
        courses: courses.items,
        next_cursor: courses.next_cursor,
        continued,
        lessons: courses.lessons,
    })
}
