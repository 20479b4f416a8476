//! Articles and the lists that contain them.
use std::collections::HashMap;

use sahm_chassis::{Error, Result};
use sahm_proto::content::v1 as wire;

use super::{MISSING, convert, require_parent};
use crate::{
    domain::{Entry, EntryKind, IdOrSlug, Locale, lists},
    rpc::{entries::ContentRpc, validate},
};

impl ContentRpc {
    /// The category of each of these courses.
    pub(super) async fn categories_of(&self, courses: &[u64]) -> Result<HashMap<u64, u64>> {
        let found = self.by_ids(EntryKind::CollegeCourse, courses, None).await?;
        Ok(found.iter().filter_map(|entry| Some((entry.id, entry.course()?.category))).collect())
    }

    pub(super) async fn college_summaries(
        &self,
        entries: &[Entry],
    ) -> Result<Vec<wire::CollegeArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let mut parents: Vec<u64> =
            entries.iter().filter_map(|entry| Some(entry.text()?.parent)).collect();
        parents.sort_unstable();
        parents.dedup();
        let counts = self.store.counts(EntryKind::CollegeArticle, &ids).await?;
        let categories = self.categories_of(&parents).await?;
        let summary = |entry: &Entry| {
            let text = entry.text()?;
            let category = categories.get(&text.parent).copied().unwrap_or(0);
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Some(convert::summary(entry, text, category, counts))
        };
        Ok(entries.iter().filter_map(summary).collect())
    }

    /// The lists that contain the requested articles.
    pub(super) async fn article_lists(
        &self,
        request: &wire::ListCollegeArticlesRequest,
    ) -> Result<Vec<String>> {
        if request.course_id.is_empty() {
            if request.category_id == 0 {
                return Ok(vec![lists::ARTICLES.to_owned()]);
            }
            self.require_category(request.category_id).await?;
            let courses = self.courses(&lists::category(request.category_id)).await?;
            return Ok(courses.iter().map(|entry| lists::newest_of_course(entry.id)).collect());
        }
        let name = validate::id_or_slug("course_id", &request.course_id, MISSING)?;
        let id = self.id(EntryKind::CollegeCourse, &name).await?;
        let categories = self.categories_of(&[id]).await?;
        let category = *categories.get(&id).ok_or_else(|| Error::of(MISSING))?;
        require_parent(request.category_id, category)?;
        Ok(vec![lists::course(id)])
    }

    pub(super) async fn optional_entry(
        &self,
        kind: EntryKind,
        name: Option<IdOrSlug>,
        locale: Locale,
    ) -> Result<Option<Entry>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(self.find(kind, &name, locale).await?.entry))
    }
}
