//! `sahm.content.v1.MediaService`.
use sahm_chassis::{Error, ErrorCode};
use sahm_proto::content::v1::{
    GetMediaRequest, GetMediaResponse, media_service_server::MediaService,
};
use tonic::{Request, Response, Status};

use super::entries::ContentRpc;
use crate::domain::MediaName;

#[tonic::async_trait]
impl MediaService for ContentRpc {
    async fn get_media(
        &self,
        request: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        let name = request.into_inner().name;
        let found = match MediaName::parse(&name) {
            Some(name) => self.store.media(&name).await?,
            None => None,
        };
        let (content_type, body) = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(Response::new(GetMediaResponse { name, content_type, body }))
    }
}
