//! Starts the gateway: builds the application's state, and serves it.

use std::sync::Arc;

use sahm_chassis::{
    BoxFuture,
    lifecycle::Context,
    settings::{Environment, ServiceName},
};
use tokio::net::TcpListener;

use crate::{
    api::{self, Api},
    app::build_app,
    cache_admin,
    config_refresh::ConfigRefresh,
    cookies::PageCookies,
    dynamic_grpc_client,
    files::Files,
    http::{headers::SecurityHeaders, server},
    http_metrics::HttpMetrics,
    limits::{ConcurrencyLimit, Connections, Limits, REQUESTS},
    page_cache::{CacheConfig, PageCache},
    pages::{DataSources, Loaders, target_origins},
    proxy::Proxy,
    render::{PageBuilder, RenderMemo, Renderer},
    resolved_urls::ResolvedUrlCache,
    routes::RouteTable,
    services::Services,
    site::Site,
    state::{AppState, Shared},
    switches::Switches,
};

/// Memoised renders take this fraction of the page cache's memory, in addition to it.
const RENDER_MEMO_SHARE: u64 = 4;

/// Starts the gateway and serves it on a bound listener until the drain.
///
/// # Errors
/// The frontend's build, the settings or a listener cannot be used.
pub fn serve<'a>(
    context: &'a Context,
    listener: TcpListener,
    services: Services,
    renderer_url: &'a str,
) -> BoxFuture<'a, anyhow::Result<()>> {
    Box::pin(async move {
        let state = start(context, services, renderer_url).await?;
        let logged = state.clone();
        context.lifecycle.spawn_until_drain("log of hits", async move {
            logged.resolved_urls.log_hits().await;
        });
        let connections = Connections::new(&context.settings);
        let lifecycle = context.lifecycle.clone();
        let (app, refuse_head) = (build_app(state), api::unreadable_head);
        let serving = server::serve(listener, app, refuse_head, connections, lifecycle);
        context.lifecycle.spawn("gateway", serving);
        Ok(())
    })
}

async fn start(
    context: &Context,
    services: Services,
    renderer_url: &str,
) -> anyhow::Result<AppState> {
    let settings = context.settings.clone();
    let site = Arc::new(Site::load(&settings.site_dir)?);
    let proxy = Proxy::new(&settings)?;
    let routes = proxy.names().fold(RouteTable::built_in()?, RouteTable::without_aliases_of);
    let routes = Arc::new(routes);
    let config = CacheConfig {
        cdn_purge: settings.cdn_purge.clone(),
        ..CacheConfig::new(&site.build, settings.page_cache_bytes)
    };
    let cache =
        PageCache::start(config, settings.redis.as_ref(), services.with_change_logs(), context)?;
    let loaders = Loaders {
        site: site.clone(),
        routes: routes.clone(),
        data: DataSources::new(
            services.clone(),
            &cache,
            &settings.data_dir,
            settings.public_url.as_str().into(),
        ),
        preview_types: settings.preview_types.as_slice().into(),
        target_origins: target_origins(
            &settings.allowed_hosts,
            settings.environment == Environment::Dev,
        ),
    };
    let production = settings.environment == Environment::Prod;
    let renderer = Renderer::new(renderer_url, &site.build)?;
    let renders = RenderMemo::new(settings.page_cache_bytes / RENDER_MEMO_SHARE);
    let page_builder = PageBuilder::new(loaders, renderer, renders.clone(), production);
    let limits = match settings.rate_limits {
        true => Limits::on(cache.redis()),
        false => Limits::off(),
    };
    let switches = Switches::open(&settings.data_dir);
    switches.register_metrics();
    let api = Api::of(
        &dynamic_grpc_client::pool()?,
        &services,
        context,
        limits.clone(),
        switches.clone(),
    )?;
    let files = Files::load(context, &services, &routes, cache.redis(), limits.clone()).await?;
    let security_headers = Arc::new(SecurityHeaders::new(&settings));
    let config_refresh = ConfigRefresh {
        services: services.clone(),
        switches: switches.clone(),
        security_headers: security_headers.clone(),
    };
    // Before readiness, so that no first page is built under an unknown log position.
    let redis = cache.redis();
    let (topology, ..) = tokio::join!(
        async {
            match &redis {
                Some(redis) => redis.check_topology().await,
                None => Ok(()),
            }
        },
        cache.ready(),
        // If config does not respond yet, the call is retried later.
        config_refresh.refresh(),
    );
    topology?;
    context.lifecycle.spawn_until_drain("config", config_refresh.run(cache.clone()));
    let log = services.transport(ServiceName::Content);
    context.lifecycle.set_operator_routes(cache_admin::routes(cache.clone(), renders, log));
    let public_url = settings.public_url.parse::<http::Uri>()?;
    let default_port = if public_url.scheme_str() == Some("https") { 443 } else { 80 };
    Ok(AppState::new(Shared {
        cookies: PageCookies::new(&settings),
        requests: ConcurrencyLimit::new(REQUESTS, settings.rate_limits)
            .export("http.server.active_requests", "Requests in flight, without hits and streams"),
        settings,
        routes,
        page_builder,
        cache,
        api,
        files,
        proxy,
        limits,
        resolved_urls: ResolvedUrlCache::new(),
        switches,
        metrics: HttpMetrics::new(),
        security_headers,
        server_address: public_url.host().unwrap_or_default().to_owned(),
        server_port: public_url.port_u16().unwrap_or(default_port),
    }))
}
