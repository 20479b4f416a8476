//! Responses to requests for files.

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header, request::Parts};
use http_body::Body as _;
use sha2::{Digest, Sha256};

use super::range::{RequestedRange, requested};
use crate::{
    content_encoding::{ContentEncoding, none_match},
    http::error_response::text,
};

/// `Cache-Control` of files whose names change with their contents (docs/page-cache.md).
pub(super) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// `Content-Security-Policy` of media files, because an SVG may contain scripts.
const MEDIA_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) content_type: &'static str,
    /// The uncompressed content.
    pub(super) identity: Bytes,
    pub(super) br: Option<Bytes>,
    pub(super) gzip: Option<Bytes>,
    hash: String,
}

impl File {
    /// A file; the extension of its name determines the content type.
    pub(super) fn new(name: &str, identity: Bytes) -> Self {
        let digest = Sha256::digest(&identity);
        let hash = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Self { content_type: content_type(name), identity, br: None, gzip: None, hash }
    }

    pub(super) fn weight(&self) -> usize {
        let variant = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
        self.identity.len() + variant(&self.br) + variant(&self.gzip) + 200
    }

    /// The response of an immutable media file, with range requests.
    pub(super) fn media_response(&self, parts: &Parts) -> Response<Body> {
        let mut response = self.respond(parts, IMMUTABLE, true);
        let policy = HeaderValue::from_static(MEDIA_POLICY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        response
    }

    pub(super) fn response(&self, parts: &Parts, cache_control: &'static str) -> Response<Body> {
        self.respond(parts, cache_control, false)
    }

    /// The response, 200, 206, 304 or 416, by the headers of the request.
    fn respond(&self, parts: &Parts, cache_control: &'static str, ranges: bool) -> Response<Body> {
        let headers = &parts.headers;
        let (body, coding) = match (ContentEncoding::negotiate(headers), &self.br, &self.gzip) {
            (ContentEncoding::Brotli, Some(body), _) => (body, ContentEncoding::Brotli),
            (ContentEncoding::Gzip, _, Some(body)) => (body, ContentEncoding::Gzip),
            _ => (&self.identity, ContentEncoding::Identity),
        };
        let tag = match coding.name() {
            Some(name) => format!("{}-{name}", self.hash),
            None => self.hash.clone(),
        };
        let etag = format!("\"{tag}\"");
        let mut response = Response::builder()
            .header(header::CACHE_CONTROL, cache_control)
            .header(header::ETAG, &etag);
        if self.br.is_some() || self.gzip.is_some() {
            response = response.header(header::VARY, "accept-encoding");
        }
        if none_match(headers).any(|sent| sent == "*" || sent == tag) {
            return finish(response.status(StatusCode::NOT_MODIFIED), Bytes::new());
        }
        response = response
            .header(header::CONTENT_TYPE, self.content_type)
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        if let Some(name) = coding.name() {
            response = response.header(header::CONTENT_ENCODING, name);
        }
        if !ranges {
            return finish(response, body.clone());
        }
        response = response.header(header::ACCEPT_RANGES, "bytes");
        let length = body.len();
        let range = match parts.method {
            Method::GET => requested(headers, &etag, length),
            _ => RequestedRange::Whole,
        };
        match range {
            RequestedRange::Whole => finish(response, body.clone()),
            RequestedRange::Part(part) => {
                let range = format!("bytes {}-{}/{length}", part.start, part.end - 1);
                let response = response.header(header::CONTENT_RANGE, range);
                finish(response.status(StatusCode::PARTIAL_CONTENT), body.slice(part))
            }
            RequestedRange::Unsatisfiable => {
                let response = response.header(header::CONTENT_RANGE, format!("bytes */{length}"));
                finish(response.status(StatusCode::RANGE_NOT_SATISFIABLE), Bytes::new())
            }
        }
    }
}

fn finish(response: http::response::Builder, body: Bytes) -> Response<Body> {
    response.body(body.into()).unwrap_or_default()
}

/// Uncacheable JSON.
pub(super) fn status(json: &serde_json::Value) -> Response<Body> {
    let mut response = text(StatusCode::OK, "");
    let content_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    response.map(|_| json.to_string().into())
}

/// 503 with `Retry-After`, for a file whose service is unavailable.
pub(super) fn unavailable() -> Response<Body> {
    let mut response = text(StatusCode::SERVICE_UNAVAILABLE, "try again later\n");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// Adds the length, and removes the body of a response to HEAD.
pub(super) fn complete(parts: &Parts, mut response: Response<Body>) -> Response<Body> {
    if response.status() != StatusCode::NOT_MODIFIED
        && let Some(length) = response.body().size_hint().exact()
    {
        response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    }
    if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
}

fn content_type(name: &str) -> &'static str {
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
