//! The gateway put together, and the way of one request through it.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::body::Body;
use futures_util::FutureExt;
use http::{
    HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header, request::Parts,
};
use hyper::body::Incoming;
use sahm_chassis::{
    caller, clock,
    lifecycle::Context,
    settings::{Environment, ServiceName, Settings},
    telemetry::{self, RequestLog},
};
use tokio::net::TcpListener;
use tracing::Instrument;

use crate::{
    api::Api,
    client_address::ClientAddress,
    config_copy::ConfigCopy,
    cookies,
    files::Files,
    headers,
    http_server::{self, Handler},
    limits::{self, Budget, Limits, Places},
    maker::Maker,
    operator,
    page_cache::{CacheConfig, Coding, FlightContext, PageCache},
    page_request::{Judged, judge},
    pages::{Loaders, PageRequest, target_origins},
    proxy::Proxy,
    quick::{self, KnownPages},
    redirects::Redirect,
    refusal::{busy, excess, plain, too_many},
    renderer::Renderer,
    routes::RouteTable,
    services::Services,
    session::Member,
    site::Site,
    visitor::Locale,
};

const DATA: &str = "/_data";
const API: &str = "/api/";

/// Starts the gateway and serves it on a bound listener until the drain.
pub async fn serve(
    context: &Context,
    listener: TcpListener,
    services: Services,
    renderer_url: &str,
) -> anyhow::Result<()> {
    let gateway = Gateway::start(context, services, renderer_url).await?;
    let lifecycle = context.lifecycle.clone();
    let telling = gateway.clone();
    let tell = async move { telling.0.known.tell().await };
    context.lifecycle.spawn_until_drain("log of hits", tell);
    context.lifecycle.spawn("gateway", http_server::serve(listener, gateway, lifecycle));
    Ok(())
}

/// One gateway; clones share it.
#[derive(Clone)]
pub(crate) struct Gateway(Arc<Inner>);

struct Inner {
    settings: Arc<Settings>,
    routes: Arc<RouteTable>,
    maker: Maker,
    cache: PageCache,
    api: Api,
    files: Files,
    proxy: Proxy,
    limits: Limits,
    places: Places,
    known: KnownPages,
    /// Those of every page.
    page_headers: HeaderMap,
}

/// What a page path is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Data,
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
        let loaders = Loaders {
            site: site.clone(),
            routes: routes.clone(),
            services: services.clone(),
            config_copy: ConfigCopy::open(&settings.data_dir),
            public_url: settings.public_url.as_str().into(),
            target_origins: target_origins(
                &settings.allowed_hosts,
                settings.environment == Environment::Dev,
            preview_types: settings.preview_types.as_slice().into(),
            ),
        };
        let production = settings.environment == Environment::Prod;
        let maker = Maker::new(loaders, Renderer::new(renderer_url)?, production);
        let cache = PageCache::start(
            CacheConfig::new(&site.build, settings.page_cache_bytes),
            settings.redis_url.as_ref().map(|url| url.expose().as_str()),
            services.with_change_logs(),
            context,
        )?;
        let limits = match settings.rate_limits {
            true => Limits::on(cache.redis()),
            false => Limits::off(),
        };
        let api = Api::limited(&services, context, limits.clone())?;
        let files = Files::load(context, &services, &routes).await?;
        // Before readiness, so that no first page is made under an unknown log position.
        cache.settled().await;
        let log = services.transport(ServiceName::Content);
        context.lifecycle.set_operator_routes(operator::routes(cache.clone(), log));
        let known = KnownPages::new();
        let places = Places::new(settings.rate_limits);
        let mut page_headers = HeaderMap::new();
        headers::protect(&mut page_headers, &settings);
        Ok(Self(Arc::new(Inner {
            settings,
            routes,
            maker,
            cache,
            api,
            files,
            proxy,
            limits,
            places,
            known,
            page_headers,
        })))
    }
}

impl Handler for Gateway {
    async fn handle(&self, mut request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        if let Some(response) = self.0.stored(&request) {
            return response;
        }
        let started = Instant::now();
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        let span = tracing::info_span!(
            target: "sahm::http",
            "request",
            "otel.kind" = "server",
            "otel.name" = "http",
            "http.request.method" = %method,
        );
        telemetry::set_parent(&span, request.headers());
        let trusted = &self.0.settings.trusted_proxies;
        let address = ClientAddress::of(peer.ip(), request.headers(), trusted);
        request.extensions_mut().insert(address);
        let place = self.0.places.take(address.0);
        let is_free = place.is_some();
        // Apart from the connection, which outlives it by a stream's whole life.
        let answer = Box::pin(self.0.answer(request.map(Body::new), is_free));
        let answer = std::panic::AssertUnwindSafe(answer);
        async move {
            let response = answer.catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!("request handling panicked");
                plain(StatusCode::INTERNAL_SERVER_ERROR, "internal error\n")
            });
            drop(place);
            let detail = response.headers().get("x-page-cache").and_then(|how| how.to_str().ok());
            telemetry::request_log(&RequestLog {
                kind: "http",
                method: method.as_str(),
                path: &path,
                status: response.status().as_u16(),
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
    fn stored(&self, request: &Request<Incoming>) -> Option<Response<Body>> {
        let page = self.known.find(request, &self.settings.app_user_agent)?;
        let headers = request.headers();
        if excess(request).is_some() {
            return None;
        }
        let (method, common) = (request.method(), &self.page_headers);
        let mut response = self.cache.ready(&page.key, method, headers, common)?.map(Body::from);
        let uri = request.uri();
        if page.remember.is_none() && !is_data(uri.path()) && quick::is_newcomer(uri, headers) {
            let own = self.known.of_newcomer(clock::now(), || {
                let mut own = Response::new(Body::empty());
                self.add_own(uri, headers, None, &mut own);
                std::mem::take(own.headers_mut())
            });
            response.headers_mut().extend(own.1.clone());
        } else {
            self.add_own(uri, headers, page.remember, &mut response);
        }
        self.known.count();
        Some(response)
    }

    /// Answers a request; one that found no free place is told to come back.
    async fn answer(&self, request: Request<Body>, is_free: bool) -> Response<Body> {
        let is_api = request.uri().path().starts_with(API);
        if let Some((status, why)) = excess(&request) {
            let parts = request.into_parts().0;
            return match is_api {
                true => self.api.refuse(&parts, status, why),
                false => plain(status, why),
            };
        }
        match (is_api, is_free) {
            (true, true) => return self.api.handle(request).await,
            (true, false) => return self.api.busy(&request.into_parts().0),
            (false, true) => {}
            (false, false) => return busy(),
        }
        if self.proxy.has(request.uri().path()) {
            return self.proxied(request).await;
        }
        let (parts, _body) = request.into_parts();
        if let Some(file) = self.files.handle(&parts).await {
            return file;
        }
        let path = parts.uri.path().to_owned();
        match path.strip_prefix(DATA) {
            Some(rest) if rest.starts_with('/') => self.page(&parts, rest, Form::Data).await,
            _ => self.page(&parts, &path, Form::Html).await,
        }
    }

    /// What an app beside this site answers.
    async fn proxied(&self, request: Request<Body>) -> Response<Body> {
        let address = request.extensions().get::<ClientAddress>().copied();
        let Some(ClientAddress(asker)) = address else { return busy() };
        if let Err(wait) = self.limits.spend(Budget::Miss, asker, limits::OF_A_CALL).await {
            return too_many(wait);
        }
        match self.proxy.answer(request, asker).await {
            Ok(response) => response,
            Err(StatusCode::NOT_FOUND) => plain(StatusCode::NOT_FOUND, "not found\n"),
            Err(StatusCode::GATEWAY_TIMEOUT) => {
                plain(StatusCode::GATEWAY_TIMEOUT, "out of time, try again\n")
            }
            Err(_) => busy(),
        }
    }

    async fn page(&self, parts: &Parts, path: &str, form: Form) -> Response<Body> {
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "pages answer GET and HEAD\n");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let query = parts.uri.query().unwrap_or_default();
        let marker = &self.settings.app_user_agent;
        if form == Form::Data && self.proxy.has(path) {
            // No page of ours: the browser loads it as a document.
            let location = parts.uri.path_and_query().map_or("", |target| target.as_str());
            let location = location.strip_prefix(DATA).unwrap_or_default().to_owned();
            let redirect = Redirect { status: StatusCode::FOUND, location, remember: None };
            return self.redirect(&redirect, form);
        }
        let mut response = match judge(&self.routes, path, query, &parts.headers, marker) {
            Judged::Malformed => plain(StatusCode::BAD_REQUEST, "the address is not well formed\n"),
            Judged::Redirect(redirect) => self.redirect(&redirect, form),
            Judged::Page(request) => match form {
                Form::Data if self.is_of_another_build(parts) => {
                    plain(StatusCode::CONFLICT, "another build answers here\n")
                }
                form => {
                    let login = self.api.sessions().resolve(&parts.headers).await;
                    let request = PageRequest { member: login.into_member(), ..*request };
                    self.serve_page(parts, request, form).await
                }
            },
        };
        headers::protect(response.headers_mut(), &self.settings);
        response
    }

    fn is_of_another_build(&self, parts: &Parts) -> bool {
        parts
            .headers
            .get("x-build")
            .is_some_and(|build| build.as_bytes() != self.maker.build().as_bytes())
    }

    async fn serve_page(&self, parts: &Parts, request: PageRequest, form: Form) -> Response<Body> {
        let remember = request.remember;
        let kept =
            request.found.as_ref().is_none_or(|found| self.routes.route(found.page).cacheable);
        let bypass = !kept || request.query.bypasses() || request.member.is_some();
        let key = request.key(form == Form::Data);
        if (bypass || !self.cache.holds(&key))
            && let Some(ClientAddress(asker)) = parts.extensions.get()
            && let Err(wait) = self.limits.spend(Budget::Miss, *asker, limits::OF_A_PAGE).await
        {
            return too_many(wait);
        }
        if !bypass && request.found.is_some() {
            self.known.learn(parts, &self.settings.app_user_agent, &key, remember);
        }
        let maker = self.maker.clone();
        let make = move |_| {
            let (maker, request) = (maker.clone(), request.clone());
            async move {
                let caller = request.member.as_ref().map(Member::caller).unwrap_or_default();
                let made = async {
                    match form {
                        Form::Html => maker.page(&request).await,
                        Form::Data => maker.data(&request).await,
                    }
                };
                Ok(caller::with(caller, made).await)
            }
            .boxed()
        };
        let (method, headers) = (&parts.method, &parts.headers);
        let answer = if bypass {
            let making = make(FlightContext { background: false });
            let served = self.cache.bypass(Coding::asked(headers), making).await;
            served.map(|page| self.cache.respond_unkept(&page, method, headers))
        } else {
            let served = self.cache.fetch(&key, make).await;
            served.map(|page| self.cache.respond(&key, &page, method, headers))
        };
        let mut response = match answer {
            Ok(response) => response.map(Body::from),
            Err(error) => {
                tracing::error!(%error, "no page");
                plain(StatusCode::SERVICE_UNAVAILABLE, "try again shortly\n")
            }
        };
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        self.add_own(&parts.uri, &parts.headers, remember, &mut response);
        response
    }

    /// Adds what is this visitor's alone, on every page, stored or not.
    fn add_own(
        &self,
        uri: &Uri,
        asked: &HeaderMap,
        remember: Option<Locale>,
        response: &mut Response<Body>,
    ) {
        if let Some(locale) = remember.filter(|_| response.status() == StatusCode::OK) {
            cookies::remember_locale(response.headers_mut(), locale, &self.settings);
        }
        // Data is asked for ahead of visits that may never come.
        if !is_data(uri.path()) {
            let (query, now) = (uri.query().unwrap_or_default(), clock::now());
            let headers = response.headers_mut();
            cookies::remember_origin(headers, query, asked, now, &self.settings);
        }
    }

    fn redirect(&self, redirect: &Redirect, form: Form) -> Response<Body> {
        let mut response = match form {
            Form::Html => {
                let mut response = Response::new(Body::empty());
                *response.status_mut() = redirect.status;
                match HeaderValue::from_str(&redirect.location) {
                    Ok(location) => {
                        response.headers_mut().insert(header::LOCATION, location);
                    }
                    Err(_) => {
                        return plain(StatusCode::BAD_REQUEST, "the address is not well formed\n");
                    }
                }
                response
            }
            Form::Data => {
                let body = serde_json::json!({ "redirect": redirect.location }).to_string();
                let mut response = Response::new(Body::from(body));
                response
                    .headers_mut()
                    .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
                response
            }
        };
        let headers = response.headers_mut();
        headers::no_store(headers);
        headers::negotiated(headers);
        if let Some(locale) = redirect.remember.filter(|_| form == Form::Html) {
            cookies::remember_locale(headers, locale, &self.settings);
        }
        response
    }
}

/// Whether a path asks for the data of a page.
fn is_data(path: &str) -> bool {
    path.strip_prefix(DATA).is_some_and(|rest| rest.starts_with('/'))
}
