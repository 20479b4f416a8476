//! Stores entries. New and changed ones are written in one transaction with their tags in the
//! change log.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sahm_chassis::{
    Result, changes,
    store::{Engine, delete},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    domain::{Entry, EntryKind, Media},
    store::{
        BATCH, ContentStore, ImportSummary,
        entities::{article_listing, entry_listing, media},
        entries::rows::{self, Columns, key, locale_name, of_ids},
    },
};

/// Number of changes after which PostgreSQL's planner statistics are refreshed.
const CHANGES_BEFORE_ANALYZE: usize = 500;

#[derive(Default)]
struct Plan<'a> {
    /// By collection.
    entries: Vec<&'a Entry>,
    media: Vec<&'a Media>,
    tags: BTreeSet<String>,
    soft_tags: BTreeSet<&'static str>,
    summary: ImportSummary,
}

impl ContentStore {
    /// Stores entries and their media atomically. If several entries have the same key, the last
    /// one wins.
    pub async fn put(&self, entries: &[Entry], media: &[Media], now: u32) -> Result<ImportSummary> {
        let plan = Plan::make(self.store.reader(), entries, media).await?;
        if plan.is_empty() {
            return Ok(plan.summary);
        }
        let summary = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                put(tx, entries, media, now).await
            })
            .await?;
        if summary.added + summary.changed >= CHANGES_BEFORE_ANALYZE
            && self.store.engine() == Engine::Postgres
        {
            // Autovacuum runs a minute or more after an import. SQLite's plans use the keys.
            let analyze = "ANALYZE article_text, article_listing, entry, entry_listing";
            let analyzed =
                self.store.write(async |tx| Ok(tx.execute_unprepared(analyze).await?)).await;
            // The entries are committed: autovacuum refreshes the statistics later.
            if let Err(error) = analyzed {
                tracing::warn!(%error, "planner statistics not refreshed");
            }
        }
        Ok(summary)
    }
}

/// [`ContentStore::put`] within a transaction that holds the change log's lock.
pub(crate) async fn put(
    tx: &DatabaseTransaction,
    entries: &[Entry],
    media: &[Media],
    now: u32,
) -> Result<ImportSummary> {
    let plan = Plan::make(tx, entries, media).await?;
    if plan.is_empty() {
        return Ok(plan.summary);
    }
    for media in &plan.media {
        let row = media::ActiveModel {
            name: Set(media.name.to_string()),
            content_type: Set(media.kind.content_type().to_owned()),
            body: Set(media.body.clone()),
        };
        insert(tx, vec![row]).await?;
    }
    for collection in plan.entries.chunk_by(|one, next| collection(one) == collection(next)) {
        for entries in collection.chunks(BATCH) {
            rows::write(tx, entries, now).await?;
            list(tx, entries).await?;
        }
    }
    append_changes(tx, plan.tags, plan.soft_tags).await?;
    Ok(plan.summary)
}

fn collection(entry: &Entry) -> &'static str {
    entry.kind().collection()
}

/// Appends tags to the change log: `hard` for hard purges, `soft` for soft ones.
pub(crate) async fn append_changes(
    tx: &DatabaseTransaction,
    hard: BTreeSet<String>,
    soft: BTreeSet<&'static str>,
) -> Result<()> {
    let soft = soft.into_iter().map(str::to_owned).collect::<Vec<_>>();
    for (tags, is_soft) in [(hard.into_iter().collect(), false), (soft, true)] {
        if !tags.is_empty() {
            changes::append(tx, &tags, is_soft).await?;
        }
    }
    Ok(())
}

/// Replaces the list positions of entries, which all belong to one collection.
async fn list(tx: &DatabaseTransaction, entries: &[&Entry]) -> Result<()> {
    let Some(kind) = entries.first().map(|entry| entry.kind()) else { return Ok(()) };
    let mut by_locale: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    let (mut articles, mut others) = (Vec::new(), Vec::new());
    for entry in entries {
        let (locale, id) = (locale_name(entry.locale), key(entry.id)?);
        by_locale.entry(locale).or_default().push(id);
        for (list, rank) in entry.list_positions() {
            let (list, locale) = (Set(list), Set(locale.to_owned()));
            let published_at = Set(entry.published_at.into());
            if kind == EntryKind::News {
                let id = Set(id);
                articles.push(article_listing::ActiveModel { list, locale, published_at, id });
            } else {
                others.push(entry_listing::ActiveModel {
                    list,
                    locale,
                    rank: Set(rank),
                    id: Set(id),
                    kind: Set(kind.collection().to_owned()),
                    published_at,
                });
            }
        }
    }
    for (locale, ids) in by_locale {
        delist(tx, kind, &ids, Some(locale)).await?;
    }
    insert(tx, articles).await?;
    insert(tx, others).await
}

async fn insert<A: ActiveModelTrait>(tx: &DatabaseTransaction, rows: Vec<A>) -> Result<()> {
    for rows in rows.chunks(BATCH) {
        A::Entity::insert_many(rows.to_vec()).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Removes entries from all lists, in one locale or in all. Tabs are never listed.
pub(crate) async fn delist(
    tx: &DatabaseTransaction,
    kind: EntryKind,
    ids: &[i64],
    locale: Option<&str>,
) -> Result<()> {
    let mut filter = of_ids(ids);
    if let Some(locale) = locale {
        filter = filter.add(Expr::col("locale").eq(locale));
    }
    match kind {
        EntryKind::News => delete::<article_listing::Entity>(tx, filter).await?,
        EntryKind::NewsTab => 0,
        kind => {
            let filter = filter.add(entry_listing::Column::Kind.eq(kind.collection()));
            delete::<entry_listing::Entity>(tx, filter).await?
        }
    };
    Ok(())
}

impl<'a> Plan<'a> {
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.media.is_empty()
    }

    async fn make<C: ConnectionTrait>(
        db: &C,
        entries: &'a [Entry],
        media: &'a [Media],
    ) -> Result<Self> {
        let mut collections: BTreeMap<&str, BTreeMap<_, &Entry>> = BTreeMap::new();
        for entry in entries {
            let collection = collections.entry(collection(entry)).or_default();
            collection.insert((entry.id, entry.locale), entry);
        }
        let mut plan = Self::default();
        for entries in collections.into_values() {
            let entries: Vec<&Entry> = entries.into_values().collect();
            for entries in entries.chunks(BATCH) {
                plan.add(db, entries).await?;
            }
        }
        plan.add_media(db, media).await?;
        Ok(plan)
    }

    /// Adds the entries that differ from the stored ones; all belong to one collection.
    async fn add<C: ConnectionTrait>(&mut self, db: &C, entries: &[&'a Entry]) -> Result<()> {
        let Some(first) = entries.first() else { return Ok(()) };
        let ids = entries.iter().map(|entry| key(entry.id)).collect::<Result<BTreeSet<_>>>()?;
        let filter = of_ids(&ids.into_iter().collect::<Vec<_>>());
        let rows = rows::rows(db, first.kind(), filter, Columns::All, None).await?;
        let stored: HashMap<_, _> =
            rows.into_iter().map(|row| ((row.entry.id, row.entry.locale), row.entry)).collect();
        for &entry in entries {
            let before = stored.get(&(entry.id, entry.locale));
            if !self.summary.count(before, entry) {
                continue;
            }
            self.tags.extend(before.map(Entry::tags).into_iter().flatten());
            self.tags.extend(entry.tags());
            self.soft_tags.extend(entry.kind().soft_tags());
            self.entries.push(entry);
        }
        Ok(())
    }

    async fn add_media<C: ConnectionTrait>(&mut self, db: &C, media: &'a [Media]) -> Result<()> {
        let mut stored = HashSet::new();
        for media in media.chunks(BATCH) {
            let names = media.iter().map(|media| media.name.as_str());
            let found: Vec<String> = media::Entity::find()
                .select_only()
                .column(media::Column::Name)
                .filter(media::Column::Name.is_in(names))
                .into_tuple()
                .all(db)
                .await?;
            stored.extend(found);
        }
        let new = media.iter().filter(|media| stored.insert(media.name.to_string()));
        self.media.extend(new);
        Ok(())
    }
}
