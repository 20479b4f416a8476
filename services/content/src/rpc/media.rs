use sahm_chassis::{Error, ErrorCode, Result};
use sahm_proto::content::v1::{
    GetMediaRequest, GetMediaResponse, media_service_server::MediaService,
};
use tonic::{Request, Response, Status};

use crate::{domain::MediaName, store::ContentStore};

/// `sahm.content.v1.MediaService`.
pub(crate) struct MediaCalls {
    store: ContentStore,
}

impl MediaCalls {
    /// Answers from a store.
    pub(crate) fn new(store: ContentStore) -> Self {
        Self { store }
    }

    async fn media(&self, asked: GetMediaRequest) -> Result<GetMediaResponse> {
        let found = match MediaName::parse(&asked.name) {
            Some(name) => self.store.media(&name).await?,
            None => None,
        };
        let (content_type, body) = found.ok_or_else(|| Error::of(ErrorCode::NotFound))?;
        Ok(GetMediaResponse { name: asked.name, content_type, body })
    }
}

#[tonic::async_trait]
impl MediaService for MediaCalls {
    async fn get_media(
        &self,
        request: Request<GetMediaRequest>,
    ) -> Result<Response<GetMediaResponse>, Status> {
        Ok(Response::new(self.media(request.into_inner()).await?))
    }
}
