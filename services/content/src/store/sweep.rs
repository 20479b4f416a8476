//! Deletes the likes, reads and video progress of visitors whose id has expired.
use sahm_chassis::{Result, store::delete};
use sea_orm::{ColumnTrait, sea_query::ExprTrait};

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
