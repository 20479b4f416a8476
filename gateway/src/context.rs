//! The context of a request: what is known of its client, determined once and passed on.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    response::Response,
};
use http::{Request, request::Parts};
use sahm_chassis::settings::Settings;

use crate::{
    client_address::{ClientAddress, is_trusted},
    http::error_response::internal_error,
    visitor::ClientProfile,
};

/// The context of a request. [`FastPath`](crate::middleware::FastPath) builds it before any other layer; layers and
/// handlers extract it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestContext {
    pub(crate) started: Instant,
    /// The client's address, which rate limits and concurrency limits count.
    pub(crate) client_address: IpAddr,
    /// Whether the peer is a trusted proxy, whose trace is continued.
    pub(crate) is_from_trusted_proxy: bool,
    pub(crate) profile: ClientProfile,
}

impl RequestContext {
    /// Builds the context. A request without a peer counts for the unspecified address, so that none is unlimited.
    pub(crate) fn new<B>(request: &Request<B>, settings: &Settings) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(peer)| peer.ip());
        let (headers, trusted) = (request.headers(), &settings.trusted_proxies);
        Self {
            started: Instant::now(),
            client_address: ClientAddress::of(peer, headers, trusted).0,
            is_from_trusted_proxy: is_trusted(peer, trusted),
            profile: ClientProfile::from_headers(headers, &settings.app_user_agent),
        }
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

    #[tokio::test]
    async fn handler_is_not_reached_without_a_context() {
        let (mut parts, ()) = Request::new(()).into_parts();
        let rejection = RequestContext::from_request_parts(&mut parts, &()).await.unwrap_err();
        assert_eq!(rejection.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
