//! The gateway put together, and the way of one request through it.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::body::Body;
use futures_util::FutureExt;
use http::{
    HeaderName, HeaderValue, Method, Request, Response, StatusCode, header, request::Parts,
};
use hyper::body::Incoming;
use sahm_chassis::{
    caller,
    lifecycle::Context,
    settings::Settings,
    telemetry::{self, RequestLog},
};
use tokio::net::TcpListener;
use tracing::Instrument;

use crate::{
    api::Api,
    client_address::ClientAddress,
    config_copy::ConfigCopy,
    files::Files,
    headers,
    http_server::{self, Handler},
    maker::Maker,
    page_cache::{CacheConfig, Coding, FlightContext, PageCache},
    page_request::{Judged, judge},
    pages::{Loaders, PageRequest},
    redirects::Redirect,
    renderer::Renderer,
    routes::RouteTable,
    services::Services,
    session::Member,
    site::Site,
};

/// Bytes of a URL (contract §8).
const URL_BYTES: usize = 8 << 10;

/// Bytes of all headers (contract §8).
const HEADER_BYTES: usize = 32 << 10;

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
        let routes = Arc::new(RouteTable::built_in()?);
        let loaders = Loaders {
            site: site.clone(),
            routes: routes.clone(),
            services: services.clone(),
            config_copy: ConfigCopy::open(&settings.data_dir),
            public_url: settings.public_url.as_str().into(),
        };
        let maker = Maker::new(loaders, Renderer::new(renderer_url)?);
        let cache = PageCache::start(
            CacheConfig::new(&site.build, settings.page_cache_bytes),
            settings.redis_url.as_ref().map(|url| url.expose().as_str()),
            services.with_change_logs(),
            context,
        )?;
        let api = Api::new(&services, context)?;
        let files = Files::load(context, &services, &routes).await?;
        // Before readiness, so that no first page is made under an unknown log position.
        cache.settled().await;
        Ok(Self(Arc::new(Inner { settings, routes, maker, cache, api, files })))
    }
}

impl Handler for Gateway {
    async fn handle(&self, mut request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
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
        // Apart from the connection, which outlives it by a stream's whole life.
        let answer = Box::pin(self.0.answer(request.map(Body::new)));
        let answer = std::panic::AssertUnwindSafe(answer);
        async move {
            let response = answer.catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!("request handling panicked");
                plain(StatusCode::INTERNAL_SERVER_ERROR, "internal error\n")
            });
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
    async fn answer(&self, request: Request<Body>) -> Response<Body> {
        let is_api = request.uri().path().starts_with(API);
        if let Some((status, why)) = excess(&request) {
            let parts = request.into_parts().0;
            return match is_api {
                true => self.api.refuse(&parts, status, why),
                false => plain(status, why),
            };
        }
        if is_api {
            return self.api.handle(request).await;
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

    async fn page(&self, parts: &Parts, path: &str, form: Form) -> Response<Body> {
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "pages answer GET and HEAD\n");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let query = parts.uri.query().unwrap_or_default();
        let marker = &self.settings.app_user_agent;
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
        let bypass = request.query.cursor.is_some() || request.member.is_some();
        let key = request.key(form == Form::Data);
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
        if let Some(locale) = remember.filter(|_| response.status() == StatusCode::OK) {
            headers::remember_locale(response.headers_mut(), locale, &self.settings);
        }
        response
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
            headers::remember_locale(headers, locale, &self.settings);
        }
        response
    }
}

/// What of a request's head is larger than it may be.
fn excess(request: &Request<Body>) -> Option<(StatusCode, &'static str)> {
    let uri = request.uri();
    if uri.path().len() + uri.query().map_or(0, |query| query.len() + 1) > URL_BYTES {
        return Some((StatusCode::URI_TOO_LONG, "the address is longer than 8 KB\n"));
    }
    let line = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len() + 4;
    if request.headers().iter().map(line).sum::<usize>() > HEADER_BYTES {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Some((status, "the headers are longer than 32 KB\n"));
    }
    None
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers::no_store(headers);
    response
}
