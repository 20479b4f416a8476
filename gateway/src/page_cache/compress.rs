//! Compression on blocking threads, with bounded concurrency.

use std::{
    io::{Read, Write},
    sync::LazyLock,
};

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Response, header};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::sync::Semaphore;

use super::entry::Bodies;
use crate::content_encoding::ContentEncoding;

/// Level of both encoders for bodies that a visitor waits for: new pages, which [`best`] compresses again once they are
/// requested often, and responses that are not stored. For a search page of 43 KB brotli takes 0.25 ms here and 0.77 ms
/// at level 5, gzip 0.29 and 0.46 ms; the bodies are 14 % and 3 % larger.
const QUICK: u32 = 3;
/// Level of both encoders for bodies that are served many times and not compressed again.
pub(super) const MEMOISED: u32 = 5;
/// Smallest size of a response that is compressed, bytes.
const MIN_ENCODED_BYTES: u64 = 1 << 10;
/// Quality for bodies that are requested often.
const BEST_BROTLI: u32 = 11;
/// Bounds of the window size, as powers of two. The window is only as large as the body, because the encoder's tables
/// grow with it. Not below 17: for smaller windows, the quick quality uses a table of 32 MiB and takes twenty times as
/// long.
const WINDOWS: std::ops::RangeInclusive<u32> = 17..=22;

/// At most one compression for each core runs at a time.
static PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from)));

/// Compresses a body quickly with brotli and gzip; `None` while the process shuts down.
pub(super) async fn quick(body: Bytes) -> Option<Bodies> {
    run(move || Bodies {
        brotli: Some(brotli(&body, QUICK)),
        gzip: Some(gzip(&body, QUICK)),
        ..Bodies::default()
    })
    .await
}

/// One encoding, for a response that is not stored; `None` while the process shuts down.
pub(crate) async fn one(body: Bytes, coding: ContentEncoding) -> Option<Bytes> {
    match coding {
        ContentEncoding::Brotli => run(move || brotli(&body, QUICK)).await,
        ContentEncoding::Gzip => run(move || gzip(&body, QUICK)).await,
        ContentEncoding::Identity => Some(body),
    }
}

/// Compresses a response that is not stored, in an encoding that its request accepts. A short response, or one
/// whose body is incomplete, stays unchanged.
pub(crate) async fn response(
    response: Response<Body>,
    request_headers: &HeaderMap,
) -> Response<Body> {
    let length = response.body().size_hint().exact();
    if length.is_none_or(|length| length < MIN_ENCODED_BYTES) {
        return response;
    }
    let (mut parts, mut body) = response.into_parts();
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let coding = ContentEncoding::negotiate(request_headers);
    let Some(name) = coding.name() else { return Response::from_parts(parts, body) };
    let Some(Some(Ok(frame))) = body.frame().now_or_never() else {
        return Response::from_parts(parts, body);
    };
    let bytes = frame.into_data().unwrap_or_default();
    let encoded = one(bytes.clone(), coding).await;
    let body = match encoded.filter(|encoded| encoded.len() < bytes.len()) {
        Some(encoded) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
            encoded
        }
        None => bytes,
    };
    parts.headers.insert(header::CONTENT_LENGTH, body.len().into());
    Response::from_parts(parts, Body::from(body))
}

/// Brotli of the highest quality; takes more than 100 ms.
pub(super) async fn best(gzip: Bytes) -> Option<Bytes> {
    run(move || gunzip(&gzip).map(|body| brotli(&body, BEST_BROTLI))).await.flatten()
}

pub(super) async fn run<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // Never closed; a job that the end of the runtime cancels has no result.
    let _permit = PERMITS.acquire().await.ok()?;
    tokio::task::spawn_blocking(job).await.ok()
}

pub(super) fn brotli_parameters(length: usize, quality: u32) -> brotli::enc::BrotliEncoderParams {
    let window = length.next_power_of_two().ilog2().clamp(*WINDOWS.start(), *WINDOWS.end());
    brotli::enc::BrotliEncoderParams {
        quality: quality as i32,
        lgwin: window as i32,
        ..Default::default()
    }
}

fn brotli(body: &[u8], quality: u32) -> Bytes {
    let parameters = brotli_parameters(body.len(), quality);
    let mut out = Vec::with_capacity(body.len() / 4 + 64);
    // Reading from and writing to memory does not fail.
    let _ = brotli::BrotliCompress(&mut &body[..], &mut out, &parameters);
    exact(&out)
}

fn gzip(body: &[u8], level: u32) -> Bytes {
    let out = Vec::with_capacity(body.len() / 4 + 64);
    let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::new(level));
    let _ = encoder.write_all(body);
    exact(&encoder.finish().unwrap_or_default())
}

/// Decompresses our own gzip; `None` if it is damaged.
pub(super) fn gunzip(gzip: &[u8]) -> Option<Bytes> {
    let mut body = Vec::with_capacity(gzip.len() * 5);
    flate2::read::GzDecoder::new(gzip).read_to_end(&mut body).ok()?;
    Some(exact(&body))
}

/// A copy in an allocation of its exact size: the allocator does not shrink half-used ones.
fn exact(body: &[u8]) -> Bytes {
    Bytes::copy_from_slice(body)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn page() -> Bytes {
        (0..3000)
            .map(|n| format!("<li>item {} of {n}</li>", n * 7919 % 1000))
            .collect::<String>()
            .into()
    }

    fn unbrotli(coded: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        brotli::BrotliDecompress(&mut &coded[..], &mut out).unwrap();
        out
    }

    #[tokio::test]
    async fn quick_and_best_bodies_decode_to_the_page() {
        for body in [page(), Bytes::new(), Bytes::from_static(b"x")] {
            let bodies = quick(body.clone()).await.unwrap();
            assert_eq!(unbrotli(bodies.brotli.as_ref().unwrap()), body);
            let gzip = bodies.gzip.unwrap();
            assert_eq!(gunzip(&gzip).unwrap(), body);
            let best = super::best(gzip).await.unwrap();
            assert_eq!(unbrotli(&best), body);
            assert!(best.len() <= bodies.brotli.unwrap().len());
        }
    }

    #[tokio::test]
    async fn bodies_that_a_visitor_waits_for_are_compressed_at_the_quick_levels() {
        let page = page();
        let stored = quick(page.clone()).await.unwrap();
        assert_eq!(stored.brotli, Some(brotli(&page, QUICK)));
        assert_eq!(stored.gzip, Some(gzip(&page, QUICK)));
        assert_ne!(stored.brotli, Some(brotli(&page, MEMOISED)));
        let unstored = one(page.clone(), ContentEncoding::Brotli).await;
        assert_eq!(unstored, stored.brotli);
        assert_eq!(one(page.clone(), ContentEncoding::Gzip).await, stored.gzip);
        assert_eq!(one(page.clone(), ContentEncoding::Identity).await, Some(page));
    }

    /// The window size in the first byte of a stream (RFC 7932 §9.1), as a power of two.
    fn window(brotli: &[u8]) -> u8 {
        match (brotli[0] & 1, brotli[0] >> 1 & 7, brotli[0] >> 4 & 7) {
            (0, _, _) => 16,
            (_, 0, 0) => 17,
            (_, 0, small) => 8 + small,
            (_, large, _) => 17 + large,
        }
    }

    #[test]
    fn brotli_window_fits_the_body_but_is_never_below_17_bits() {
        struct Row {
            size: usize,
            window: u8,
        }
        let pages = page().repeat(4);
        for Row { size, window: expected } in [
            Row { size: 1, window: 17 },
            Row { size: 19_000, window: 17 },
            Row { size: 65_536, window: 17 },
            Row { size: 131_072, window: 17 },
            Row { size: 131_073, window: 18 },
        ] {
            for quality in [QUICK, MEMOISED] {
                let coded = brotli(&pages[..size], quality);
                assert_eq!(window(&coded), expected, "{size} {quality}");
            }
        }
    }

    #[tokio::test]
    async fn response_is_compressed_from_1_kb_on_if_that_makes_it_smaller() {
        struct Row {
            body: Vec<u8>,
            varies: bool,
            is_compressed: bool,
        }
        let incompressible = (0..256).flat_map(|_| rand::random::<u64>().to_be_bytes()).collect();
        for Row { body, varies, is_compressed } in [
            Row { body: vec![b'x'; 1_023], varies: false, is_compressed: false },
            Row { body: vec![b'x'; 1_024], varies: true, is_compressed: true },
            Row { body: incompressible, varies: true, is_compressed: false },
        ] {
            let accept =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"))]);
            let size = body.len();
            let response = super::response(Response::new(body.into()), &accept).await;
            let headers = response.headers();
            assert_eq!(headers.contains_key(header::VARY), varies, "{size}");
            assert_eq!(headers.contains_key(header::CONTENT_ENCODING), is_compressed, "{size}");
            let sent = response.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(sent.len() < size, is_compressed, "{size}");
        }
    }

    #[test]
    fn gunzip_rejects_a_truncated_body() {
        let mut coded = gzip(&page(), QUICK).to_vec();
        let middle = coded.len() / 2;
        coded.truncate(middle);
        assert!(gunzip(&coded).is_none());
    }
}
