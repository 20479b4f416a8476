//! Articles, their breadcrumbs and recommendations.
use std::collections::HashMap;

use sahm_chassis::{Error, Result, cursor};
use sahm_proto::content::v1 as wire;

use super::{CollegeRpc, MISSING, convert, earliest, require_parent};
use crate::{
    domain::{Course, Cursor, Entry, EntryKind, IdOrSlug, Locale, PAGE_SIZE, lists},
    rpc::{entries::ListPage, recommendations::RecommendationPage, validate},
};

impl CollegeRpc {
    /// The category of each of these courses.
    async fn categories_of(&self, courses: &[u64]) -> Result<HashMap<u64, u64>> {
        let found = self.entries.by_ids(EntryKind::CollegeCourse, courses, None).await?;
        Ok(found.iter().filter_map(|entry| Some((entry.id, entry.course()?.category))).collect())
    }

    pub(super) async fn summaries(
        &self,
        entries: &[Entry],
    ) -> Result<Vec<wire::CollegeArticleSummary>> {
        let ids: Vec<u64> = entries.iter().map(|entry| entry.id).collect();
        let mut parents: Vec<u64> =
            entries.iter().filter_map(|entry| Some(entry.text()?.parent)).collect();
        parents.sort_unstable();
        parents.dedup();
        let counts = self.entries.store.counts(EntryKind::CollegeArticle, &ids).await?;
        let categories = self.categories_of(&parents).await?;
        let summary = |entry: &Entry| {
            let text = entry.text()?;
            let category = categories.get(&text.parent).copied().unwrap_or(0);
            let counts = counts.get(&entry.id).copied().unwrap_or_default();
            Some(convert::summary(entry, text, category, counts))
        };
        Ok(entries.iter().filter_map(summary).collect())
    }

    /// A page of the articles of a course, of a category or of the whole college.
    pub(super) async fn article_page(
        &self,
        request: wire::ListCollegeArticlesRequest,
    ) -> Result<ListPage> {
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let lists = self.article_lists(&request).await?;
        let list = format!("articles:{}:{}", request.category_id, request.course_id);
        let after = cursor::decode(&list, &request.cursor)?;
        let (locale, now) =
            (Some(Locale::parse_or_english(&request.locale)), self.entries.clock.now());
        let kind = EntryKind::CollegeArticle;
        let page = self.entries.store.entries_of(kind, &lists, locale, after, size, now).await?;
        Ok(ListPage::of(&list, page))
    }

    /// The lists that contain the requested articles.
    async fn article_lists(
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

    pub(super) async fn article(
        &self,
        request: wire::GetCollegeArticleRequest,
    ) -> Result<wire::GetCollegeArticleResponse> {
        let name = validate::id_or_slug("article_id", &request.article_id, MISSING)?;
        let course = validate::optional_id_or_slug(&request.course_id, MISSING)?;
        let (kind, locale) = (EntryKind::CollegeArticle, Locale::parse_or_english(&request.locale));
        let found = self.find(kind, &name, locale).await?;
        let text = found.entry.text().ok_or_else(|| Error::of(MISSING))?;
        if let Some(name) = course {
            require_parent(self.id(EntryKind::CollegeCourse, &name).await?, text.parent)?;
        }
        let categories = self.categories_of(&[text.parent]).await?;
        let category = categories.get(&text.parent).copied().unwrap_or(0);
        require_parent(request.category_id, category)?;
        let id = found.entry.id;
        let counts = self.entries.store.counts(kind, &[id]).await?;
        let counts = counts.get(&id).copied().unwrap_or_default();
        let (videos, next_video) = self.videos(&lists::article_videos(id)).await?;
        Ok(wire::GetCollegeArticleResponse {
            article: Some(convert::article(&found, text, category, counts)),
            next_change_at: earliest([found.next_change_at, next_video]),
            videos,
        })
    }

    pub(super) async fn recommended(
        &self,
        request: wire::ListRecommendedArticlesRequest,
    ) -> Result<wire::ListRecommendedArticlesResponse> {
        let name = validate::id_or_slug("article_id", &request.article_id, MISSING)?;
        let list = format!("recommended-articles:{}", request.article_id);
        let page = RecommendationPage::new(list, request.size, PAGE_SIZE, &request.cursor)?;
        let (kind, locale) = (EntryKind::CollegeArticle, Locale::parse_or_english(&request.locale));
        let entry = self.find(kind, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let (mut found, locale, now) = (Vec::new(), Some(locale), self.entries.clock.now());
        let store = &self.entries.store;
        let newest = if entry.kind() == EntryKind::CompanyArticle {
            lists::COMPANY
        } else {
            let list = lists::course(text.parent);
            let after = Some(Cursor { rank: text.position.into(), id: entry.id });
            let later = store.entries(kind, &list, locale, after, page.reach(), now).await?;
            found.extend(later.items);
            lists::ARTICLES
        };
        // The newest articles may include the article itself and recommendations already found.
        let size = 2 * page.reach() + 1;
        for other in store.entries(kind, newest, locale, None, size, now).await?.items {
            if other.id != entry.id && found.iter().all(|one: &Entry| one.id != other.id) {
                found.push(other);
            }
        }
        let (found, next_cursor) = page.cut(found);
        let items = self.summaries(&found).await?;
        Ok(wire::ListRecommendedArticlesResponse { items, next_cursor })
    }

    async fn optional_entry(
        &self,
        kind: EntryKind,
        name: Option<IdOrSlug>,
        locale: Locale,
    ) -> Result<Option<Entry>> {
        let Some(name) = name else { return Ok(None) };
        Ok(Some(self.find(kind, &name, locale).await?.entry))
    }

    pub(super) async fn breadcrumb(
        &self,
        request: wire::GetCollegeBreadcrumbRequest,
    ) -> Result<wire::GetCollegeBreadcrumbResponse> {
        let locale = Locale::parse_or_english(&request.locale);
        let article = validate::optional_id_or_slug(&request.article_id, MISSING)?;
        let course = validate::optional_id_or_slug(&request.course_id, MISSING)?;
        if article.is_none() && course.is_none() && request.category_id == 0 {
            return Err(Error::field("category_id", "one of the ids is required"));
        }
        let article = self.optional_entry(EntryKind::CollegeArticle, article, locale).await?;
        let mut course = self.optional_entry(EntryKind::CollegeCourse, course, locale).await?;
        if let Some(text) = article.as_ref().and_then(Entry::text) {
            match &course {
                Some(course) => require_parent(course.id, text.parent)?,
                None if text.parent != 0 => {
                    let parent = Some(IdOrSlug::Id(text.parent));
                    let kind = EntryKind::CollegeCourse;
                    course = self.optional_entry(kind, parent, locale).await?;
                }
                None => require_parent(request.category_id, 0)?,
            }
        }
        let category_id = match course.as_ref().and_then(Entry::course) {
            Some(Course { category, .. }) => {
                require_parent(request.category_id, *category)?;
                *category
            }
            None => request.category_id,
        };
        let name = (category_id != 0).then_some(IdOrSlug::Id(category_id));
        let category = self.optional_entry(EntryKind::CollegeCategory, name, locale).await?;
        let parents = (category_id, course.as_ref().map_or(0, |course| course.id));
        let steps = [category, course, article];
        let steps = steps.iter().flatten().map(|entry| convert::step(entry, parents, locale));
        Ok(wire::GetCollegeBreadcrumbResponse { items: steps.collect() })
    }
}
