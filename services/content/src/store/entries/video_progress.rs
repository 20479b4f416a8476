//! Viewers' progress in videos.
use sahm_chassis::{Result, store::upsert};
use sea_orm::{ActiveValue::Set, EntityTrait};

use crate::store::{
    ContentStore,
    entities::video_progress::{ActiveModel, Entity},
    entries::rows::{key, number},
};

/// A viewer's progress in a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoProgress {
    /// Seconds from the start.
    pub position: u32,
    /// Seconds.
    pub duration: u32,
}

impl ContentStore {
    /// Saves a viewer's progress in a video.
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
        self.store.write(async |tx| upsert(tx, [row]).await).await
    }

    /// A viewer's progress in a video.
    pub async fn video_progress(&self, video: u64, viewer: &str) -> Result<Option<VideoProgress>> {
        let Ok(id) = i64::try_from(video) else { return Ok(None) };
        let row = Entity::find_by_id((id, viewer.to_owned())).one(self.store.reader()).await?;
        row.map(|row| {
            Ok(VideoProgress { position: number(row.position)?, duration: number(row.duration)? })
        })
        .transpose()
    }
}
