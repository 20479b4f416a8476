//! The state of the application, which all requests share.

use std::sync::Arc;

use sahm_chassis::settings::Settings;

use crate::{
    api::Api,
    cookies::PageCookies,
    files::Files,
    http::headers::SecurityHeaders,
    http_metrics::HttpMetrics,
    limits::{ConcurrencyLimit, Limits},
    page_cache::PageCache,
    proxy::Proxy,
    render::PageBuilder,
    resolved_urls::ResolvedUrlCache,
    routes::RouteTable,
    switches::Switches,
};

/// The prefix of paths of the JSON API.
pub(crate) const API_PREFIX: &str = "/api/";

/// The path prefix of page data.
pub(crate) const DATA_PREFIX: &str = "/_data";

/// Whether this is a path of page data.
pub(crate) fn is_data(path: &str) -> bool {
    path.strip_prefix(DATA_PREFIX).is_some_and(|rest| rest.starts_with('/'))
}

/// The state of the application.
pub(crate) type AppState = Arc<Shared>;

/// The state that all requests share.
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) routes: Arc<RouteTable>,
    pub(crate) page_builder: PageBuilder,
    pub(crate) cache: PageCache,
    pub(crate) api: Api,
    pub(crate) files: Files,
    pub(crate) proxy: Proxy,
    pub(crate) limits: Limits,
    pub(crate) requests: ConcurrencyLimit,
    pub(crate) resolved_urls: ResolvedUrlCache,
    pub(crate) switches: Switches,
    pub(crate) metrics: HttpMetrics,
    pub(crate) cookies: PageCookies,
    pub(crate) security_headers: Arc<SecurityHeaders>,
    /// The host of the site's public URL, for traces.
    pub(crate) server_address: String,
    pub(crate) server_port: u16,
}
