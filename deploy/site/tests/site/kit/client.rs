//! An HTTP client with persistent connections, without redirects and decompression.

use std::{net::SocketAddr, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as Http, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;

use super::{test_logs, wait::until};

/// Maximum concurrent requests of one connection of [`Client::multiplexed`].
pub(crate) const MAX_STREAMS: usize = 125;

/// Time within which a page is complete and stored in the page cache, on a busy machine.
const STORE_TIMEOUT: Duration = Duration::from_secs(30);

/// A client of one gateway.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: Http<HttpConnector, Full<Bytes>>,
    address: SocketAddr,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let http = Http::builder(TokioExecutor::new()).build_http();
        Self { http, address }
    }

    /// A client with one HTTP/2 connection, for many concurrent requests.
    pub(crate) fn multiplexed(address: SocketAddr) -> Self {
        let http = Http::builder(TokioExecutor::new()).http2_only(true).build_http();
        Self { http, address }
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], "").await
    }

    pub(crate) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.send("GET", path, headers, "").await
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Response {
        self.try_send(method, path, headers, body).await.unwrap()
    }

    /// Requests a page until it is a hit in the page cache. On a busy machine the first responses can lack a part,
    /// and are not stored.
    pub(crate) async fn until_stored(&self, path: &str) {
        until(STORE_TIMEOUT, &format!("{path} is stored"), async || {
            self.get(path).await.cache_status() == "hit"
        })
        .await;
    }

    /// # Errors
    /// There was no response.
    pub(crate) async fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Response, Box<dyn std::error::Error + Send + Sync>> {
        let mut request =
            Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let content: Bytes = body.into();
        let response = self.http.request(request.body(Full::new(content.clone()))?).await?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        test_logs::record_secrets(&content, &parts.headers, &body);
        Ok(Response { status: parts.status.as_u16(), headers: parts.headers, body })
    }
}

/// A response with its whole body.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Response {
    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        match serde_json::from_slice(&self.body) {
            Ok(json) => json,
            Err(error) => panic!("{error}: {self:?}"),
        }
    }

    /// The value of a header; empty if absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// `x-page-cache`.
    pub(crate) fn cache_status(&self) -> &str {
        self.header("x-page-cache")
    }
}
