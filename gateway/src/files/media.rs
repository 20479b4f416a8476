//! `/media/{name}`: pictures, videos and captions from the content service, with a cache.

use std::sync::Arc;

use axum::body::Body;
use http::{Response, request::Parts};
use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::content::v1::GetMediaRequest;

use super::{
    file_cache::{FileCache, file_cache},
    file_path,
    response::{File, unavailable},
};
use crate::{
    http::error_response::{not_found, too_many_requests},
    limits::{Limits, REDIS_TIMEOUT_API},
    services::Services,
};

const CACHE_BYTES: u64 = 64 << 20;

pub(super) struct Media {
    services: Services,
    limits: Limits,
    cache: FileCache,
}

impl Media {
    pub(super) fn new(services: &Services, limits: Limits) -> Self {
        Self { services: services.clone(), limits, cache: file_cache(CACHE_BYTES) }
    }

    /// Responds with a media file. Files that are not cached count against the rate limit.
    pub(super) async fn respond(&self, parts: &Parts, name: &str) -> Response<Body> {
        if !file_path::is_media(name) {
            return not_found();
        }
        if let Some(file) = self.cache.get(name) {
            return file.media_response(parts);
        }
        if let Err(wait) = self.limits.check_miss(parts, REDIS_TIMEOUT_API).await {
            return too_many_requests(wait);
        }
        // Concurrent requests for a file share one call (single-flight).
        match self.cache.get_or_insert_async(name, self.fetch(name)).await {
            Ok(file) => file.media_response(parts),
            Err(error) if error.code() == ErrorCode::NotFound => not_found(),
            Err(error) => {
                tracing::warn!(name, ?error, "media file not available");
                unavailable()
            }
        }
    }

    async fn fetch(&self, name: &str) -> Result<Arc<File>, Error> {
        let media = self.services.read(GetMediaRequest { name: name.to_owned() }).await?;
        Ok(Arc::new(File::new(name, media.body.into())))
    }
}
