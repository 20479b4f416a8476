//! Questions that change nothing. `now` is in epoch seconds; what is dated after it is not there.
use std::collections::{BTreeMap, HashMap, HashSet};

use sahm_chassis::Result;
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, Func},
};

use crate::domain::{
    Article, ArticleRef, Cursor, EntryKind, List, Locale, MediaName, Page, Summary, Tab, is_id,
};
use crate::store::{
    BATCH, ContentStore,
    entities::{article_listing as listing, article_text as text, media, news_tab},
    news::rows::{SummaryRow, key, locale, news_text, number, tab},
};

/// An article, and when time alone will change what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visible<T> {
    /// What is shown now.
    pub item: T,
    /// Epoch seconds of the earliest publication that lies ahead.
    pub next_change_at: Option<u32>,
}

impl ContentStore {
    /// The tabs in the order in which they stand.
    pub async fn tabs(&self) -> Result<Vec<Tab>> {
        let rows = news_tab::Entity::find()
            .order_by_asc(news_tab::Column::Position)
            .order_by_asc(news_tab::Column::Id)
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(tab).collect()
    }

    /// One tab.
    pub async fn tab(&self, id: u64) -> Result<Option<Tab>> {
        if !is_id(id) {
            return Ok(None);
        }
        let row = news_tab::Entity::find_by_id(key(id)?).one(self.store.reader()).await?;
        row.map(tab).transpose()
    }

    /// A page of a list, newest first. It costs the same wherever it lies in the list and however
    /// long that is: the key of the listing is its order.
    pub async fn list(
        &self,
        list: List,
        locale: Locale,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Summary>> {
        use listing::Column::{Id, List as InList, Locale as In, PublishedAt};
        use sea_orm::sea_query::ExprTrait;
        let ahead = (i64::from(now) + 1, 0);
        let (published_at, id) = match after {
            Some(cursor) => ahead.min((cursor.rank, key(cursor.id)?)),
            None => ahead,
        };
        let place = Expr::tuple([Expr::col(PublishedAt), Expr::col(Id)]);
        let mut places: Vec<(i64, i64)> = listing::Entity::find()
            .select_only()
            .columns([PublishedAt, Id])
            .filter(InList.eq(list.as_str()))
            .filter(In.eq(locale.as_str()))
            .filter(place.lt(Expr::tuple([Expr::val(published_at), Expr::val(id)])))
            .order_by_desc(PublishedAt)
            .order_by_desc(Id)
            .limit(u64::from(size) + 1)
            .into_tuple()
            .all(self.store.reader())
            .await?;

        let size = size as usize;
        let more = places.len() > size;
        places.truncate(size);
        let next = match places.last() {
            Some(&(published_at, id)) if more => {
                Some(Cursor { rank: published_at, id: number(id)? })
            }
            _ => None,
        };
        let ids: Vec<i64> = places.into_iter().map(|(_, id)| id).collect();
        let mut found = self.summaries_of(&ids, locale, now).await?;
        let items = ids.iter().filter_map(|id| found.remove(id)).collect();
        let next_change_at = self.next_publication(list, locale, now).await?;
        Ok(Page { items, next, next_change_at })
    }

    /// Articles by their ids, in the order requested, each once; those that are not there are left
    /// out.
    pub async fn summaries(
        &self,
        ids: &[u64],
        locale: Locale,
        now: u32,
    ) -> Result<Visible<Vec<Summary>>> {
        let ids = ids.iter().filter(|&&id| is_id(id)).map(|&id| key(id));
        let ids = ids.collect::<Result<Vec<i64>>>()?;
        let mut found = self.summaries_of(&ids, locale, now).await?;
        let item = ids.iter().filter_map(|id| found.remove(id)).collect();
        let ahead = text::Entity::find()
            .filter(text::Column::Id.is_in(ids))
            .filter(text::Column::Locale.eq(locale.as_str()))
            .filter(text::Column::PublishedAt.gt(now));
        let next_change_at = earliest(ahead, text::Column::PublishedAt, self).await?;
        Ok(Visible { item, next_change_at })
    }

    async fn summaries_of(
        &self,
        ids: &[i64],
        locale: Locale,
        now: u32,
    ) -> Result<HashMap<i64, Summary>> {
        use text::Column::{Id, Locale as In, PublishedAt};
        let mut found = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            let rows: Vec<SummaryRow> = text::Entity::find()
                .filter(Id.is_in(ids.iter().copied()))
                .filter(In.eq(locale.as_str()))
                .filter(PublishedAt.lte(now))
                .into_partial_model()
                .all(self.store.reader())
                .await?;
            let named = rows.iter().map(|row| number(row.id)).collect::<Result<Vec<u64>>>()?;
            let counts = self.counts(EntryKind::News, &named).await?;
            for (row, id) in rows.into_iter().zip(named) {
                let reads = counts.get(&id).map_or(0, |counts| counts.reads);
                found.insert(row.id, row.summary(reads)?);
            }
        }
        Ok(found)
    }

    /// One article in the requested locale, else in the other one; `None` when it has no text that
    /// is published.
    pub async fn article(
        &self,
        id: u64,
        requested: Locale,
        now: u32,
    ) -> Result<Option<Visible<Article>>> {
        if !is_id(id) {
            return Ok(None);
        }
        let rows = text::Entity::find()
            .filter(text::Column::Id.eq(key(id)?))
            .all(self.store.reader())
            .await?;
        let (shown, ahead): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.published_at <= now.into());
        let mut available_locales =
            shown.iter().map(|row| locale(&row.locale)).collect::<Result<Vec<_>>>()?;
        available_locales.sort();
        let row = shown.into_iter().max_by_key(|row| row.locale == requested.as_str());
        let Some(row) = row else { return Ok(None) };
        let counts = self.counts(EntryKind::News, &[id]).await?.remove(&id).unwrap_or_default();
        let next_change_at = ahead.iter().map(|row| row.published_at).min();
        Ok(Some(Visible {
            item: Article {
                updated_at: number(row.updated_at)?,
                read_count: counts.reads,
                like_count: counts.likes,
                available_locales,
                text: news_text(row)?,
            },
            next_change_at: next_change_at.map(number).transpose()?,
        }))
    }

    /// Which of these articles have a text that is published.
    pub async fn published(&self, ids: &[u64], now: u32) -> Result<HashSet<u64>> {
        let mut found = HashSet::with_capacity(ids.len());
        let keys = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect::<Vec<_>>();
        for keys in keys.chunks(BATCH) {
            let rows: Vec<i64> = text::Entity::find()
                .select_only()
                .column(text::Column::Id)
                .filter(text::Column::Id.is_in(keys.iter().copied()))
                .filter(text::Column::PublishedAt.lte(now))
                .into_tuple()
                .all(self.store.reader())
                .await?;
            for id in rows {
                found.insert(number(id)?);
            }
        }
        Ok(found)
    }

    /// How many articles of a list were published after `since`; counts no further than `most`.
    pub async fn newer(
        &self,
        list: List,
        locale: Locale,
        since: u32,
        now: u32,
        most: u32,
    ) -> Result<u32> {
        let newer: Vec<i64> = listing::Entity::find()
            .select_only()
            .column(listing::Column::Id)
            .filter(listing::Column::List.eq(list.as_str()))
            .filter(listing::Column::Locale.eq(locale.as_str()))
            .filter(listing::Column::PublishedAt.gt(since))
            .filter(listing::Column::PublishedAt.lte(now))
            .limit(u64::from(most))
            .into_tuple()
            .all(self.store.reader())
            .await?;
        Ok(u32::try_from(newer.len()).unwrap_or(most))
    }

    /// The addresses of `size` articles with ids above `after`, in id order.
    pub async fn refs(&self, after: u64, size: u32, now: u32) -> Result<Visible<Vec<ArticleRef>>> {
        use text::Column::{Id, Locale as In, PublishedAt, UpdatedAt};
        // No article has more texts than there are locales, so that this many rows hold all
        // texts of the first `size` articles.
        let rows = u64::from(size) * Locale::ALL.len() as u64;
        let rows: Vec<(i64, String, i64, i64)> = text::Entity::find()
            .select_only()
            .columns([Id, In, PublishedAt, UpdatedAt])
            .filter(Id.gt(i64::try_from(after).unwrap_or(i64::MAX)))
            .filter(PublishedAt.lte(now))
            .order_by_asc(Id)
            .order_by_asc(In)
            .limit(rows)
            .into_tuple()
            .all(self.store.reader())
            .await?;
        let mut refs = BTreeMap::new();
        for (id, name, published_at, updated_at) in rows {
            let id = number(id)?;
            let new = ArticleRef { id, available_locales: Vec::new(), updated_at: 0 };
            let found = refs.entry(id).or_insert(new);
            found.available_locales.push(locale(&name)?);
            found.available_locales.sort();
            found.updated_at = found.updated_at.max(number(updated_at.max(published_at))?);
        }
        let item = refs.into_values().take(size as usize).collect();
        let mut next_change_at: Option<u32> = None;
        for locale in Locale::ALL {
            let ahead = self.next_publication(List::All, locale, now).await?;
            next_change_at = next_change_at.into_iter().chain(ahead).min();
        }
        Ok(Visible { item, next_change_at })
    }

    /// When the next article that is dated ahead enters a list.
    async fn next_publication(&self, list: List, locale: Locale, now: u32) -> Result<Option<u32>> {
        let ahead = listing::Entity::find()
            .filter(listing::Column::List.eq(list.as_str()))
            .filter(listing::Column::Locale.eq(locale.as_str()))
            .filter(listing::Column::PublishedAt.gt(now));
        earliest(ahead, listing::Column::PublishedAt, self).await
    }

    /// A picture's type and content.
    pub async fn media(&self, name: &MediaName) -> Result<Option<(String, Vec<u8>)>> {
        let row = media::Entity::find_by_id(name.as_str()).one(self.store.reader()).await?;
        Ok(row.map(|row| (row.content_type, row.body)))
    }
}

async fn earliest<E: EntityTrait>(
    rows: sea_orm::Select<E>,
    time: impl ColumnTrait,
    store: &ContentStore,
) -> Result<Option<u32>> {
    let time: Option<Option<i64>> = rows
        .select_only()
        .expr(Func::min(time.into_expr()))
        .into_tuple()
        .one(store.store.reader())
        .await?;
    time.flatten().map(number).transpose()
}
