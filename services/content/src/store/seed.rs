//! Seeds an empty database once.
use sahm_chassis::{Result, changes};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    PaginatorTrait, QueryFilter,
};

use crate::domain::{Contents, Entry, EntryKind};
use crate::store::{
    ContentStore, ImportSummary,
    entities::{article_text as text, entry, news_tab, seed_mark as mark},
    entries::{put::put, rows::insert_new},
};

impl ContentStore {
    /// Whether any kind is not yet marked as seeded.
    pub async fn wants_seed(&self) -> Result<bool> {
        let marks = mark::Entity::find().count(self.store.reader()).await?;
        Ok(marks < EntryKind::collections().count() as u64)
    }

    /// Whether the store contains no news and no other entries.
    pub async fn is_empty(&self) -> Result<bool> {
        let texts = text::Entity::find().count(self.store.reader()).await?;
        Ok(texts + entry::Entity::find().count(self.store.reader()).await? == 0)
    }

    /// Stores the seed of every kind that has no items and was never seeded, in one transaction.
    /// Kinds that were emptied after seeding stay empty.
    pub async fn seed(&self, seed: &Contents, now: u32) -> Result<ImportSummary> {
        self.store
            .write(async |tx| {
                // When several replicas start together, one seeds and the others find the marks.
                changes::lock(tx).await?;
                let mut wanted = Vec::new();
                for kind in EntryKind::collections() {
                    if mark_once(tx, kind, now).await? && is_empty(tx, kind).await? {
                        wanted.push(kind);
                    }
                }
                if wanted.is_empty() {
                    return Ok(ImportSummary::default());
                }
                let is_wanted = |entry: &&Entry| {
                    wanted.iter().any(|kind| kind.collection() == entry.kind().collection())
                };
                let entries: Vec<Entry> = seed.entries.iter().filter(is_wanted).cloned().collect();
                put(tx, &entries, &seed.media, now).await
            })
            .await
    }
}

/// Marks a kind as seeded; false if it was marked already.
async fn mark_once(tx: &DatabaseTransaction, kind: EntryKind, now: u32) -> Result<bool> {
    let row = mark::ActiveModel { kind: Set(kind.as_str().to_owned()), seeded_at: Set(now.into()) };
    insert_new(tx, row).await
}

async fn is_empty<C: ConnectionTrait>(db: &C, kind: EntryKind) -> Result<bool> {
    let rows = match kind {
        EntryKind::News => text::Entity::find().count(db).await?,
        EntryKind::NewsTab => news_tab::Entity::find().count(db).await?,
        kind => {
            let of_kind = entry::Column::Kind.eq(kind.collection());
            entry::Entity::find().filter(of_kind).count(db).await?
        }
    };
    Ok(rows == 0)
}
