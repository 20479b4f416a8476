//! HTTP client for external providers: short timeouts, bounded responses, TLS with the system's
//! root certificates, and a span and a metric for every call.
mod observe;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{ClientConfig, crypto::ring};
use tracing::Instrument;

use self::observe::{ErrorType, ObservedCall};
use crate::settings::Endpoint;

/// Connect timeout.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);
/// Idle timeout of pooled connections, shorter than that of most servers.
const IDLE_LIMIT: Duration = Duration::from_secs(20);
/// Maximum size of a response body in bytes.
const ANSWER_BYTES: usize = 1 << 20;

/// Connects to `http` and `https` addresses.
pub type Connector = HttpsConnector<HttpConnector>;

/// Installs ring as the process's default TLS provider, which OTLP over HTTP, Redis and the
/// renderer's client require. Idempotent.
pub fn install_tls_provider() {
    // Fails if a provider is already installed.
    let _ = ring::default_provider().install_default();
}

/// A connector that trusts the system's roots, for HTTP/1.1.
///
/// # Errors
/// The system's root certificates cannot be read.
pub fn connector() -> anyhow::Result<Connector> {
    let tls = ClientConfig::builder_with_provider(ring::default_provider().into())
        .with_safe_default_protocol_versions()?
        .with_native_roots()?
        .with_no_client_auth();
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_connect_timeout(Some(CONNECT_LIMIT));
    http.set_nodelay(true);
    let builder = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http();
    Ok(builder.enable_http1().wrap_connector(http))
}

/// HTTP client of one provider. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Outbound {
    provider: Arc<str>,
    client: Client<Connector, Full<Bytes>>,
    timeout: Duration,
}

/// A provider's response.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The body, at most 1 MB.
    pub body: Bytes,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Errors
    /// The status is not a success, or the body is not JSON of this type.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
        anyhow::ensure!(self.status.is_success(), "the provider answered {}", self.status);
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
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE_LIMIT)
            .pool_timer(TokioTimer::new())
            .build(connector()?);
        Ok(Outbound { provider: provider.into(), client, timeout })
    }

    /// Posts JSON, with the endpoint's token as `authorization: Bearer …`.
    ///
    /// # Errors
    /// Same as [`Outbound::send`]. The error never contains the token.
    pub async fn post_json(
        &self,
        endpoint: &Endpoint,
        body: &serde_json::Value,
    ) -> anyhow::Result<Answer> {
        let mut request = Request::post(&endpoint.url)
            .header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .header(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = &endpoint.token {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose()))
                .map_err(|_| anyhow::anyhow!("the provider's token fits no header"))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        self.send(request.body(Full::from(body.to_string()))?).await
    }

    /// Sends a request unchanged.
    ///
    /// # Errors
    /// No complete response arrived in time. The error names the provider's address.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> anyhow::Result<Answer> {
        let mut observed = ObservedCall::begin(&self.provider, request.method(), request.uri());
        let address = address(request.uri());
        let call = async {
            let response = self.client.request(request).await.map_err(|error| {
                let kind = if error.is_connect() { ErrorType::Connect } else { ErrorType::Other };
                (kind, anyhow::Error::new(error))
            })?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, ANSWER_BYTES).collect().await;
            let body = body.map_err(|error| (ErrorType::Other, anyhow::anyhow!(error)))?;
            Ok(Answer { status: parts.status, body: body.to_bytes() })
        };
        let span = observed.span();
        let timed = tokio::time::timeout(self.timeout, call).instrument(span).await;
        let answer = timed.unwrap_or_else(|_| {
            Err((ErrorType::Timeout, anyhow::anyhow!("no answer within {:?}", self.timeout)))
        });
        match answer {
            Ok(answer) => {
                observed.answered(answer.status);
                Ok(answer)
            }
            Err((kind, error)) => {
                observed.failed(kind);
                Err(error.context(address))
            }
        }
    }
}

/// Host and port of a URL, without its user and password.
fn address(url: &Uri) -> String {
    let host = url.host().unwrap_or_default();
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
            Case { url: "http://[::1]:80/", address: "[::1]:80" },
        ] {
            assert_eq!(address(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
