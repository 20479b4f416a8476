//! The context of a request: what is known of its client, determined once and passed on.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    response::Response,
};
use http::{Request, StatusCode, request::Parts};
use sahm_chassis::settings::Settings;

use crate::{
    client_address::{ClientAddress, is_trusted},
    http::error_response::text,
    visitor::ClientProfile,
};

/// The context of a request. [`FastPath`](crate::middleware::FastPath) builds it before any other layer; layers and
/// handlers extract it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestContext {
    /// When the request arrived.
    pub(crate) started: Instant,
    /// The client's address, which rate limits and concurrency limits count.
    pub(crate) client_address: IpAddr,
    /// Whether the peer is a trusted proxy, whose trace is continued.
    pub(crate) is_from_trusted_proxy: bool,
    /// The client by its headers.
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
            text(StatusCode::INTERNAL_SERVER_ERROR, "internal error\n")
        })
    }
}
