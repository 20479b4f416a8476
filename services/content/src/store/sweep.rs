//! Deletes the likes, reads and video progress of visitors whose id has expired.
use sahm_chassis::Result;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::{
    ContentStore,
    entities::{entry_like as like, entry_reader as reader, video_progress},
};
use crate::domain::visitor_reader;

/// The lifetime of the cookie that identifies a visitor.
const RETENTION_SECONDS: u32 = 365 * 24 * 3600;

impl ContentStore {
    /// Deletes rows of visitors that are a year old, and returns their number. The counts stay,
    /// because they are anonymous.
    pub async fn sweep(&self, now: u32) -> Result<u64> {
        let cutoff = i64::from(now.saturating_sub(RETENTION_SECONDS));
        let visitors = visitor_reader("");
        self.store
            .write(async |tx| {
                let likes = like::Entity::delete_many()
                    .filter(like::Column::LikedAt.lte(cutoff))
                    .filter(like::Column::Voter.starts_with(&visitors))
                    .exec(tx)
                    .await?;
                let readings = reader::Entity::delete_many()
                    .filter(reader::Column::ReadAt.lte(cutoff))
                    .filter(reader::Column::Reader.starts_with(&visitors))
                    .exec(tx)
                    .await?;
                let views = video_progress::Entity::delete_many()
                    .filter(video_progress::Column::ViewedAt.lte(cutoff))
                    .filter(video_progress::Column::Viewer.starts_with(&visitors))
                    .exec(tx)
                    .await?;
                Ok(likes.rows_affected + readings.rows_affected + views.rows_affected)
            })
            .await
    }
}
