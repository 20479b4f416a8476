//! `/media/{name}`: pictures, videos and captions from the content service, with a cache.

use std::sync::Arc;

use http::request::Parts;
use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::content::v1::GetMediaRequest;

use super::{
    file_cache::{FileCache, file_cache},
    file_path,
    response::{File, FileError, Resource},
};
use crate::{
    limits::{Limits, REDIS_TIMEOUT_API},
    services::{self, Services},
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

    /// Finds a media file. Files that are not cached count against the rate limit.
    pub(super) async fn find(&self, parts: &Parts, name: &str) -> Result<Resource, FileError> {
        if !file_path::is_media(name) {
            return Err(FileError::NotFound);
        }
        if let Some(file) = self.cache.get(name) {
            return Ok(Resource::Media(file));
        }
        let checked = self.limits.check_miss(parts, REDIS_TIMEOUT_API).await;
        checked.map_err(FileError::TooManyRequests)?;
        // Concurrent requests for a file share one call (single-flight).
        match self.cache.get_or_insert_async(name, self.fetch(name)).await {
            Ok(file) => Ok(Resource::Media(file)),
            Err(error) if error.code() == ErrorCode::NotFound => Err(FileError::NotFound),
            Err(error) => {
                tracing::warn!(name, ?error, "media file not available");
                Err(FileError::Unavailable)
            }
        }
    }

    async fn fetch(&self, name: &str) -> Result<Arc<File>, Error> {
        let mut client = self.services.media()?;
        let request = GetMediaRequest { name: name.to_owned() };
        let media = services::reading(client.get_media(request)).await?;
        Ok(Arc::new(File::new(name, media.body.into())))
    }
}
