//! What readers do: reads and likes, which count once per reader and are recorded in the same
//! transaction as the count, and progress in videos.
use std::collections::{HashMap, HashSet};

use sahm_chassis::{
    Result,
    store::{delete, upsert},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::domain::{EntryKind, visitor_reader};
use crate::store::{
    ContentStore,
    entities::{entry_count as count, entry_like as like, entry_reader as reader, video_progress},
    entries::rows::{insert_new, key, keys, number},
};

/// The lifetime of the cookie that identifies a visitor.
const RETENTION_SECONDS: u32 = 365 * 24 * 3600;

/// Number of reads and likes of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub reads: u64,
    /// Number of members and visitors who like the item.
    pub likes: u64,
}

/// A viewer's progress in a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoProgress {
    /// Seconds from the start.
    pub position: u32,
    /// Seconds.
    pub duration: u32,
}

impl ContentStore {
    /// Counts a read, once per reader (every time without a reader), and returns the count. Reads
    /// do not change content and purge nothing.
    pub async fn count_reading(
        &self,
        kind: EntryKind,
        id: u64,
        read_by: Option<&str>,
        now: u32,
    ) -> Result<u64> {
        let id = key(id)?;
        let row = self
            .store
            .write(async |tx| {
                let more = match read_by {
                    Some(name) => {
                        let row = reader::ActiveModel {
                            kind: Set(kind.collection().to_owned()),
                            id: Set(id),
                            reader: Set(name.to_owned()),
                            read_at: Set(now.into()),
                        };
                        i64::from(insert_new(tx, row).await?)
                    }
                    None => 1,
                };
                add(tx, kind, id, more, 0).await
            })
            .await?;
        number(row.reads)
    }

    /// Likes or unlikes an item and returns its number of likes. Idempotent.
    pub async fn like(
        &self,
        kind: EntryKind,
        id: u64,
        voter: &str,
        likes: bool,
        now: u32,
    ) -> Result<u64> {
        let id = key(id)?;
        let row = self
            .store
            .write(async |tx| {
                let change = if likes {
                    let row = like::ActiveModel {
                        kind: Set(kind.collection().to_owned()),
                        id: Set(id),
                        voter: Set(voter.to_owned()),
                        liked_at: Set(now.into()),
                    };
                    i64::from(insert_new(tx, row).await?)
                } else {
                    let key = (kind.collection().to_owned(), id, voter.to_owned());
                    -i64::from(like::Entity::delete_by_id(key).exec(tx).await?.rows_affected == 1)
                };
                add(tx, kind, id, 0, change).await
            })
            .await?;
        number(row.likes)
    }

    /// Which of these items a reader likes.
    pub async fn liked_ids(
        &self,
        kind: EntryKind,
        ids: &[u64],
        voter: &str,
    ) -> Result<HashSet<u64>> {
        let liked: Vec<i64> = like::Entity::find()
            .select_only()
            .column(like::Column::Id)
            .filter(like::Column::Kind.eq(kind.collection()))
            .filter(like::Column::Id.is_in(keys(ids)))
            .filter(like::Column::Voter.eq(voter))
            .into_tuple()
            .all(self.store.reader())
            .await?;
        liked.into_iter().map(number).collect()
    }

    /// The counts of items; items without reads and likes are omitted.
    pub async fn counts(&self, kind: EntryKind, ids: &[u64]) -> Result<HashMap<u64, Counts>> {
        let rows = count::Entity::find()
            .filter(count::Column::Kind.eq(kind.collection()))
            .filter(count::Column::Id.is_in(keys(ids)))
            .all(self.store.reader())
            .await?;
        let counts = |row: count::Model| {
            let counts = Counts { reads: number(row.reads)?, likes: number(row.likes)? };
            Ok((number(row.id)?, counts))
        };
        rows.into_iter().map(counts).collect()
    }

    /// Saves a viewer's progress in a video.
    pub async fn save_video_progress(
        &self,
        video: u64,
        viewer: &str,
        progress: VideoProgress,
        now: u32,
    ) -> Result<()> {
        let row = video_progress::ActiveModel {
            id: Set(key(video)?),
            viewer: Set(viewer.to_owned()),
            position: Set(progress.position.into()),
            duration: Set(progress.duration.into()),
            viewed_at: Set(now.into()),
        };
        self.store.write(async |tx| upsert(tx, [row]).await).await
    }

    /// A viewer's progress in a video.
    pub async fn video_progress(&self, video: u64, viewer: &str) -> Result<Option<VideoProgress>> {
        let Ok(id) = i64::try_from(video) else { return Ok(None) };
        let row = video_progress::Entity::find_by_id((id, viewer.to_owned()))
            .one(self.store.reader())
            .await?;
        row.map(|row| {
            Ok(VideoProgress { position: number(row.position)?, duration: number(row.duration)? })
        })
        .transpose()
    }

    /// Deletes rows of visitors that are a year old, and returns their number. The counts stay,
    /// because they are anonymous.
    pub async fn sweep(&self, now: u32) -> Result<u64> {
        let cutoff = i64::from(now.saturating_sub(RETENTION_SECONDS));
        let visitors = visitor_reader("");
        self.store
            .write(async |tx| {
                let likes = like::Column::LikedAt.lte(cutoff);
                let likes = likes.and(like::Column::Voter.starts_with(&visitors));
                let readings = reader::Column::ReadAt.lte(cutoff);
                let readings = readings.and(reader::Column::Reader.starts_with(&visitors));
                let views = video_progress::Column::ViewedAt.lte(cutoff);
                let views = views.and(video_progress::Column::Viewer.starts_with(&visitors));
                Ok(delete::<like::Entity>(tx, likes).await?
                    + delete::<reader::Entity>(tx, readings).await?
                    + delete::<video_progress::Entity>(tx, views).await?)
            })
            .await
    }
}

/// Adds to an item's counts in one statement, so that no concurrent update is lost.
async fn add(
    tx: &DatabaseTransaction,
    kind: EntryKind,
    id: i64,
    reads: i64,
    likes: i64,
) -> Result<count::Model> {
    use count::Column::{Id, Kind as On, Likes, Reads};
    let sum = |column, more: i64| Expr::col((count::Entity, column)).add(more);
    let more = OnConflict::columns([On, Id])
        .values([(Reads, sum(Reads, reads)), (Likes, sum(Likes, likes))])
        .to_owned();
    let first = count::ActiveModel {
        kind: Set(kind.collection().to_owned()),
        id: Set(id),
        reads: Set(reads),
        likes: Set(Ord::max(likes, 0)),
    };
    Ok(count::Entity::insert(first).on_conflict(more).exec_with_returning(tx).await?)
}
