//! What is kept of readers: likes, and how far they have seen a video.
use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1 as wire;

use super::{CollegeCalls, MISSING};
use crate::{
    domain::{Entry, EntryData, EntryKind, Locale},
    rpc::{asked, college_convert as convert},
    store::View,
};

/// A video that is missing counts as news, videos and announcements do.
const NO_VIDEO: ErrorCode = ErrorCode::ArticleNotFound;
/// The longest video, in seconds.
const DAY: u32 = 86_400;

impl CollegeCalls {
    /// The id of an article that can be read.
    pub(super) async fn readable(&self, text: &str) -> Result<u64> {
        let name = asked::name("article_id", text, MISSING)?;
        Ok(self.held(EntryKind::CollegeArticle, &name, Locale::EnUs).await?.entry.id)
    }

    pub(super) async fn count(&self, text: &str) -> Result<(u64, u64)> {
        let id = self.readable(text).await?;
        let read_by = asked::counted_as();
        Ok((id, self.store.count_reading(EntryKind::CollegeArticle, id, read_by.as_deref()).await?))
    }

    pub(super) async fn like(&self, text: &str, likes: bool) -> Result<(u64, u64)> {
        let id = self.readable(text).await?;
        let voter = asked::voter()?;
        Ok((id, self.store.like(EntryKind::CollegeArticle, id, &voter, likes).await?))
    }

    async fn video(&self, id: u64) -> Result<Entry> {
        if id == 0 {
            return Err(Error::field("video_id", "is needed"));
        }
        let found =
            self.store.entry(EntryKind::CollegeVideo, id, Locale::EnUs, self.clock.now()).await?;
        found.map(|held| held.entry).ok_or_else(|| Error::of(NO_VIDEO))
    }

    pub(super) async fn watched(
        &self,
        asked: wire::GetCollegeVideoRequest,
    ) -> Result<wire::GetCollegeVideoResponse> {
        let entry = self.video(asked.video_id).await?;
        let EntryData::CollegeVideo(video) = &entry.data else {
            return Err(Error::of(NO_VIDEO));
        };
        let seen = match asked::counted_as() {
            Some(viewer) => self.store.view(entry.id, &viewer).await?,
            None => None,
        };
        Ok(wire::GetCollegeVideoResponse {
            video: Some(convert::video(&entry, video)),
            position: seen.map_or(0, |seen| seen.position),
        })
    }

    pub(super) async fn keep(
        &self,
        asked: wire::UploadCollegeVideoResultRequest,
    ) -> Result<wire::UploadCollegeVideoResultResponse> {
        let entry = self.video(asked.video_id).await?;
        let id = entry.id;
        let (position, duration) = (asked.position, asked.duration);
        if !(1..=DAY).contains(&duration) {
            return Err(Error::field("duration", format!("must be 1 to {DAY}")));
        }
        let EntryData::CollegeVideo(video) = &entry.data else {
            return Err(Error::of(NO_VIDEO));
        };
        // Players round: a second more than the clip's own duration is taken.
        let longest = video.clip.duration.saturating_add(1);
        if duration > longest {
            return Err(Error::field("duration", format!("the video has {} s", longest - 1)));
        }
        if position > duration {
            return Err(Error::field("position", "lies beyond the duration"));
        }
        let (viewer, seen) = (asked::voter()?, View { position, duration });
        self.store.keep_view(id, &viewer, seen, self.clock.now()).await?;
        Ok(wire::UploadCollegeVideoResultResponse { id, saved: true })
    }
}
