//! Articles, the way to them and what to read next.
use sahm_chassis::{Error, Result, cursor};
use sahm_proto::content::v1 as wire;

use super::{CollegeCalls, GROUP_MAX, MISSING, holds};
use crate::{
    domain::{Course, Cursor, Entry, EntryData, EntryKind, Locale, Name, PAGE_SIZE, lists},
    rpc::{asked, college_convert as convert},
};

impl CollegeCalls {
    pub(super) async fn articles(
        &self,
        asked: wire::ListCollegeArticlesRequest,
    ) -> Result<wire::ListCollegeArticlesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let lists = self.article_lists(&asked).await?;
        let list = format!("articles:{}:{}", asked.category_id, asked.course_id);
        let after = cursor::decode(&list, &asked.cursor)?;
        let (locale, now) = (Some(Locale::asked(&asked.locale)), self.clock.now());
        let page = self
            .store
            .entries_of(EntryKind::CollegeArticle, &lists, locale, after, size, now)
            .await?;
        Ok(wire::ListCollegeArticlesResponse {
            items: self.summaries(&page.items).await?,
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    /// The lists that hold what is asked.
    async fn article_lists(&self, asked: &wire::ListCollegeArticlesRequest) -> Result<Vec<String>> {
        if asked.course_id.is_empty() {
            if asked.category_id == 0 {
                return Ok(vec![lists::ARTICLES.to_owned()]);
            }
            self.known_category(asked.category_id).await?;
            let list = lists::category(asked.category_id);
            let courses = self.listed(EntryKind::CollegeCourse, &list, GROUP_MAX).await?.items;
            return Ok(courses.iter().map(|entry| lists::newest_of_course(entry.id)).collect());
        }
        let name = asked::name("course_id", &asked.course_id, MISSING)?;
        let id = self.id(EntryKind::CollegeCourse, &name).await?;
        let categories = self.categories_of(&[id]).await?;
        holds(asked.category_id, *categories.get(&id).ok_or_else(|| Error::of(MISSING))?)?;
        Ok(vec![lists::course(id)])
    }

    pub(super) async fn company(
        &self,
        asked: wire::ListCompanyArticlesRequest,
    ) -> Result<wire::ListCompanyArticlesResponse> {
        let size = asked::size(asked.size, PAGE_SIZE)?;
        let (list, now) = (lists::COMPANY, self.clock.now());
        let after = cursor::decode(list, &asked.cursor)?;
        let locale = Some(Locale::asked(&asked.locale));
        let page =
            self.store.entries(EntryKind::CollegeArticle, list, locale, after, size, now).await?;
        Ok(wire::ListCompanyArticlesResponse {
            items: self.summaries(&page.items).await?,
            next_cursor: asked::next(list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    pub(super) async fn article(
        &self,
        asked: wire::GetCollegeArticleRequest,
    ) -> Result<wire::GetCollegeArticleResponse> {
        let name = asked::name("article_id", &asked.article_id, MISSING)?;
        let course = asked::optional_name(&asked.course_id, MISSING)?;
        let held =
            self.held(EntryKind::CollegeArticle, &name, Locale::asked(&asked.locale)).await?;
        let text = held.entry.text().ok_or_else(|| Error::of(MISSING))?;
        if let Some(name) = course {
            holds(self.id(EntryKind::CollegeCourse, &name).await?, text.parent)?;
        }
        let categories = self.categories_of(&[text.parent]).await?;
        let category = categories.get(&text.parent).copied().unwrap_or(0);
        holds(asked.category_id, category)?;
        let id = held.entry.id;
        let counts = self.store.counts(EntryKind::CollegeArticle, &[id]).await?;
        let counts = counts.get(&id).copied().unwrap_or_default();
        let (videos, next_video) = self.videos(&lists::article_videos(id)).await?;
        let changes = [held.next_change_at, next_video];
        Ok(wire::GetCollegeArticleResponse {
            article: Some(convert::article(&held, text, category, counts)),
            next_change_at: changes.into_iter().flatten().min().unwrap_or(0),
            videos,
        })
    }

    pub(super) async fn recommended(
        &self,
        asked: wire::ListRecommendedArticlesRequest,
    ) -> Result<wire::ListRecommendedArticlesResponse> {
        let name = asked::name("article_id", &asked.article_id, MISSING)?;
        let list = format!("recommended-articles:{}", asked.article_id);
        let part = asked::Part::asked(list, asked.size, PAGE_SIZE, &asked.cursor)?;
        let reach = part.reach();
        let locale = Locale::asked(&asked.locale);
        let entry = self.held(EntryKind::CollegeArticle, &name, locale).await?.entry;
        let text = entry.text().ok_or_else(|| Error::of(MISSING))?;
        let mut found = Vec::new();
        let (locale, now) = (Some(locale), self.clock.now());
        let newest = if matches!(entry.data, EntryData::CompanyArticle(_)) {
            lists::COMPANY
        } else {
            let list = lists::course(text.parent);
            let here = Cursor { rank: text.position.into(), id: entry.id };
            let after = self
                .store
                .entries(EntryKind::CollegeArticle, &list, locale, Some(here), reach, now)
                .await?;
            found.extend(after.items);
            lists::ARTICLES
        };
        // Those that were found already and the article itself may be among the newest.
        let most = 2 * reach + 1;
        let others =
            self.store.entries(EntryKind::CollegeArticle, newest, locale, None, most, now).await?;
        for other in others.items {
            if other.id != entry.id && found.iter().all(|one| one.id != other.id) {
                found.push(other);
            }
        }
        let (found, next_cursor) = part.cut(found);
        let items = self.summaries(&found).await?;
        Ok(wire::ListRecommendedArticlesResponse { items, next_cursor })
    }

    pub(super) async fn breadcrumb(
        &self,
        asked: wire::GetCollegeBreadcrumbRequest,
    ) -> Result<wire::GetCollegeBreadcrumbResponse> {
        let locale = Locale::asked(&asked.locale);
        let article = asked::optional_name(&asked.article_id, MISSING)?;
        let course = asked::optional_name(&asked.course_id, MISSING)?;
        if article.is_none() && course.is_none() && asked.category_id == 0 {
            return Err(Error::field("category_id", "one of the ids is needed"));
        }
        let article = match article {
            Some(name) => Some(self.held(EntryKind::CollegeArticle, &name, locale).await?.entry),
            None => None,
        };
        let mut course = match course {
            Some(name) => Some(self.held(EntryKind::CollegeCourse, &name, locale).await?.entry),
            None => None,
        };
        if let Some(text) = article.as_ref().and_then(Entry::text) {
            match &course {
                Some(course) => holds(course.id, text.parent)?,
                None if text.parent != 0 => {
                    course = Some(
                        self.held(EntryKind::CollegeCourse, &Name::Id(text.parent), locale)
                            .await?
                            .entry,
                    );
                }
                None => holds(asked.category_id, 0)?,
            }
        }
        let category_id = match course.as_ref().and_then(Entry::course) {
            Some(Course { category, .. }) => {
                holds(asked.category_id, *category)?;
                *category
            }
            None => asked.category_id,
        };
        let category = match category_id {
            0 => None,
            id => Some(self.held(EntryKind::CollegeCategory, &Name::Id(id), locale).await?.entry),
        };
        let parents = (category_id, course.as_ref().map_or(0, |course| course.id));
        let steps = [category, course, article];
        let steps = steps.iter().flatten().map(|entry| convert::step(entry, parents, locale));
        Ok(wire::GetCollegeBreadcrumbResponse { items: steps.collect() })
    }

    pub(super) async fn batch(
        &self,
        asked: wire::BatchGetCollegeArticlesRequest,
    ) -> Result<wire::BatchGetCollegeArticlesResponse> {
        asked::batch(&asked.ids)?;
        let locale = Some(Locale::asked(&asked.locale));
        let now = self.clock.now();
        let found =
            self.store.entries_by_id(EntryKind::CollegeArticle, &asked.ids, locale, now).await?;
        Ok(wire::BatchGetCollegeArticlesResponse { items: self.summaries(&found).await? })
    }

    pub(super) async fn refs(
        &self,
        asked: wire::ListCollegeArticleRefsRequest,
    ) -> Result<wire::ListCollegeArticleRefsResponse> {
        let size = asked::refs_size(asked.size)?;
        let now = self.clock.now();
        let list = "college-article-refs";
        let after = cursor::decode(list, &asked.cursor)?.unwrap_or(asked.after_id);
        let mut found =
            self.store.entry_refs(EntryKind::CollegeArticle, after, size + 1, now).await?;
        let next_cursor = cursor::cut(list, &mut found, size as usize, |last| last.entry.id);
        let items = found.into_iter().map(convert::article_ref).collect();
        Ok(wire::ListCollegeArticleRefsResponse { items, next_cursor })
    }

    pub(super) async fn withdraw(
        &self,
        asked: wire::WithdrawCollegeArticlesRequest,
    ) -> Result<wire::WithdrawCollegeArticlesResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids =
            self.store.withdraw_entries(EntryKind::CollegeArticle, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawCollegeArticlesResponse { withdrawn_ids })
    }
}
