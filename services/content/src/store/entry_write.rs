//! Changes of entries that callers ask for.
use std::collections::BTreeSet;

use sahm_chassis::{Result, changes};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, TryInsertResult,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{
    BATCH, ContentStore,
    entities::{entry, entry_count as count, entry_like as like, video_view as view},
    entry_put::{delist, of_row},
    rows::{key, number},
};
use crate::domain::Shelf;

/// How far somebody has seen a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Seconds from the start.
    pub position: u32,
    /// Seconds.
    pub duration: u32,
}

impl ContentStore {
    /// Takes entries off the site, all their texts, and gives the ids of those that were there,
    /// in the order asked. Counts and likes stay.
    pub async fn withdraw_entries(&self, shelf: Shelf, ids: &[u64]) -> Result<Vec<u64>> {
        let asked: BTreeSet<i64> = ids.iter().filter_map(|&id| i64::try_from(id).ok()).collect();
        let asked: Vec<i64> = asked.into_iter().collect();
        let mut withdrawn = self
            .store
            .write(async |tx| {
                changes::lock(tx).await?;
                let (mut withdrawn, mut changed) = (BTreeSet::new(), BTreeSet::new());
                for ids in asked.chunks(BATCH) {
                    let rows = entry::Entity::find()
                        .filter(entry::Column::Shelf.eq(shelf.as_str()))
                        .filter(entry::Column::Id.is_in(ids.iter().copied()))
                        .all(tx)
                        .await?;
                    for row in rows {
                        let entry = of_row(row)?;
                        changed.extend(entry.tags());
                        withdrawn.insert(entry.id);
                    }
                    delist(tx, shelf, ids, None).await?;
                    entry::Entity::delete_many()
                        .filter(entry::Column::Shelf.eq(shelf.as_str()))
                        .filter(entry::Column::Id.is_in(ids.iter().copied()))
                        .exec(tx)
                        .await?;
                }
                if !withdrawn.is_empty() {
                    let changed: Vec<String> = changed.into_iter().collect();
                    changes::append(tx, &changed, false).await?;
                }
                Ok(withdrawn)
            })
            .await?;
        Ok(ids.iter().copied().filter(|id| withdrawn.remove(id)).collect())
    }

    /// Counts one reading and gives the count with it. It is no change of content: nothing is
    /// purged.
    pub async fn count_entry_reading(&self, shelf: Shelf, id: u64) -> Result<u64> {
        let id = key(id)?;
        let row = self.store.write(async |tx| add(tx, shelf, id, 1, 0).await).await?;
        number(row.reads)
    }

    /// Likes or no longer likes an entry, and gives all its likes. Doing it again changes
    /// nothing.
    pub async fn like_entry(&self, shelf: Shelf, id: u64, voter: &str, likes: bool) -> Result<u64> {
        let id = key(id)?;
        let row = self
            .store
            .write(async |tx| {
                let change = if likes {
                    let row = like::ActiveModel {
                        shelf: Set(shelf.as_str().to_owned()),
                        id: Set(id),
                        voter: Set(voter.to_owned()),
                    };
                    use like::Column::{Id, Shelf as On, Voter};
                    let outcome = like::Entity::insert(row)
                        .on_conflict_do_nothing_on([On, Id, Voter])
                        .exec_without_returning(tx)
                        .await?;
                    i64::from(matches!(outcome, TryInsertResult::Inserted(1)))
                } else {
                    let gone = like::Entity::delete_many()
                        .filter(like::Column::Shelf.eq(shelf.as_str()))
                        .filter(like::Column::Id.eq(id))
                        .filter(like::Column::Voter.eq(voter))
                        .exec(tx)
                        .await?;
                    -i64::from(gone.rows_affected == 1)
                };
                add(tx, shelf, id, 0, change).await
            })
            .await?;
        number(row.likes)
    }

    /// Keeps how far somebody has seen a video.
    pub async fn keep_view(&self, video: u64, viewer: &str, seen: View, now: u32) -> Result<()> {
        let row = view::ActiveModel {
            id: Set(key(video)?),
            viewer: Set(viewer.to_owned()),
            position: Set(seen.position.into()),
            duration: Set(seen.duration.into()),
            viewed_at: Set(now.into()),
        };
        let replace = OnConflict::columns([view::Column::Id, view::Column::Viewer])
            .update_columns([
                view::Column::Position,
                view::Column::Duration,
                view::Column::ViewedAt,
            ])
            .to_owned();
        self.store
            .write(async |tx| {
                view::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
                Ok(())
            })
            .await
    }

    /// How far somebody has seen a video.
    pub async fn view(&self, video: u64, viewer: &str) -> Result<Option<View>> {
        let Ok(id) = i64::try_from(video) else { return Ok(None) };
        let row =
            view::Entity::find_by_id((id, viewer.to_owned())).one(self.store.reader()).await?;
        row.map(|row| Ok(View { position: number(row.position)?, duration: number(row.duration)? }))
            .transpose()
    }
}

/// Adds to an entry's counts in one statement, so that what happens at the same moment counts.
async fn add(
    tx: &DatabaseTransaction,
    shelf: Shelf,
    id: i64,
    reads: i64,
    likes: i64,
) -> Result<count::Model> {
    use count::Column::{Id, Likes, Reads, Shelf as On};
    let sum = |column, more: i64| Expr::col((count::Entity, column)).add(more);
    let more = OnConflict::columns([On, Id])
        .values([(Reads, sum(Reads, reads)), (Likes, sum(Likes, likes))])
        .to_owned();
    let first = count::ActiveModel {
        shelf: Set(shelf.as_str().to_owned()),
        id: Set(id),
        reads: Set(reads),
        likes: Set(Ord::max(likes, 0)),
    };
    Ok(count::Entity::insert(first).on_conflict(more).exec_with_returning(tx).await?)
}
