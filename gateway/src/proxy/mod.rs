//! The apps beside this site, `/activitiesr/…` and `/feature/…`, where their addresses are set:
//! handed on and back as they are, streamed, without our headers, cookies or cache (docs/redirects.md).

mod body;
mod head;

use std::{net::IpAddr, time::Duration};

use axum::body::Body;
use http::{Request, Response, StatusCode, Uri, header::HeaderValue, uri::PathAndQuery};
use http_body_util::Limited;
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioTimer},
};
use percent_encoding::percent_decode_str;
use sahm_chassis::{
    outbound::{self, Connector},
    settings::Settings,
};

use self::body::Timed;
use crate::limits::{ConcurrencyLimit, PROXIED};

/// Until the head of an app's answer; clients give up at 10 s (docs/limits-and-timeouts.md).
const HEAD: Duration = Duration::from_secs(8);
/// A request to the end of its answer.
const WHOLE: Duration = Duration::from_secs(60);
/// A body's next piece, in either direction.
const PIECE: Duration = Duration::from_secs(15);
/// One request's body, as large as uploads are.
const BODY: usize = 16 << 20;
/// Bytes of a response that a connection reads before the client takes them, the head included.
/// hyper's default is 400 KB.
const READ_BUFFER: usize = 64 << 10;
/// Idle connections are dropped before most servers drop them.
const IDLE: Duration = Duration::from_secs(20);

/// The apps that answer for themselves.
pub(crate) struct Proxy {
    apps: Vec<App>,
    client: Option<Client<Connector, Body>>,
    permits: ConcurrencyLimit,
    /// What an app is told of where it was asked: `https`, `www.sahm.example`.
    scheme: HeaderValue,
    host: HeaderValue,
}

/// An app.
#[derive(Debug)]
struct App {
    /// Its paths' first segment.
    name: &'static str,
    origin: Uri,
}

impl Proxy {
    /// The apps that settings give an address.
    ///
    /// Errors: one of the addresses is none; the system's root certificates cannot be read.
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
                    .pool_idle_timeout(IDLE)
                    .pool_timer(TokioTimer::new())
                    .http1_max_buf_size(READ_BUFFER)
                    .build(outbound::connector()?),
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

    /// The first segments of paths that apps answer.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.apps.iter().map(|app| app.name)
    }

    /// Whether a path is one of an app's.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.app(path).is_some()
    }

    fn app(&self, path: &str) -> Option<&App> {
        let (first, _) = path.strip_prefix('/')?.split_once('/')?;
        self.apps.iter().find(|app| app.name == first)
    }

    /// An app's answer to a request of its own paths.
    ///
    /// Errors: the status to answer with instead.
    pub(crate) async fn answer(
        &self,
        request: Request<Body>,
        peer: IpAddr,
    ) -> Result<Response<Body>, StatusCode> {
        let path = request.uri().path();
        let (Some(app), Some(client)) = (self.app(path), &self.client) else {
            return Err(StatusCode::NOT_FOUND);
        };
        if is_forbidden(path) {
            return Err(StatusCode::NOT_FOUND);
        }
        let permit = self.permits.take(peer).ok_or(StatusCode::SERVICE_UNAVAILABLE)?;
        let end = tokio::time::Instant::now() + WHOLE;

        let (parts, body) = request.into_parts();
        let target = parts.uri.path_and_query().cloned();
        let mut to = app.origin.clone().into_parts();
        to.path_and_query = Some(target.unwrap_or(PathAndQuery::from_static("/")));
        let body = Body::new(Timed::new(Limited::new(body, BODY), PIECE, end, None));
        let mut asked = Request::new(body);
        *asked.method_mut() = parts.method;
        *asked.uri_mut() = Uri::from_parts(to).map_err(|_| StatusCode::NOT_FOUND)?;
        *asked.headers_mut() = head::asked(parts.headers, peer, &self.scheme, &self.host);

        let answer = match tokio::time::timeout(HEAD, client.request(asked)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::warn!(app = app.name, error = %head::chain(&error), "app does not answer");
                return Err(StatusCode::SERVICE_UNAVAILABLE);
            }
            Err(_) => {
                tracing::warn!(app = app.name, "app answers too late");
                return Err(StatusCode::GATEWAY_TIMEOUT);
            }
        };
        // No protocol but HTTP is handed on.
        if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
            tracing::warn!(app = app.name, "app switches protocols");
            return Err(StatusCode::SERVICE_UNAVAILABLE);
        }
        let (mut parts, body) = answer.into_parts();
        parts.headers = head::answered(parts.headers);
        parts.version = http::Version::HTTP_11;
        parts.extensions = http::Extensions::new();
        Ok(Response::from_parts(parts, Body::new(Timed::new(body, PIECE, end, Some(permit)))))
    }
}

/// What no path may hold, proxied or not: `//`, `\`, control characters; and steps out of the app.
pub(crate) fn is_forbidden(path: &str) -> bool {
    let decoded = percent_decode_str(path).collect::<Vec<_>>();
    path.contains("//")
        || decoded.iter().any(|byte| *byte == b'\\' || byte.is_ascii_control())
        || decoded.split(|byte| *byte == b'/').any(|segment| {
            // Some servers cut a segment's parameters off before they resolve it.
            let name = segment.split(|byte| *byte == b';').next();
            matches!(name, Some(b"." | b".."))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_no_app_is_asked_for() {
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
