//! Queries for entries. `now` is in epoch seconds; entries published after it are not returned.
use std::collections::{BTreeMap, HashMap};

use sahm_chassis::Result;
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, Func},
};

use crate::{
    domain::{Cursor, Entry, EntryKind, IdOrSlug, Locale, Page, SearchDocument},
    store::{
        BATCH, ContentStore,
        entities::{article_listing, entry, entry_listing},
        entries::rows::{Columns, StoredRow, key, keys, locale_name, number, of_ids, rows},
    },
};

/// Maximum number of entries of a kind that are read at once.
const MAX_COLLECTION_ENTRIES: u64 = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    pub entry: Entry,
    /// Epoch seconds of the last import that changed it.
    pub updated_at: u32,
    /// The locales in which it is published now; empty for bilingual entries.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of its next publication after `now`, in any locale.
    pub next_change_at: Option<u32>,
}

impl ContentStore {
    /// A page of a list; `locale` is `None` for lists of bilingual entries. The cost is independent
    /// of the page's position and the list's length, because the primary key is in list order.
    pub async fn entries(
        &self,
        kind: EntryKind,
        list: &str,
        locale: Option<Locale>,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Entry>> {
        self.entries_of(kind, &[list.to_owned()], locale, after, size, now).await
    }

    /// A page of several lists merged into one. Costs a query for each list and two for all.
    pub async fn entries_of(
        &self,
        kind: EntryKind,
        lists: &[String],
        locale: Option<Locale>,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Entry>> {
        let mut positions = Vec::new();
        for list in lists {
            positions.extend(self.list_positions(kind, list, locale, after, size, now).await?);
        }
        let next_change_at = self.next_publication(kind, lists, locale, now).await?;
        if lists.len() > 1 {
            positions.sort_unstable();
        }
        let size = size as usize;
        let more = positions.len() > size;
        positions.truncate(size);
        let next = positions.last().copied().filter(|_| more);
        let ids: Vec<u64> = positions.iter().map(|position| position.id).collect();
        let items = self.entries_by_id(kind, &ids, locale, now).await?.items;
        Ok(Page { items, next, next_change_at })
    }

    /// Up to `size` + 1 positions of a list after a cursor. Articles are ordered by publication
    /// time, newest first; other kinds by ascending rank.
    async fn list_positions(
        &self,
        kind: EntryKind,
        list: &str,
        locale: Option<Locale>,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Vec<Cursor>> {
        let is_news = kind == EntryKind::News;
        let rank = if is_news { "published_at" } else { "rank" };
        let mut filter = in_lists(&[list], locale);
        if let Some(after) = after {
            let position = Expr::tuple([Expr::col(rank), Expr::col("id")]);
            let after = Expr::tuple([Expr::val(after.rank), Expr::val(key(after.id)?)]);
            filter = filter.add(if is_news { position.lt(after) } else { position.gt(after) });
        }
        // After the cursor, because SQLite seeks to the first bound of a column only.
        let filter = filter.add(Expr::col("published_at").lte(now));
        let limit = u64::from(size) + 1;
        if is_news {
            let positions = article_listing::Entity::find().filter(filter);
            self.positions(positions, rank, Order::Desc, limit).await
        } else {
            let positions = entry_listing::Entity::find().filter(filter);
            self.positions(positions, rank, Order::Asc, limit).await
        }
    }

    async fn positions<E: EntityTrait>(
        &self,
        rows: Select<E>,
        rank: &'static str,
        order: Order,
        limit: u64,
    ) -> Result<Vec<Cursor>> {
        let columns = [Expr::col(rank), Expr::col("id")];
        let rows = rows.select_only().exprs(columns.clone()).limit(limit);
        let rows =
            columns.into_iter().fold(rows, |rows, column| rows.order_by(column, order.clone()));
        let rows: Vec<(i64, i64)> = rows.into_tuple().all(self.store.reader()).await?;
        rows.into_iter().map(|(rank, id)| Ok(Cursor { rank, id: number(id)? })).collect()
    }

    /// The time of the next publication in any of these lists.
    pub async fn next_publication(
        &self,
        kind: EntryKind,
        lists: &[String],
        locale: Option<Locale>,
        now: u32,
    ) -> Result<Option<u32>> {
        let ahead = in_lists(lists, locale).add(Expr::col("published_at").gt(now));
        let column = "published_at";
        match kind {
            EntryKind::News => {
                self.minimum(article_listing::Entity::find().filter(ahead), column).await
            }
            _ => self.minimum(entry_listing::Entity::find().filter(ahead), column).await,
        }
    }

    /// The smallest value of a column; `None` without rows.
    async fn minimum<E: EntityTrait, N: TryFrom<i64>>(
        &self,
        rows: Select<E>,
        column: &'static str,
    ) -> Result<Option<N>> {
        let rows = rows.select_only().expr(Func::min(Expr::col(column)));
        let value: Option<Option<i64>> = rows.into_tuple().one(self.store.reader()).await?;
        value.flatten().map(number).transpose()
    }

    /// Entries without bodies by id, in the order requested, without duplicates. Missing ones are
    /// omitted; `next_change_at` is the time of the next publication among them.
    pub async fn entries_by_id(
        &self,
        kind: EntryKind,
        ids: &[u64],
        locale: Option<Locale>,
        now: u32,
    ) -> Result<Page<Entry>> {
        let (mut found, mut next_change_at) = (HashMap::with_capacity(ids.len()), None);
        let filter = of_ids(&keys(ids)).add(Expr::col("locale").eq(locale_name(locale)));
        let rows = rows(self.store.reader(), kind, filter, Columns::WithoutBody, None).await?;
        for StoredRow { entry, .. } in rows {
            if entry.published_at <= now {
                found.insert(entry.id, entry);
            } else {
                let ahead = Some(entry.published_at);
                next_change_at = next_change_at.into_iter().chain(ahead).min();
            }
        }
        let items = ids.iter().filter_map(|id| found.remove(id)).collect();
        Ok(Page { items, next: None, next_change_at })
    }

    /// A page of the bilingual entries of a kind, ordered by id; its cursors have rank 0.
    pub async fn entries_by_kind(
        &self,
        kind: EntryKind,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Entry>> {
        let after = after.map_or(Ok(0), |position| key(position.id))?;
        let filter = Condition::all()
            .add(Expr::col("locale").eq(""))
            .add(Expr::col("id").gt(after))
            .add(Expr::col("published_at").lte(now));
        let limit = Some(u64::from(size) + 1);
        let rows = rows(self.store.reader(), kind, filter, Columns::WithoutBody, limit).await?;
        let ahead = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Locale.eq(""))
            .filter(entry::Column::PublishedAt.gt(now));
        let next_change_at = self.minimum(ahead, "published_at").await?;
        let mut items: Vec<Entry> = rows.into_iter().map(|row| row.entry).collect();
        let more = items.len() > size as usize;
        items.truncate(size as usize);
        let next = items.last().filter(|_| more).map(|entry| Cursor { rank: 0, id: entry.id });
        Ok(Page { items, next, next_change_at })
    }

    /// All bilingual entries of a kind, ordered by id, at most 20,000.
    pub async fn all_of(&self, kind: EntryKind, now: u32) -> Result<Vec<Entry>> {
        let filter = Condition::all()
            .add(Expr::col("locale").eq(""))
            .add(Expr::col("published_at").lte(now));
        let limit = Some(MAX_COLLECTION_ENTRIES);
        let rows = rows(self.store.reader(), kind, filter, Columns::All, limit).await?;
        Ok(rows.into_iter().map(|row| row.entry).collect())
    }

    /// Resolves an id or slug to an id. If several items have the same slug, the smallest id wins.
    pub async fn entry_id(&self, kind: EntryKind, name: &IdOrSlug) -> Result<Option<u64>> {
        let slug = match name {
            IdOrSlug::Id(id) => return Ok(Some(*id)),
            IdOrSlug::Slug(slug) => slug,
        };
        let entries = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Slug.eq(slug.as_str()));
        self.minimum(entries, "id").await
    }

    /// A bilingual entry, or a text in the requested locale with the other one as fallback; `None`
    /// if nothing is published.
    pub async fn entry(
        &self,
        kind: EntryKind,
        id: u64,
        requested: Locale,
        now: u32,
    ) -> Result<Option<StoredEntry>> {
        let filter = of_ids(&keys(&[id]));
        let rows = rows(self.store.reader(), kind, filter, Columns::All, None).await?;
        let (shown, ahead): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.entry.published_at <= now);
        let next_change_at = ahead.iter().map(|row| row.entry.published_at).min();
        let found = in_locale(shown, requested);
        Ok(found.map(|found| StoredEntry { next_change_at, ..found }))
    }

    /// `size` entries without bodies, each in one of its locales, with ids above `after`, in id
    /// order. Their `updated_at` is the time of the last import that changed one of their texts, or
    /// of their publication.
    pub async fn entry_refs(
        &self,
        kind: EntryKind,
        after: u64,
        size: u32,
        now: u32,
    ) -> Result<Vec<StoredEntry>> {
        // An entry has at most one row per locale, so this many rows contain the first `size`
        // entries completely.
        let limit = Some(u64::from(size) * Locale::ALL.len() as u64);
        let filter = above(after).add(Expr::col("published_at").lte(now));
        let rows = rows(self.store.reader(), kind, filter, Columns::WithoutBody, limit).await?;
        let mut refs: BTreeMap<u64, StoredEntry> = BTreeMap::new();
        for StoredRow { entry, updated_at } in rows {
            let (locale, updated_at) = (entry.locale, Ord::max(updated_at, entry.published_at));
            let new = StoredEntry {
                entry,
                updated_at: 0,
                available_locales: Vec::new(),
                next_change_at: None,
            };
            let found = refs.entry(new.entry.id).or_insert(new);
            found.available_locales.extend(locale);
            found.available_locales.sort();
            found.updated_at = Ord::max(found.updated_at, updated_at);
        }
        Ok(refs.into_values().take(size as usize).collect())
    }

    /// The texts of about `size` entries of a collection with ids above `after`, for the search
    /// index; includes unpublished ones.
    pub async fn search_documents(
        &self,
        kind: EntryKind,
        after: u64,
        size: u64,
    ) -> Result<Vec<SearchDocument>> {
        // The texts of an entry are adjacent.
        let limit = size * Locale::ALL.len() as u64;
        let rows = rows(self.store.reader(), kind, above(after), Columns::All, Some(limit + 1));
        let mut rows = rows.await?;
        if rows.len() as u64 > limit
            && let Some(last) = rows.last().map(|last| last.entry.id)
        {
            // The limit may have cut off a text of the last entry.
            rows.retain(|row| row.entry.id != last);
        }
        Ok(rows.into_iter().filter_map(|row| SearchDocument::of(row.entry)).collect())
    }

    /// The texts of entries of a collection, for the search index.
    pub async fn search_documents_of(
        &self,
        kind: EntryKind,
        ids: &[u64],
    ) -> Result<Vec<SearchDocument>> {
        let mut found = Vec::new();
        for keys in keys(ids).chunks(BATCH) {
            let rows = rows(self.store.reader(), kind, of_ids(keys), Columns::All, None).await?;
            found.extend(rows.into_iter().filter_map(|row| SearchDocument::of(row.entry)));
        }
        Ok(found)
    }
}

/// The text of one entry in the requested locale, with the other one as fallback.
pub(crate) fn in_locale(rows: Vec<StoredRow>, requested: Locale) -> Option<StoredEntry> {
    let mut available_locales: Vec<Locale> =
        rows.iter().filter_map(|row| row.entry.locale).collect();
    available_locales.sort();
    let row = rows.into_iter().max_by_key(|row| row.entry.locale == Some(requested))?;
    let StoredRow { entry, updated_at } = row;
    Some(StoredEntry { entry, updated_at, available_locales, next_change_at: None })
}

fn above(id: u64) -> Condition {
    Condition::all().add(Expr::col("id").gt(i64::try_from(id).unwrap_or(i64::MAX)))
}

fn in_lists<L: AsRef<str>>(lists: &[L], locale: Option<Locale>) -> Condition {
    Condition::all()
        .add(Expr::col("list").is_in(lists.iter().map(AsRef::as_ref)))
        .add(Expr::col("locale").eq(locale_name(locale)))
}
