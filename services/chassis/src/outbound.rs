//! HTTP client for external providers: short timeouts, bounded responses, TLS with the system's
//! root certificates, and a span and a metric for every call.
mod observe;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use bytes::Bytes;
use reqwest::{Client, RequestBuilder, StatusCode, Url, header, redirect};
use rustls::crypto::ring;
use tracing::Instrument;

use self::observe::{ErrorType, ObservedCall};
use crate::settings::Endpoint;

/// Connect timeout.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Idle timeout of pooled connections, shorter than that of most servers.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum size of a response body in bytes.
const MAX_BODY_BYTES: usize = 1 << 20;

/// Installs ring as the process's default TLS provider, which all clients of HTTP and Redis
/// require. Idempotent.
pub fn install_tls_provider() {
    // Fails if a provider is already installed.
    let _ = ring::default_provider().install_default();
}

/// HTTP client of one provider. Clones share its connections. It follows no redirects.
#[derive(Clone, Debug)]
pub struct Outbound {
    provider: Arc<str>,
    client: Client,
}

/// A provider's response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The HTTP status.
    pub status: StatusCode,
    /// The body, at most 1 MB.
    pub body: Bytes,
}

impl Response {
    /// The body as JSON.
    ///
    /// # Errors
    /// The status is not a success, or the body is not JSON of this type.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
        anyhow::ensure!(self.status.is_success(), "the provider returned {}", self.status);
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl Outbound {
    /// A client of the provider that metrics and spans name `provider` (`service.peer.name`).
    /// `timeout` bounds each call as a whole.
    ///
    /// # Errors
    /// The system's root certificates cannot be read.
    pub fn new(provider: impl Into<Arc<str>>, timeout: Duration) -> anyhow::Result<Outbound> {
        install_tls_provider();
        let client = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .timeout(timeout)
            .build()?;
        Ok(Outbound { provider: provider.into(), client })
    }

    /// Posts JSON, with the endpoint's token as `authorization: Bearer …`.
    ///
    /// # Errors
    /// Same as [`Outbound::send`]. The error never contains the token.
    pub async fn post_json(
        &self,
        endpoint: &Endpoint,
        body: &serde_json::Value,
    ) -> anyhow::Result<Response> {
        let mut request =
            self.post(&endpoint.url).header(header::ACCEPT, "application/json").json(body);
        if let Some(token) = &endpoint.token {
            request = request.bearer_auth(token.expose());
        }
        self.send(request).await
    }

    /// A POST request for [`Outbound::send`].
    pub fn post(&self, url: &str) -> RequestBuilder {
        self.client.post(url)
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The request is malformed, or no complete response arrived in time. The error names the
    /// provider's host and port, and never the rest of the URL.
    pub async fn send(&self, request: RequestBuilder) -> anyhow::Result<Response> {
        let request = request.build().map_err(reqwest::Error::without_url)?;
        let address = address(request.url());
        let mut observed = ObservedCall::begin(&self.provider, request.method(), request.url());
        let outcome = self.call(request).instrument(observed.span()).await;
        observed.ended(outcome.as_ref().map(|response| response.status).map_err(ErrorType::of));
        outcome.context(address)
    }

    async fn call(&self, request: reqwest::Request) -> anyhow::Result<Response> {
        let response = self.client.execute(request).await.map_err(reqwest::Error::without_url)?;
        let status = response.status();
        let body = read_body(response, MAX_BODY_BYTES).await?;
        let body = body.with_context(|| format!("the response exceeds {MAX_BODY_BYTES} bytes"))?;
        Ok(Response { status, body: body.into() })
    }
}

/// Reads the body of a response; `None` if it exceeds `max` bytes.
///
/// # Errors
/// The body does not arrive completely. The error does not name the URL.
pub async fn read_body(
    mut response: reqwest::Response,
    max: usize,
) -> reqwest::Result<Option<Vec<u8>>> {
    let length = response.content_length().map_or(0, |length| length as usize);
    let mut body = Vec::with_capacity(length.min(max));
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        if body.len() + chunk.len() > max {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Host and port of a URL, without its user and password.
fn address(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn address_has_host_and_port_without_user_and_path() {
        struct Case {
            url: &'static str,
            address: &'static str,
        }
        for Case { url, address: expected } in [
            Case { url: "https://sms.example/send?to=1", address: "sms.example" },
            Case { url: "https://user:hidden@sms.example:8443/send", address: "sms.example:8443" },
            Case { url: "http://[::1]:8080/", address: "[::1]:8080" },
        ] {
            assert_eq!(address(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
