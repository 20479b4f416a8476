//! Fills an empty database, once.
use sahm_chassis::{Result, changes};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    PaginatorTrait, QueryFilter, TryInsertResult,
};

use super::{
    ContentStore, Tally,
    entities::{article_text as text, entry, news_tab, seed_mark as mark},
    put::put,
};
use crate::import::{Contents, Item};

/// The kinds of content that have a seed.
const KINDS: [&str; 14] = [
    "news",
    "news-tab",
    "college-category",
    "college-course",
    "college-article",
    "college-video",
    "help-channel",
    "help-document",
    "seo-info",
    "search-synonyms",
    "news-flash",
    "news-video",
    "image-banner",
    "stock",
];

impl ContentStore {
    /// Whether there may be something to seed.
    pub async fn wants_seed(&self) -> Result<bool> {
        let marks = mark::Entity::find().count(self.store.reader()).await?;
        Ok(marks < KINDS.len() as u64)
    }

    /// Whether there is neither news nor an entry of another kind.
    pub async fn is_empty(&self) -> Result<bool> {
        let texts = text::Entity::find().count(self.store.reader()).await?;
        Ok(texts + entry::Entity::find().count(self.store.reader()).await? == 0)
    }

    /// Puts in the seed of every kind of which the database holds nothing and never held a seed,
    /// in one transaction. A kind that was emptied later stays empty.
    pub async fn seed(&self, seed: &Contents, now: u32) -> Result<Tally> {
        self.store
            .write(async |tx| {
                // Of replicas that start at once one seeds, and the others find it done.
                changes::lock(tx).await?;
                let mut wanted = Vec::new();
                for kind in KINDS {
                    if mark_once(tx, kind, now).await? && is_empty(tx, kind).await? {
                        wanted.push(kind);
                    }
                }
                if wanted.is_empty() {
                    return Ok(Tally::default());
                }
                let is_wanted = |item: &&Item| wanted.contains(&item.key().kind());
                let items: Vec<Item> = seed.items.iter().filter(is_wanted).cloned().collect();
                put(tx, &items, &seed.media, now).await
            })
            .await
    }
}

/// Marks a kind as seeded; false when it was already.
async fn mark_once(tx: &DatabaseTransaction, kind: &str, now: u32) -> Result<bool> {
    let row = mark::ActiveModel { kind: Set(kind.to_owned()), seeded_at: Set(now.into()) };
    let outcome = mark::Entity::insert(row)
        .on_conflict_do_nothing_on([mark::Column::Kind])
        .exec_without_returning(tx)
        .await?;
    Ok(matches!(outcome, TryInsertResult::Inserted(1)))
}

async fn is_empty<C: ConnectionTrait>(db: &C, kind: &str) -> Result<bool> {
    let rows = match kind {
        "news" => text::Entity::find().count(db).await?,
        "news-tab" => news_tab::Entity::find().count(db).await?,
        shelf => entry::Entity::find().filter(entry::Column::Shelf.eq(shelf)).count(db).await?,
    };
    Ok(rows == 0)
}
