//! `/media/{name}`: pictures, videos and captions of content, cached in bounded memory.

use std::sync::Arc;

use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header, request::Parts};
use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::content::v1::GetMediaRequest;

use super::{
    answer::{self, File, IMMUTABLE},
    file_cache::{FileCache, file_cache},
    file_path,
    miss_limit::MissLimit,
    range,
};
use crate::{
    limits::REDIS_TIME_API,
    services::{self, Services},
};

/// Pictures kept, in bytes.
const MEMORY: u64 = 64 << 20;

/// A picture may be a drawing with a will of its own.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

pub(super) struct Media {
    services: Services,
    uncached: MissLimit,
    kept: FileCache,
}

impl Media {
    pub(super) fn new(services: &Services, uncached: MissLimit) -> Self {
        Self { services: services.clone(), uncached, kept: file_cache(MEMORY) }
    }

    /// The picture, 404 when there is none, 503 when content does not answer; one that is not kept
    /// counts as an uncached read.
    pub(super) async fn answer(&self, parts: &Parts, name: &str) -> Response<Body> {
        if !file_path::is_media(name) {
            return answer::plain(parts, StatusCode::NOT_FOUND, "not found\n");
        }
        let found = match self.kept.get(name) {
            Some(file) => Ok(file),
            None => {
                if let Some(refusal) = self.uncached.refusal(parts, REDIS_TIME_API).await {
                    return refusal;
                }
                // Single-flight: concurrent requests for a file share one call.
                self.kept.get_or_insert_async(name, self.fetch(name)).await
            }
        };
        let mut response = match found {
            Ok(file) => range::cut(parts, &file.identity, file.answer(parts, IMMUTABLE)),
            Err(error) if error.code() == ErrorCode::NotFound => {
                return answer::plain(parts, StatusCode::NOT_FOUND, "not found\n");
            }
            Err(error) => {
                tracing::warn!(name, ?error, "picture not available");
                return answer::unavailable(parts);
            }
        };
        let policy = HeaderValue::from_static(POLICY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        response
    }

    async fn fetch(&self, name: &str) -> Result<Arc<File>, Error> {
        let mut client = self.services.media()?;
        let request = GetMediaRequest { name: name.to_owned() };
        let media = services::reading(client.get_media(request)).await?;
        Ok(Arc::new(File::new(name, media.body.into())))
    }
}
