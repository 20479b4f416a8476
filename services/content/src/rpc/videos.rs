use sahm_chassis::{Error, ErrorCode, Result, changes::ChangeLog, clock::Clock, cursor};
use sahm_proto::content::v1::{self as wire, news_video_service_server::NewsVideoService};
use tonic::{Request, Response, Status};

use super::{asked, convert, news};
use crate::{
    domain::{Entry, EntryData, EntryKind, PAGE_SIZE, lists},
    store::ContentStore,
};

/// `sahm.content.v1.NewsVideoService`.
pub(crate) struct VideoCalls {
    store: ContentStore,
    log: ChangeLog,
    clock: Clock,
}

impl VideoCalls {
    /// Answers from a store; followers of the change log are woken by what calls change.
    pub(crate) fn new(store: ContentStore, log: ChangeLog, clock: Clock) -> Self {
        Self { store, log, clock }
    }

    async fn list(
        &self,
        asked: wire::ListNewsVideosRequest,
    ) -> Result<wire::ListNewsVideosResponse> {
        let list = lists::news_videos(news::market(&asked.market)?.list());
        let (size, after) =
            (asked::size(asked.size, PAGE_SIZE)?, cursor::decode(&list, &asked.cursor)?);
        let now = self.clock.now();
        let page = self.store.entries(EntryKind::NewsVideo, &list, None, after, size, now).await?;
        Ok(wire::ListNewsVideosResponse {
            items: page.items.iter().filter_map(video).collect(),
            next_cursor: asked::next(&list, page.next),
            next_change_at: page.next_change_at.unwrap_or(0),
        })
    }

    async fn named(&self, ids: &[u64]) -> Result<Vec<wire::NewsVideo>> {
        let now = self.clock.now();
        let found = self.store.entries_by_id(EntryKind::NewsVideo, ids, None, now).await?;
        Ok(found.iter().filter_map(video).collect())
    }

    async fn get(&self, asked: wire::GetNewsVideoRequest) -> Result<wire::GetNewsVideoResponse> {
        if asked.id == 0 {
            return Err(Error::field("id", "is needed"));
        }
        let video = self.named(&[asked.id]).await?.pop();
        let video = video.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?;
        Ok(wire::GetNewsVideoResponse { video: Some(video) })
    }

    async fn batch(
        &self,
        asked: wire::BatchGetNewsVideosRequest,
    ) -> Result<wire::BatchGetNewsVideosResponse> {
        asked::batch(&asked.ids)?;
        Ok(wire::BatchGetNewsVideosResponse { items: self.named(&asked.ids).await? })
    }

    async fn withdraw(
        &self,
        asked: wire::WithdrawNewsVideosRequest,
    ) -> Result<wire::WithdrawNewsVideosResponse> {
        asked::withdrawal(&asked.ids)?;
        let withdrawn_ids = self.store.withdraw_entries(EntryKind::NewsVideo, &asked.ids).await?;
        self.log.notify();
        Ok(wire::WithdrawNewsVideosResponse { withdrawn_ids })
    }
}

fn video(entry: &Entry) -> Option<wire::NewsVideo> {
    let EntryData::NewsVideo(video) = &entry.data else { return None };
    Some(wire::NewsVideo {
        id: entry.id,
        title: video.title.en.clone(),
        title_en: video.title.en.clone(),
        title_sa: convert::arabic(&video.title),
        summary: video.summary.en.clone(),
        summary_en: video.summary.en.clone(),
        summary_sa: convert::arabic(&video.summary),
        market: video.market.as_str().to_owned(),
        published_at: entry.published_at,
        playback: Some(convert::playback(&video.clip)),
        sample: video.sample,
    })
}

#[tonic::async_trait]
impl NewsVideoService for VideoCalls {
    async fn list_news_videos(
        &self,
        request: Request<wire::ListNewsVideosRequest>,
    ) -> Result<Response<wire::ListNewsVideosResponse>, Status> {
        Ok(Response::new(self.list(request.into_inner()).await?))
    }

    async fn get_news_video(
        &self,
        request: Request<wire::GetNewsVideoRequest>,
    ) -> Result<Response<wire::GetNewsVideoResponse>, Status> {
        Ok(Response::new(self.get(request.into_inner()).await?))
    }

    async fn batch_get_news_videos(
        &self,
        request: Request<wire::BatchGetNewsVideosRequest>,
    ) -> Result<Response<wire::BatchGetNewsVideosResponse>, Status> {
        Ok(Response::new(self.batch(request.into_inner()).await?))
    }

    async fn withdraw_news_videos(
        &self,
        request: Request<wire::WithdrawNewsVideosRequest>,
    ) -> Result<Response<wire::WithdrawNewsVideosResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }
}
