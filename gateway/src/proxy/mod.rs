//! A reverse proxy for the apps beside this site, `/activitiesr/…` and `/feature/…`, if their addresses are set. It
//! streams requests and responses unchanged, without this site's headers, cookies or cache (docs/redirects.md).

mod body;
mod headers;

use std::{net::IpAddr, time::Duration};

use axum::body::Body;
use http::{Request, Response, StatusCode, Uri, header::HeaderValue, uri::PathAndQuery};
use http_body_util::{LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use percent_encoding::percent_decode_str;
use sahm_chassis::settings::Settings;
use tokio::time::timeout;

use self::body::{BodyTimeout, with_timeouts};
use crate::{
    http::error_response::{gateway_timeout, not_found, text, unavailable},
    limits::{ConcurrencyLimit, PROXIED},
};

/// Timeout of an app's response head; below the clients' timeout of 10 s (docs/limits-and-timeouts.md).
const RESPONSE_HEAD_TIMEOUT: Duration = Duration::from_secs(8);
/// Timeout of a whole exchange, from the request to the end of its response.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout of each frame of a body, in either direction.
const FRAME_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of a request body, as for uploads.
const MAX_BODY_BYTES: usize = 16 << 20;
/// Read buffer of a connection to an app; hyper's default is 400 KB.
const READ_BUFFER_BYTES: usize = 64 << 10;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Idle timeout of a connection; shorter than that of most servers, to avoid requests on closed connections.
const IDLE_CONNECTION_TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) struct Proxy {
    apps: Vec<App>,
    client: Option<Client<HttpsConnector<HttpConnector>, Body>>,
    permits: ConcurrencyLimit,
    /// Scheme and host of this site, for `x-forwarded-proto` and `x-forwarded-host`.
    scheme: HeaderValue,
    host: HeaderValue,
}

#[derive(Debug)]
struct App {
    /// The first segment of its paths.
    name: &'static str,
    origin: Uri,
}

impl Proxy {
    /// A proxy for the apps whose addresses are set.
    ///
    /// # Errors
    /// An address is malformed, or the system's root certificates cannot be read.
    pub(crate) fn new(settings: &Settings) -> anyhow::Result<Self> {
        let addresses =
            [("activitiesr", &settings.activitiesr_url), ("feature", &settings.feature_url)];
        let mut apps = Vec::new();
        for (name, address) in addresses {
            if let Some(address) = address {
                apps.push(App { name, origin: address.parse()? });
            }
        }
        let client = match apps.is_empty() {
            true => None,
            false => Some(
                Client::builder(TokioExecutor::new())
                    .pool_idle_timeout(IDLE_CONNECTION_TIMEOUT)
                    .pool_timer(TokioTimer::new())
                    .http1_max_buf_size(READ_BUFFER_BYTES)
                    .build(connector()?),
            ),
        };
        let site = settings.public_url.parse::<Uri>()?;
        let host = site.authority().map_or("", |authority| authority.as_str());
        Ok(Self {
            apps,
            client,
            permits: ConcurrencyLimit::new(PROXIED, settings.rate_limits),
            scheme: HeaderValue::from_str(site.scheme_str().unwrap_or("http"))?,
            host: HeaderValue::from_str(host)?,
        })
    }

    /// The first path segments of the apps.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.apps.iter().map(|app| app.name)
    }

    /// Whether a path belongs to an app.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.app(path).is_some()
    }

    fn app(&self, path: &str) -> Option<&App> {
        let (first, _) = path.strip_prefix('/')?.split_once('/')?;
        self.apps.iter().find(|app| app.name == first)
    }

    /// Forwards a client's request to its app.
    pub(crate) async fn forward(&self, request: Request<Body>, client: IpAddr) -> Response<Body> {
        let path = request.uri().path();
        let (Some(app), Some(http)) = (self.app(path), &self.client) else { return not_found() };
        if is_forbidden(path) {
            return not_found();
        }
        let Ok(permit) = self.permits.acquire(client) else { return unavailable() };
        let deadline = tokio::time::Instant::now() + EXCHANGE_TIMEOUT;

        let (parts, body) = request.into_parts();
        let target = parts.uri.path_and_query().cloned();
        let mut uri = app.origin.clone().into_parts();
        uri.path_and_query = Some(target.unwrap_or(PathAndQuery::from_static("/")));
        let Ok(uri) = Uri::from_parts(uri) else { return not_found() };
        let body = Limited::new(body, MAX_BODY_BYTES);
        let mut upstream = Request::new(with_timeouts(body, FRAME_TIMEOUT, deadline, None));
        *upstream.method_mut() = parts.method;
        *upstream.uri_mut() = uri;
        *upstream.headers_mut() =
            headers::of_request(parts.headers, client, &self.scheme, &self.host);

        let response = match timeout(RESPONSE_HEAD_TIMEOUT, http.request(upstream)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let error = anyhow::Error::new(error);
                if error.chain().any(|cause| cause.is::<LengthLimitError>()) {
                    return text(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 16 MB\n");
                }
                if error.chain().any(|cause| cause.is::<BodyTimeout>()) {
                    return text(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time\n");
                }
                // `{:#}` prints the chain of causes.
                let error = format!("{error:#}");
                tracing::warn!(app = app.name, error, "app unavailable");
                return unavailable();
            }
            Err(_) => {
                tracing::warn!(app = app.name, "app timed out");
                return gateway_timeout();
            }
        };
        // Upgrades are not supported.
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            tracing::warn!(app = app.name, "app switches protocols");
            return unavailable();
        }
        let (mut parts, body) = response.into_parts();
        parts.headers = headers::of_response(parts.headers);
        parts.version = http::Version::HTTP_11;
        parts.extensions = http::Extensions::new();
        let body = with_timeouts(body, FRAME_TIMEOUT, deadline, Some(permit));
        Response::from_parts(parts, body)
    }
}

/// A connector that trusts the system's roots, for HTTP/1.1.
fn connector() -> anyhow::Result<HttpsConnector<HttpConnector>> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_connect_timeout(Some(CONNECT_TIMEOUT));
    http.set_nodelay(true);
    let builder = HttpsConnectorBuilder::new().with_native_roots()?.https_or_http();
    Ok(builder.enable_http1().wrap_connector(http))
}

/// Whether a path contains `//`, `\` or a control character, which no path may, or a dot segment, which may leave the
/// app.
pub(crate) fn is_forbidden(path: &str) -> bool {
    let decoded = percent_decode_str(path).collect::<Vec<_>>();
    path.contains("//")
        || decoded.iter().any(|byte| *byte == b'\\' || byte.is_ascii_control())
        || decoded.split(|byte| *byte == b'/').any(|segment| {
            // Some servers strip a segment's parameters before they resolve it.
            let name = segment.split(|byte| *byte == b';').next();
            matches!(name, Some(b"." | b".."))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_paths_are_not_forwarded() {
        for (path, forbidden) in [
            ("/feature/x", false),
            ("/feature/", false),
            ("/feature/a%2Fb", false),
            ("/feature/%zz", false),
            ("/feature/%ff", false),
            ("/feature/سهم", false),
            ("/feature/.well-known/x", false),
            ("/feature//x", true),
            ("/feature/a\\b", true),
            ("/feature/a%5cb", true),
            ("/feature/a%0d%0ab", true),
            ("/feature/%00", true),
            ("/feature/%7f", true),
            ("/feature/../admin", true),
            ("/feature/%2e%2e/admin", true),
            ("/feature/x%2f..%2fadmin", true),
            ("/feature/./x", true),
            ("/feature/..;/admin", true),
            ("/feature/..;a=b/admin", true),
            ("/feature/%2e%2e%3b/admin", true),
            ("/feature/.;", true),
            ("/feature/a;b/c;..", false),
        ] {
            assert_eq!(is_forbidden(path), forbidden, "{path}");
        }
    }
}
