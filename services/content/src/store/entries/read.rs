//! Questions about entries that change nothing. `now` is in epoch seconds; what is dated after it
//! is not there.
use std::collections::{BTreeMap, HashMap};

use sahm_chassis::Result;
use sea_orm::{
    ColumnTrait, DerivePartialModel, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, Func},
};

use crate::domain::{Cursor, Entry, EntryKind, IdOrSlug, Locale, Page};
use crate::store::{
    BATCH, ContentStore,
    entities::{entry, entry_listing as listing},
    entries::put::of_row,
    news::rows::{key, locale, number},
};

/// The most entries of a kind that are read at once.
const MAX_COLLECTION_ENTRIES: u64 = 20_000;

/// One entry whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// With its text.
    pub entry: Entry,
    /// Epoch seconds of the last import that changed it.
    pub updated_at: u32,
    /// The locales in which it can be read now; empty for what is bilingual.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of the earliest publication of it that lies ahead.
    pub next_change_at: Option<u32>,
}

/// An entry's addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRef {
    /// One of its texts, without body.
    pub entry: Entry,
    /// The locales in which it can be read now.
    pub available_locales: Vec<Locale>,
    /// Epoch seconds of the last import that changed one of its texts, or of its publication.
    pub updated_at: u32,
}

#[derive(DerivePartialModel)]
#[sea_orm(entity = "entry::Entity")]
struct HeadRow {
    kind: String,
    id: i64,
    locale: String,
    slug: String,
    published_at: i64,
    updated_at: i64,
    data: String,
}

impl HeadRow {
    fn entry(self) -> Result<Entry> {
        of_row(entry::Model {
            kind: self.kind,
            id: self.id,
            locale: self.locale,
            slug: self.slug,
            published_at: self.published_at,
            updated_at: self.updated_at,
            data: self.data,
            body_html: String::new(),
        })
    }
}

impl ContentStore {
    /// A page of a list; `locale` is `None` for lists of what is bilingual. It costs the same
    /// wherever it lies in the list and however long that is: the key of the listing is its order.
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

    /// A page of several lists as if they were one. Each list costs one query.
    pub async fn entries_of(
        &self,
        kind: EntryKind,
        lists: &[String],
        locale: Option<Locale>,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Entry>> {
        let name = locale.map_or("", |locale| locale.as_str());
        let mut places = Vec::new();
        let mut next_change_at = None;
        for list in lists {
            places.extend(self.places(list, name, after, size, now).await?);
            let ahead = self.next_entry(list, name, now).await?;
            next_change_at = next_change_at.into_iter().chain(ahead).min();
        }
        places.sort_unstable();
        let size = size as usize;
        let more = places.len() > size;
        places.truncate(size);
        let next = places.last().copied().filter(|_| more);
        let ids: Vec<u64> = places.iter().map(|place| place.id).collect();
        let items = self.entries_by_id(kind, &ids, locale, now).await?;
        Ok(Page { items, next, next_change_at })
    }

    /// The first `size` places after one, and one more.
    async fn places(
        &self,
        list: &str,
        locale: &str,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Vec<Cursor>> {
        use listing::Column::{Id, List, Locale as In, PublishedAt, Rank};
        let mut requested = listing::Entity::find()
            .select_only()
            .columns([Rank, Id])
            .filter(List.eq(list))
            .filter(In.eq(locale))
            .filter(PublishedAt.lte(now));
        if let Some(after) = after {
            let place = Expr::tuple([Expr::col(Rank), Expr::col(Id)]);
            let seen = Expr::tuple([Expr::val(after.rank), Expr::val(key(after.id)?)]);
            requested = requested.filter(place.gt(seen));
        }
        let rows: Vec<(i64, i64)> = requested
            .order_by_asc(Rank)
            .order_by_asc(Id)
            .limit(u64::from(size) + 1)
            .into_tuple()
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(|(rank, id)| Ok(Cursor { rank, id: number(id)? })).collect()
    }

    /// When the next entry that is dated ahead enters a list.
    async fn next_entry(&self, list: &str, locale: &str, now: u32) -> Result<Option<u32>> {
        let time: Option<Option<i64>> = listing::Entity::find()
            .filter(listing::Column::List.eq(list))
            .filter(listing::Column::Locale.eq(locale))
            .filter(listing::Column::PublishedAt.gt(now))
            .select_only()
            .expr(Func::min(Expr::col(listing::Column::PublishedAt)))
            .into_tuple()
            .one(self.store.reader())
            .await?;
        time.flatten().map(number).transpose()
    }

    /// Entries without their texts by their ids, in the order requested, each once; those that are
    /// not there are left out.
    pub async fn entries_by_id(
        &self,
        kind: EntryKind,
        ids: &[u64],
        locale: Option<Locale>,
        now: u32,
    ) -> Result<Vec<Entry>> {
        let name = locale.map_or("", |locale| locale.as_str());
        let keys = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect::<Vec<_>>();
        let mut found = HashMap::with_capacity(keys.len());
        for keys in keys.chunks(BATCH) {
            let rows: Vec<HeadRow> = entry::Entity::find()
                .filter(entry::Column::Kind.eq(kind.collection()))
                .filter(entry::Column::Id.is_in(keys.iter().copied()))
                .filter(entry::Column::Locale.eq(name))
                .filter(entry::Column::PublishedAt.lte(now))
                .into_partial_model()
                .all(self.store.reader())
                .await?;
            for row in rows {
                let entry = row.entry()?;
                found.insert(entry.id, entry);
            }
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    /// A page of the bilingual entries of a kind, by id; cursors in it have rank 0.
    pub async fn entries_by_kind(
        &self,
        kind: EntryKind,
        after: Option<Cursor>,
        size: u32,
        now: u32,
    ) -> Result<Page<Entry>> {
        let of_kind = || {
            entry::Entity::find()
                .filter(entry::Column::Kind.eq(kind.collection()))
                .filter(entry::Column::Locale.eq(""))
        };
        let after = after.map(|place| key(place.id)).transpose()?;
        let rows: Vec<HeadRow> = of_kind()
            .filter(entry::Column::Id.gt(after.unwrap_or(0)))
            .filter(entry::Column::PublishedAt.lte(now))
            .order_by_asc(entry::Column::Id)
            .limit(u64::from(size) + 1)
            .into_partial_model()
            .all(self.store.reader())
            .await?;
        let ahead: Option<Option<i64>> = of_kind()
            .filter(entry::Column::PublishedAt.gt(now))
            .select_only()
            .expr(Func::min(Expr::col(entry::Column::PublishedAt)))
            .into_tuple()
            .one(self.store.reader())
            .await?;
        let mut items = rows.into_iter().map(HeadRow::entry).collect::<Result<Vec<_>>>()?;
        let more = items.len() > size as usize;
        items.truncate(size as usize);
        let next = items.last().filter(|_| more).map(|entry| Cursor { rank: 0, id: entry.id });
        Ok(Page { items, next, next_change_at: ahead.flatten().map(number).transpose()? })
    }

    /// Every bilingual entry of a kind by id, at most 20,000.
    pub async fn all_of(&self, kind: EntryKind, now: u32) -> Result<Vec<Entry>> {
        let rows = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Locale.eq(""))
            .filter(entry::Column::PublishedAt.lte(now))
            .order_by_asc(entry::Column::Id)
            .limit(MAX_COLLECTION_ENTRIES)
            .all(self.store.reader())
            .await?;
        rows.into_iter().map(of_row).collect()
    }

    /// The id that a name stands for. Of items with the same slug it is the oldest, the one of
    /// the smallest id.
    pub async fn entry_id(&self, kind: EntryKind, name: &IdOrSlug) -> Result<Option<u64>> {
        let slug = match name {
            IdOrSlug::Id(id) => return Ok(Some(*id)),
            IdOrSlug::Slug(slug) => slug,
        };
        let id: Option<Option<i64>> = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Slug.eq(slug.as_str()))
            .select_only()
            .expr(Func::min(Expr::col(entry::Column::Id)))
            .into_tuple()
            .one(self.store.reader())
            .await?;
        id.flatten().map(number).transpose()
    }

    /// One entry: bilingual, in the requested locale, else in the other one; `None` when it has no
    /// text that is published.
    pub async fn entry(
        &self,
        kind: EntryKind,
        id: u64,
        requested: Locale,
        now: u32,
    ) -> Result<Option<StoredEntry>> {
        let Ok(key) = i64::try_from(id) else { return Ok(None) };
        let rows = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Id.eq(key))
            .all(self.store.reader())
            .await?;
        let (shown, ahead): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.published_at <= now.into());
        let names = shown.iter().map(|row| row.locale.as_str()).filter(|name| !name.is_empty());
        let mut available_locales = names.map(locale).collect::<Result<Vec<_>>>()?;
        available_locales.sort();
        let next_change_at = ahead.iter().map(|row| row.published_at).min();
        let next_change_at = next_change_at.map(number).transpose()?;
        let Some(row) = shown.into_iter().max_by_key(|row| row.locale == requested.as_str()) else {
            return Ok(None);
        };
        let updated_at = number(row.updated_at)?;
        Ok(Some(StoredEntry { entry: of_row(row)?, updated_at, available_locales, next_change_at }))
    }

    /// The bilingual entry of a kind at a path.
    pub async fn entry_at(&self, kind: EntryKind, path: &str) -> Result<Option<Entry>> {
        let row = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Slug.eq(path))
            .one(self.store.reader())
            .await?;
        row.map(of_row).transpose()
    }

    /// The addresses of `size` entries with ids above `after`, in id order.
    pub async fn entry_refs(
        &self,
        kind: EntryKind,
        after: u64,
        size: u32,
        now: u32,
    ) -> Result<Vec<EntryRef>> {
        // No entry has more texts than there are locales, so that this many rows hold all texts
        // of the first `size` entries.
        let rows: Vec<HeadRow> = entry::Entity::find()
            .filter(entry::Column::Kind.eq(kind.collection()))
            .filter(entry::Column::Id.gt(i64::try_from(after).unwrap_or(i64::MAX)))
            .filter(entry::Column::PublishedAt.lte(now))
            .order_by_asc(entry::Column::Id)
            .order_by_asc(entry::Column::Locale)
            .limit(u64::from(size) * Locale::ALL.len() as u64)
            .into_partial_model()
            .all(self.store.reader())
            .await?;
        let mut refs: BTreeMap<u64, EntryRef> = BTreeMap::new();
        for row in rows {
            let updated_at: u32 = number(Ord::max(row.updated_at, row.published_at))?;
            let entry = row.entry()?;
            let locale = entry.locale;
            let new = EntryRef { entry, available_locales: Vec::new(), updated_at: 0 };
            let found = refs.entry(new.entry.id).or_insert(new);
            found.available_locales.extend(locale);
            found.available_locales.sort();
            found.updated_at = Ord::max(found.updated_at, updated_at);
        }
        Ok(refs.into_values().take(size as usize).collect())
    }
}
