//! Responses with files: `content-encoding`, `etag`, 304, HEAD.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header, request::Parts};
use sha2::{Digest, Sha256};

use crate::content_encoding::{ContentEncoding, none_match};

/// For names that change with their content (docs/page-cache.md).
pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// A file and its compressed variants.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// `content-type`.
    pub(super) content_type: &'static str,
    /// As it is.
    pub(super) identity: Bytes,
    /// Brotli, where the build made it.
    pub(super) br: Option<Bytes>,
    /// gzip, where the build made it.
    pub(super) gzip: Option<Bytes>,
    hash: String,
}

impl File {
    /// A file by its name's extension.
    pub(super) fn new(name: &str, identity: Bytes) -> Self {
        let digest = Sha256::digest(&identity);
        let hash = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { content_type: content_type(name), identity, br: None, gzip: None, hash }
    }

    /// CacheStatus much memory it takes, in bytes.
    pub(super) fn weight(&self) -> usize {
        let variant = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
        self.identity.len() + variant(&self.br) + variant(&self.gzip) + 200
    }

    /// The answer to a GET or HEAD, or 304.
    pub(super) fn answer(&self, parts: &Parts, cache_control: &'static str) -> Response<Body> {
        let (body, coding) =
            match (ContentEncoding::negotiate(&parts.headers), &self.br, &self.gzip) {
                (ContentEncoding::Brotli, Some(body), _) => (body, ContentEncoding::Brotli),
                (ContentEncoding::Gzip, _, Some(body)) => (body, ContentEncoding::Gzip),
                _ => (&self.identity, ContentEncoding::Identity),
            };
        let tag = match coding.name() {
            Some(name) => format!("{}-{name}", self.hash),
            None => self.hash.clone(),
        };
        let mut response = if none_match(&parts.headers).any(|sent| sent == "*" || sent == tag) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            let mut response = whole(parts, self.content_type, body.clone());
            if let Some(name) = coding.name() {
                let value = HeaderValue::from_static(name);
                response.headers_mut().insert(header::CONTENT_ENCODING, value);
            }
            response
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        if let Ok(etag) = format!("\"{tag}\"").parse() {
            headers.insert(header::ETAG, etag);
        }
        if self.br.is_some() || self.gzip.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        response
    }
}

/// A whole body; for HEAD its headers only.
pub(super) fn whole(parts: &Parts, content_type: &'static str, body: Bytes) -> Response<Body> {
    let length = body.len();
    let body = if parts.method == Method::HEAD { Body::empty() } else { Body::from(body) };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CONTENT_LENGTH, length.into());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// A short text with a status that is not 200, kept by nobody.
pub(super) fn plain(parts: &Parts, status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response =
        whole(parts, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// 503 with `Retry-After`.
pub(super) fn unavailable(parts: &Parts) -> Response<Body> {
    let mut response = plain(parts, StatusCode::SERVICE_UNAVAILABLE, "try again later\n");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// The media type of a file name.
pub(super) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "gif" => "image/gif",
        "webm" => "video/webm",
        "mp4" => "video/mp4",
        "vtt" => "text/vtt; charset=utf-8",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
