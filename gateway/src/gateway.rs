//! Starts the gateway, and dispatches requests.

mod page;

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::body::Body;
use bytes::Bytes;
use futures_util::FutureExt;
use http::{Request, Response, StatusCode};
use sahm_chassis::{
    BoxFuture,
    lifecycle::Context,
    settings::{Environment, ServiceName, Settings},
    telemetry::{self, RequestLog},
};
use tokio::net::TcpListener;
use tracing::Instrument;

use self::page::Form;
use crate::{
    api::{self, Api},
    cache_admin,
    client_address::{ClientAddress, is_trusted},
    config_snapshot::SnapshotStore,
    cookies::PageCookies,
    error_response::{text, too_many_requests, unavailable, validate_head},
    fast_path::ResolvedUrlCache,
    files::Files,
    headers::Protection,
    http_metrics::{HttpMetrics, RouteLabel, method_name},
    http_server::{self, Handler, RequestBody},
    limits::{self, ConcurrencyLimit, Connections, LimitExceeded, Limits, REQUESTS, RateClass},
    page_cache::{CacheConfig, PageCache},
    pages::{Loaders, SharedParts, target_origins},
    proxy::Proxy,
    recaptcha,
    render::PageBuilder,
    render::Renderer,
    routes::RouteTable,
    services::Services,
    site::Site,
};

const DATA: &str = "/_data";
const API: &str = "/api/";

/// Starts the gateway and serves it on a bound listener until the drain.
pub fn serve<'a>(
    context: &'a Context,
    listener: TcpListener,
    services: Services,
    renderer_url: &'a str,
) -> BoxFuture<'a, anyhow::Result<()>> {
    Box::pin(run(context, listener, services, renderer_url))
}

async fn run(
    context: &Context,
    listener: TcpListener,
    services: Services,
    renderer_url: &str,
) -> anyhow::Result<()> {
    let gateway = Gateway::start(context, services, renderer_url).await?;
    let lifecycle = context.lifecycle.clone();
    let logging = gateway.clone();
    let log_hits = async move { logging.0.resolved_urls.log_hits().await };
    context.lifecycle.spawn_until_drain("log of hits", log_hits);
    let connections = Connections::new(&context.settings);
    let serving = http_server::serve(listener, gateway, connections, lifecycle);
    context.lifecycle.spawn("gateway", serving);
    Ok(())
}

/// One gateway; clones share it.
#[derive(Clone)]
pub(crate) struct Gateway(Arc<Inner>);

struct Inner {
    settings: Arc<Settings>,
    routes: Arc<RouteTable>,
    maker: PageBuilder,
    cache: PageCache,
    api: Api,
    files: Files,
    proxy: Proxy,
    limits: Limits,
    places: ConcurrencyLimit,
    resolved_urls: ResolvedUrlCache,
    metrics: HttpMetrics,
    cookies: PageCookies,
    protection: Arc<Protection>,
    /// The host of the site's public URL, for traces.
    server_address: String,
}

impl Gateway {
    async fn start(
        context: &Context,
        services: Services,
        renderer_url: &str,
    ) -> anyhow::Result<Self> {
        let settings = context.settings.clone();
        let site = Arc::new(Site::load(&settings.site_dir)?);
        let proxy = Proxy::new(&settings)?;
        let routes = proxy.names().fold(RouteTable::built_in()?, RouteTable::without_aliases_of);
        let routes = Arc::new(routes);
        let cache = PageCache::start(
            CacheConfig::new(&site.build, settings.page_cache_bytes),
            settings.redis_url.as_ref().map(|url| url.expose().as_str()),
            services.with_change_logs(),
            context,
        )?;
        let loaders = Loaders {
            site: site.clone(),
            routes: routes.clone(),
            services: services.clone(),
            config_snapshot: SnapshotStore::open(&settings.data_dir),
            shared: SharedParts::new(&cache),
            public_url: settings.public_url.as_str().into(),
            preview_types: settings.preview_types.as_slice().into(),
            target_origins: target_origins(
                &settings.allowed_hosts,
                settings.environment == Environment::Dev,
            ),
        };
        let production = settings.environment == Environment::Prod;
        let maker =
            PageBuilder::new(loaders, Renderer::new(renderer_url, &site.build)?, production);
        let limits = match settings.rate_limits {
            true => Limits::on(cache.redis()),
            false => Limits::off(),
        };
        let api = Api::limited(&services, context, limits.clone())?;
        let files = Files::limited(context, &services, &routes, limits.clone()).await?;
        let protection = Arc::new(Protection::new(&settings));
        // Before readiness, so that no first page is made under an unknown log position.
        tokio::join!(cache.ready(), async {
            // Where config does not answer yet, it is asked again.
            let _ = recaptcha::refresh(&services, &protection).await;
        });
        let refresh =
            recaptcha::refresh_periodically(services.clone(), cache.clone(), protection.clone());
        context.lifecycle.spawn_until_drain("reCAPTCHA's site key", refresh);
        let log = services.transport(ServiceName::Content);
        context.lifecycle.set_operator_routes(cache_admin::routes(cache.clone(), log));
        let known = ResolvedUrlCache::new();
        let public_url = settings.public_url.parse::<http::Uri>()?;
        let server_address = public_url.host().unwrap_or_default().to_owned();
        let places = ConcurrencyLimit::new(REQUESTS, settings.rate_limits);
        Ok(Self(Arc::new(Inner {
            cookies: PageCookies::new(&settings),
            settings,
            routes,
            maker,
            cache,
            api,
            files,
            proxy,
            limits,
            places,
            resolved_urls: known,
            metrics: HttpMetrics::new(),
            protection,
            server_address,
        })))
    }
}

impl Handler for Gateway {
    fn refuse_head(status: StatusCode) -> Bytes {
        api::unreadable_head(status)
    }

    async fn handle(&self, mut request: Request<RequestBody>, peer: SocketAddr) -> Response<Body> {
        let started = Instant::now();
        if let Some(response) = self.0.stored(&request, started) {
            return response;
        }
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        let span = tracing::info_span!(
            target: "sahm::http",
            "request",
            "otel.kind" = "server",
            "otel.name" = method_name(&method),
            "otel.status_code" = tracing::field::Empty,
            "http.request.method" = method_name(&method),
            "url.scheme" = "http",
            "url.path" = path,
            "server.address" = self.0.server_address,
            "http.route" = tracing::field::Empty,
            "http.response.status_code" = tracing::field::Empty,
        );
        let trusted = &self.0.settings.trusted_proxies;
        match is_trusted(peer.ip(), trusted) {
            true => telemetry::set_parent(&span, request.headers()),
            // A visitor's trace is linked; whether ours is recorded is not the visitor's to say.
            false => telemetry::link(&span, request.headers()),
        }
        let address = ClientAddress::of(peer.ip(), request.headers(), trusted);
        request.extensions_mut().insert(address);
        let place = self.0.places.acquire(address.0);
        let exceeded = place.as_ref().err().copied();
        // Apart from the connection, which outlives it by a stream's whole life.
        let answer = Box::pin(self.0.answer(request.map(Body::new), exceeded));
        let answer = std::panic::AssertUnwindSafe(answer);
        async move {
            let response = answer.catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!("request handling panicked");
                text(StatusCode::INTERNAL_SERVER_ERROR, "internal error\n")
            });
            drop(place);
            let (route, status) = (RouteLabel::read(&response), response.status());
            let span = tracing::Span::current();
            telemetry::rename(&span, format!("{} {}", method_name(&method), route.as_str()));
            if status.is_server_error() {
                span.record("otel.status_code", "ERROR");
            }
            span.record("http.route", route.as_str());
            span.record("http.response.status_code", status.as_u16());
            self.0.metrics.record(&method, route, status, started.elapsed());
            let detail = response.headers().get("x-page-cache").and_then(|how| how.to_str().ok());
            telemetry::request_log(&RequestLog {
                kind: "http",
                method: method.as_str(),
                path: &path,
                status: status.as_u16(),
                elapsed: started.elapsed(),
                detail: detail.unwrap_or_default(),
            });
            response
        }
        .instrument(span)
        .await
    }
}

impl Inner {
    /// The stored page of an address that was judged before; `None`: [`Inner::answer`] finds out.
    fn stored(&self, request: &Request<RequestBody>, began: Instant) -> Option<Response<Body>> {
        let page = self.resolved_urls.get(request, &self.settings.app_user_agent)?;
        let headers = request.headers();
        if validate_head(request).is_some() {
            return None;
        }
        let (method, common) = (request.method(), self.protection.headers());
        let mut response =
            self.cache.respond_hit(&page.key, method, headers, common)?.map(Body::from);
        self.add_visitor_headers(request.uri(), headers, page.remember, &mut response);
        self.resolved_urls.count();
        self.metrics.record(method, page.route.clone(), response.status(), began.elapsed());
        Some(response)
    }

    /// Answers a request and names its route; a request beyond a limit gets 503. An exhausted total
    /// limit is a failure of this process: its route counts in the service levels.
    async fn answer(
        &self,
        request: Request<Body>,
        exceeded: Option<LimitExceeded>,
    ) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let is_api = path.starts_with(API);
        if let Some((status, why)) = validate_head(&request) {
            let parts = request.into_parts().0;
            return RouteLabel::refused().on(match is_api {
                true => self.api.refuse(&parts, status, why),
                false => self.reject(&parts, text(status, why)),
            });
        }
        match (is_api, exceeded) {
            (true, None) => {
                return self.api.handle(request).await;
            }
            (true, Some(limit)) => {
                let route = match limit {
                    LimitExceeded::Address => RouteLabel::refused(),
                    LimitExceeded::Total => self.api.route(&path),
                };
                return route.on(self.api.busy(&request.into_parts().0));
            }
            (false, None) => {}
            (false, Some(limit)) => {
                let route = match limit {
                    LimitExceeded::Address => RouteLabel::refused(),
                    LimitExceeded::Total => RouteLabel::overloaded(),
                };
                let parts = request.into_parts().0;
                return route.on(self.reject(&parts, unavailable()));
            }
        }
        if self.proxy.has(&path) {
            return RouteLabel::proxied().on(self.proxied(request).await);
        }
        let (parts, _body) = request.into_parts();
        if let Some(file) = self.files.handle(&parts).await {
            return RouteLabel::file(&path).on(file);
        }
        match path.strip_prefix(DATA) {
            Some(rest) if rest.starts_with('/') => self.page(&parts, rest, Form::Data).await,
            _ => self.page(&parts, &path, Form::Html).await,
        }
    }

    /// What an app beside this site answers.
    async fn proxied(&self, request: Request<Body>) -> Response<Body> {
        let address = request.extensions().get::<ClientAddress>().copied();
        let Some(ClientAddress(address)) = address else { return unavailable() };
        if let Err(wait) = self.limits.spend(RateClass::Miss, address, limits::REDIS_TIME_API).await
        {
            return too_many_requests(wait);
        }
        match self.proxy.answer(request, address).await {
            Ok(response) => response,
            Err(StatusCode::NOT_FOUND) => text(StatusCode::NOT_FOUND, "not found\n"),
            Err(StatusCode::GATEWAY_TIMEOUT) => {
                text(StatusCode::GATEWAY_TIMEOUT, "out of time, try again\n")
            }
            Err(_) => unavailable(),
        }
    }
}
