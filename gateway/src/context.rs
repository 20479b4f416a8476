//! The context of a request: properties of its client, determined once.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    response::Response,
};
use http::{HeaderMap, HeaderName, Request, request::Parts};
use sahm_chassis::settings::Settings;

use crate::{
    client_address::{ClientAddress, is_trusted},
    http::error_response::internal_error,
    visitor::ClientProfile,
};

/// The header in which a TLS-terminating proxy reports the client's scheme.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The context of a request. [`FastPath`](crate::middleware::FastPath) builds it before any other layer; layers and
/// handlers extract it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestContext {
    pub(crate) started: Instant,
    /// The client's address, for rate limits and concurrency limits.
    pub(crate) client_address: IpAddr,
    /// Whether the peer is a trusted proxy.
    pub(crate) is_from_trusted_proxy: bool,
    /// `https` or `http`: the scheme that a trusted proxy reports, else that of the listener.
    pub(crate) scheme: &'static str,
    pub(crate) profile: ClientProfile,
}

impl RequestContext {
    /// Builds the context. A request without a peer counts against the unspecified address, so that no request is
    /// unlimited.
    pub(crate) fn new<B>(request: &Request<B>, settings: &Settings) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(peer)| peer.ip());
        let (headers, trusted) = (request.headers(), &settings.trusted_proxies);
        let is_from_trusted_proxy = is_trusted(peer, trusted);
        Self {
            started: Instant::now(),
            client_address: ClientAddress::of(peer, headers, trusted).0,
            is_from_trusted_proxy,
            scheme: if is_from_trusted_proxy { forwarded_scheme(headers) } else { "http" },
            profile: ClientProfile::from_headers(headers, &settings.app_user_agent),
        }
    }
}

/// The scheme of the first hop that proxies report.
fn forwarded_scheme(headers: &HeaderMap) -> &'static str {
    let hops = headers.get(FORWARDED_PROTO).map(|hops| hops.as_bytes());
    let first = hops.and_then(|hops| hops.split(|byte| *byte == b',').next());
    match first.is_some_and(|hop| hop.trim_ascii().eq_ignore_ascii_case(b"https")) {
        true => "https",
        false => "http",
    }
}

impl<S: Sync> FromRequestParts<S> for RequestContext {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        parts.extensions.get().copied().ok_or_else(|| {
            tracing::error!("request without a context");
            internal_error()
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use http::StatusCode;
    use sahm_chassis::settings::Process;

    use super::*;

    #[test]
    fn requests_without_a_peer_share_the_limits_of_one_address() {
        let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
        let mut request = Request::new(());
        let context = RequestContext::new(&request, &settings);
        assert_eq!(context.client_address.to_string(), "0.0.0.0");
        let peer = "203.0.113.1:4711".parse::<SocketAddr>().unwrap();
        request.extensions_mut().insert(ConnectInfo(peer));
        let context = RequestContext::new(&request, &settings);
        assert_eq!(context.client_address.to_string(), "203.0.113.1");
        assert!(!context.is_from_trusted_proxy);
    }

    #[test]
    fn scheme_comes_from_trusted_proxies_only() {
        let trusting = ("SAHM_TRUSTED_PROXIES".to_owned(), "10.0.0.0/8".to_owned());
        let settings = Settings::from_pairs(Process::Gateway, [trusting]).unwrap();
        struct Case {
            peer: &'static str,
            proto: Option<&'static str>,
            scheme: &'static str,
        }
        for Case { peer, proto, scheme } in [
            Case { peer: "10.0.0.1:1", proto: Some("https"), scheme: "https" },
            Case { peer: "10.0.0.1:1", proto: Some("HTTPS , http"), scheme: "https" },
            Case { peer: "10.0.0.1:1", proto: Some("http, https"), scheme: "http" },
            Case { peer: "10.0.0.1:1", proto: Some("junk"), scheme: "http" },
            Case { peer: "10.0.0.1:1", proto: None, scheme: "http" },
            Case { peer: "203.0.113.1:1", proto: Some("https"), scheme: "http" },
        ] {
            let mut request = Request::new(());
            request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
            if let Some(proto) = proto {
                request.headers_mut().insert(FORWARDED_PROTO, proto.parse().unwrap());
            }
            let context = RequestContext::new(&request, &settings);
            assert_eq!(context.scheme, scheme, "{peer} {proto:?}");
        }
    }

    #[tokio::test]
    async fn handler_is_not_reached_without_a_context() {
        let (mut parts, ()) = Request::new(()).into_parts();
        let rejection = RequestContext::from_request_parts(&mut parts, &()).await.unwrap_err();
        assert_eq!(rejection.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
