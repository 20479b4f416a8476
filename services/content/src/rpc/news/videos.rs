//! `sahm.content.v1.NewsVideoService`.
use sahm_chassis::{Error, ErrorCode};
use sahm_proto::content::v1::{self as wire, news_video_service_server::NewsVideoService};
use tonic::{Request, Response, Status};

use crate::{
    domain::{Entry, EntryData, EntryKind, PAGE_SIZE, lists},
    rpc::{
        convert,
        entries::{ContentRpc, FromEntry, items},
        validate,
    },
};

#[tonic::async_trait]
impl NewsVideoService for ContentRpc {
    async fn list_news_videos(
        &self,
        request: Request<wire::ListNewsVideosRequest>,
    ) -> Result<Response<wire::ListNewsVideosResponse>, Status> {
        let request = request.into_inner();
        let list = lists::news_videos(validate::market(&request.market)?.list());
        let size = validate::page_size(request.size, PAGE_SIZE)?;
        let page = self.page(EntryKind::NewsVideo, &list, None, size, &request.cursor).await?;
        Ok(Response::new(wire::ListNewsVideosResponse {
            items: items(&page.items),
            next_cursor: page.next_cursor,
            next_change_at: page.next_change_at,
        }))
    }

    async fn get_news_video(
        &self,
        request: Request<wire::GetNewsVideoRequest>,
    ) -> Result<Response<wire::GetNewsVideoResponse>, Status> {
        let id = request.into_inner().id;
        validate::required("id", &id)?;
        let found = self.by_id(EntryKind::NewsVideo, id).await?;
        let video = found.as_ref().and_then(wire::NewsVideo::from_entry);
        let video = video.ok_or_else(|| Error::of(ErrorCode::ArticleNotFound))?;
        Ok(Response::new(wire::GetNewsVideoResponse { video: Some(video) }))
    }

    async fn batch_get_news_videos(
        &self,
        request: Request<wire::BatchGetNewsVideosRequest>,
    ) -> Result<Response<wire::BatchGetNewsVideosResponse>, Status> {
        let ids = request.into_inner().ids;
        let items = items(&self.batch(EntryKind::NewsVideo, &ids, None).await?);
        Ok(Response::new(wire::BatchGetNewsVideosResponse { items }))
    }

    async fn withdraw_news_videos(
        &self,
        request: Request<wire::WithdrawNewsVideosRequest>,
    ) -> Result<Response<wire::WithdrawNewsVideosResponse>, Status> {
        let ids = request.into_inner().ids;
        let withdrawn_ids = self.withdraw(EntryKind::NewsVideo, &ids).await?;
        Ok(Response::new(wire::WithdrawNewsVideosResponse { withdrawn_ids }))
    }
}

impl FromEntry for wire::NewsVideo {
    fn from_entry(entry: &Entry) -> Option<Self> {
        let EntryData::NewsVideo(video) = &entry.data else { return None };
        Some(Self {
            id: entry.id,
            title: video.title.en.clone(),
            title_en: video.title.en.clone(),
            title_sa: convert::arabic(&video.title),
            summary: video.summary.en.clone(),
            summary_en: video.summary.en.clone(),
            summary_sa: convert::arabic(&video.summary),
            market: video.market.as_str().to_owned(),
            published_at: entry.published_at,
            playback: Some(convert::playback(&video.playback)),
            sample: video.sample,
        })
    }
}
