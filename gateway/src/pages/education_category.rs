//! `/education/category/{categoryId?}`

use sahm_proto::{Localize, page::v1::EducationCategoryPage};

use super::{ItemKind, LoadContext, LoadError, PageHead, pagination::read_page};
use crate::canonical_paths;

const PAGE_SIZE: u32 = 12;

pub(super) async fn load(cx: &LoadContext<'_>) -> Result<EducationCategoryPage, LoadError> {
    let id = cx.id("categoryId")?;
    let categories = cx.categories().await?;
    let category = match id {
        Some(id) => categories.iter().find(|category| category.id == id),
        None => categories.first(),
    };
    let mut category = category.cloned().ok_or(LoadError::Missing(ItemKind::Category))?;
    category.localize(cx.locale());
    let cursor = cx.request.query.cursor.as_deref();
    let (courses, continued) =
        read_page(cursor, |cursor| cx.courses(category.id, PAGE_SIZE, cursor)).await?;
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
