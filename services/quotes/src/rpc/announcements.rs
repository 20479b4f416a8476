//! AnnouncementService over the store.

use sahm_chassis::{
    clock::Clock,
    cursor,
    error::{Error, ErrorCode},
};
use sahm_proto::{
    Locale,
    quotes::v1::{self as proto, announcement_service_server::AnnouncementService},
};
use tonic::{Request, Response};

use super::{RpcResult, validate};
use crate::{convert::announcement_message, domain::Announcement, store::QuotesStore};

/// The list's name in its cursors.
const ANNOUNCEMENTS: &str = "announcements";

pub(crate) struct AnnouncementRpc {
    pub(crate) store: QuotesStore,
    pub(crate) clock: Clock,
}

#[tonic::async_trait]
impl AnnouncementService for AnnouncementRpc {
    async fn get_announcement(
        &self,
        request: Request<proto::GetAnnouncementRequest>,
    ) -> RpcResult<proto::GetAnnouncementResponse> {
        let request = request.into_inner();
        if request.id == 0 {
            return Err(Error::field("id", "must be a decimal id").into());
        }
        let locale = Locale::parse_or_english(&request.locale);
        let found = self.store.announcements(&[request.id]).await?;
        let published = found.first().filter(|one| one.published_at <= self.clock.now());
        let announcement = published.and_then(|one| announcement_message(one, locale));
        let missing = || Error::of(ErrorCode::ArticleNotFound);
        let announcement = Some(announcement.ok_or_else(missing)?);
        Ok(Response::new(proto::GetAnnouncementResponse { announcement }))
    }

    async fn list_announcements(
        &self,
        request: Request<proto::ListAnnouncementsRequest>,
    ) -> RpcResult<proto::ListAnnouncementsResponse> {
        let request = request.into_inner();
        let locale = Locale::parse_or_english(&request.locale);
        let size = validate::page_size(request.size)?;
        let after = cursor::decode(ANNOUNCEMENTS, &request.cursor)?;
        let now = self.clock.now();
        let mut found = self.store.list_announcements(locale, after, now, size + 1).await?;
        let next_cursor = cursor::cut(ANNOUNCEMENTS, &mut found, size, Announcement::position);
        let items = found.iter().filter_map(|one| announcement_message(one, locale)).collect();
        Ok(Response::new(proto::ListAnnouncementsResponse { items, next_cursor }))
    }

    async fn batch_get_announcements(
        &self,
        request: Request<proto::BatchGetAnnouncementsRequest>,
    ) -> RpcResult<proto::BatchGetAnnouncementsResponse> {
        let request = request.into_inner();
        let locale = Locale::parse_or_english(&request.locale);
        let now = self.clock.now();
        let ids = validate::batch("ids", &request.ids)?;
        let found = self.store.announcements(ids).await?;
        let there =
            |one: &&Announcement| one.published_at <= now && one.texts.contains_key(&locale);
        let items = found.iter().filter(there);
        let items = items.filter_map(|one| announcement_message(one, locale)).collect();
        Ok(Response::new(proto::BatchGetAnnouncementsResponse { items }))
    }
}
