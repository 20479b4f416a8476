//! How far viewers have seen videos.
use sahm_chassis::Result;
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};

use crate::store::{
    ContentStore,
    entities::video_progress::{ActiveModel, Column, Entity},
    news::rows::{key, number},
};

/// How far somebody has seen a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoProgress {
    /// Seconds from the start.
    pub position: u32,
    /// Seconds.
    pub duration: u32,
}

impl ContentStore {
    /// Saves how far somebody has seen a video.
    pub async fn save_video_progress(
        &self,
        video: u64,
        viewer: &str,
        progress: VideoProgress,
        now: u32,
    ) -> Result<()> {
        let row = ActiveModel {
            id: Set(key(video)?),
            viewer: Set(viewer.to_owned()),
            position: Set(progress.position.into()),
            duration: Set(progress.duration.into()),
            viewed_at: Set(now.into()),
        };
        let replace = OnConflict::columns([Column::Id, Column::Viewer])
            .update_columns([Column::Position, Column::Duration, Column::ViewedAt])
            .to_owned();
        self.store
            .write(async |tx| {
                Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
                Ok(())
            })
            .await
    }

    /// How far somebody has seen a video.
    pub async fn video_progress(&self, video: u64, viewer: &str) -> Result<Option<VideoProgress>> {
        let Ok(id) = i64::try_from(video) else { return Ok(None) };
        let row = Entity::find_by_id((id, viewer.to_owned())).one(self.store.reader()).await?;
        row.map(|row| {
            Ok(VideoProgress { position: number(row.position)?, duration: number(row.duration)? })
        })
        .transpose()
    }
}
