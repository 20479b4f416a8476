//! Pages and their page data: resolve the URL, serve from the cache or build, add the visitor's own headers.

use axum::body::Body;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header, request::Parts};
use sahm_chassis::{caller, clock, rpc};

use super::{DATA, Inner};
use crate::{
    client_address::ClientAddress,
    content_encoding::ContentEncoding,
    error_response::{text, too_many_requests, unavailable},
    headers,
    http_metrics::RouteLabel,
    limits::{self, RateClass},
    page_cache::{FillContext, Kind, PAGE_TIME},
    pages::PageRequest,
    proxy,
    redirects::Redirect,
    resolve::{Resolution, no_page, resolve, visitor},
    session::Member,
    visitor::{ClientProfile, Locale, Visitor},
};

const UNAVAILABLE: StatusCode = StatusCode::SERVICE_UNAVAILABLE;

/// HTML, or page data as JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Html,
    Data,
}

impl Inner {
    /// Responds to a request for a page or its page data.
    pub(super) async fn page(&self, parts: &Parts, path: &str, form: Form) -> Response<Body> {
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "pages answer GET and HEAD\n");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return response;
        }
        let query = parts.uri.query().unwrap_or_default();
        let profile = ClientProfile::from_headers(&parts.headers, &self.settings.app_user_agent);
        let resolution = match form {
            Form::Data if self.proxy.has(path) => data_of_an_app(&parts.uri, path, &profile),
            _ => resolve(&self.routes, path, query, &profile),
        };
        let mut response = match resolution {
            Resolution::Malformed if form == Form::Html => {
                let visitor = visitor(path, query, &profile);
                self.error_page(parts, visitor, malformed())
            }
            Resolution::Malformed => malformed(),
            Resolution::Redirect(redirect) => self.redirect(&redirect, parts, form),
            Resolution::Page(request) => match form {
                Form::Data if self.is_build_mismatch(parts) => {
                    text(StatusCode::CONFLICT, "another build answers here\n")
                }
                form => {
                    let (route, visitor) = (self.route(&request, form), request.visitor);
                    let served = async {
                        let login = self.api.sessions().resolve(&parts.headers).await;
                        let request = PageRequest { member: login.into_member(), ..*request };
                        self.serve_page(parts, profile, request, form, &route).await
                    };
                    let served = rpc::with_deadline(PAGE_TIME, served).await;
                    // Fills have a time limit of their own; this one is for what follows them.
                    let late = |_| match form {
                        Form::Html => self.error_page(parts, visitor, unavailable()),
                        Form::Data => unavailable(),
                    };
                    route.on(served.unwrap_or_else(late))
                }
            },
        };
        self.protection.protect(response.headers_mut());
        response
    }

    fn is_build_mismatch(&self, parts: &Parts) -> bool {
        parts
            .headers
            .get("x-build")
            .is_some_and(|build| build.as_bytes() != self.maker.build().as_bytes())
    }

    /// What of a page is requested. A browser whose `x-layout-version` is current gets page data without layout data.
    fn key_kind(&self, form: Form, headers: &HeaderMap, locale: Locale) -> Kind {
        let version = headers.get("x-layout-version").map(HeaderValue::as_bytes);
        match form {
            Form::Html => Kind::Page,
            Form::Data
                if version.is_some_and(|version| self.maker.is_current_layout(locale, version)) =>
            {
                Kind::DataWithoutLayout
            }
            Form::Data => Kind::Data,
        }
    }

    /// The pattern of a page, or of its data.
    fn route(&self, request: &PageRequest, form: Form) -> RouteLabel {
        let Some(found) = &request.found else { return RouteLabel::unmatched() };
        let pattern = &*self.routes.route(found.page).pattern;
        match form {
            Form::Html => RouteLabel::of(pattern),
            Form::Data => RouteLabel::of([DATA, pattern].concat()),
        }
    }

    async fn serve_page(
        &self,
        parts: &Parts,
        profile: ClientProfile,
        mut request: PageRequest,
        form: Form,
        route: &RouteLabel,
    ) -> Response<Body> {
        let remember = request.remember;
        let kept =
            request.found.as_ref().is_none_or(|found| self.routes.route(found.page).cacheable);
        let bypass = !kept || request.query.bypasses() || request.member.is_some();
        let kind = self.key_kind(form, &parts.headers, request.visitor.locale);
        let mut key = request.key(kind);
        let is_held = !bypass && self.cache.holds(&key);
        if !is_held
            && let Err(wait) = {
                let address = ClientAddress::for_limits(&parts.extensions);
                self.limits.spend(RateClass::Miss, address, limits::REDIS_TIME_PAGE_LIMIT).await
            }
        {
            return match form {
                Form::Html => self.error_page(parts, request.visitor, too_many_requests(wait)),
                Form::Data => too_many_requests(wait),
            };
        }
        let mut is_as_asked = true;
        if !is_held && !request.query.is_empty() {
            // Only existing items have a key.
            request = self.maker.resolve(request).await;
            let resolved = request.key(kind);
            is_as_asked = resolved == key;
            key = resolved;
        }
        let is_resolved_by_url = is_as_asked && kind != Kind::DataWithoutLayout;
        if !bypass && is_resolved_by_url && request.found.is_some() {
            self.resolved_urls.insert(parts, profile, &key, remember, route);
        }
        let (maker, asked) = (self.maker.clone(), request.clone());
        let origin = move |context: FillContext| {
            let (maker, request) = (maker.clone(), asked.clone());
            async move {
                let caller = request.member.as_ref().map(Member::caller).unwrap_or_default();
                let made = async {
                    match form {
                        Form::Html if context.renders => maker.page(&request).await,
                        Form::Html => maker.shell(&request).await,
                        Form::Data => maker.data(&request, kind).await,
                    }
                };
                Ok(caller::with(caller, made).await)
            }
            .boxed()
        };
        let (method, headers) = (&parts.method, &parts.headers);
        let answer = if bypass {
            let making = origin(FillContext { background: false, renders: true });
            let served = self.cache.bypass(ContentEncoding::negotiate(headers), making).await;
            served.map(|page| self.cache.respond_bypass(&page, method, headers))
        } else {
            let served = self.cache.fetch(&key, origin).await;
            served.map(|page| self.cache.respond(&key, &page, method, headers))
        };
        let response = answer.unwrap_or_else(|error| {
            tracing::error!(%error, "no page");
            let made = match form {
                Form::Html => self.maker.error_page(request.visitor, UNAVAILABLE),
                Form::Data => self.maker.no_data(&request),
            };
            self.cache.respond_bypass(&self.cache.uncached(made), method, headers)
        });
        let mut response = response.map(Body::from);
        if response.status() == UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        self.add_visitor_headers(&parts.uri, &parts.headers, remember, &mut response);
        response
    }

    /// Rejects a request: with a page where one was requested, else with the line.
    pub(super) fn reject(&self, parts: &Parts, line: Response<Body>) -> Response<Body> {
        let path = parts.uri.path();
        let is_page = matches!(parts.method, Method::GET | Method::HEAD)
            && !(self.proxy.has(path) || is_data(path) || self.files.has(path));
        if !is_page {
            return line;
        }
        let profile = ClientProfile::from_headers(&parts.headers, &self.settings.app_user_agent);
        let visitor = visitor(path, parts.uri.query().unwrap_or_default(), &profile);
        let mut response = self.error_page(parts, visitor, line);
        self.protection.protect(response.headers_mut());
        response
    }

    /// An error page with the status and `Retry-After` of a plain response.
    fn error_page(&self, parts: &Parts, visitor: Visitor, line: Response<Body>) -> Response<Body> {
        let page = self.cache.uncached(self.maker.error_page(visitor, line.status()));
        let answer = self.cache.respond_bypass(&page, &parts.method, &parts.headers);
        let mut response = answer.map(Body::from);
        if let Some(wait) = line.headers().get(header::RETRY_AFTER) {
            response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
        }
        response
    }

    /// Adds the headers of this visitor, to cached pages too.
    pub(super) fn add_visitor_headers(
        &self,
        uri: &Uri,
        asked: &HeaderMap,
        remember: Option<Locale>,
        response: &mut Response<Body>,
    ) {
        if let Some(locale) = remember.filter(|_| response.status() == StatusCode::OK) {
            self.cookies.remember_locale(response.headers_mut(), locale);
        }
        // Page data is prefetched for visits that may never come.
        if !is_data(uri.path()) {
            let (query, now) = (uri.query().unwrap_or_default(), clock::now());
            self.cookies.remember_origin(response.headers_mut(), query, asked, now);
        }
    }

    fn redirect(&self, redirect: &Redirect, parts: &Parts, form: Form) -> Response<Body> {
        if !redirect.leads_to_this_site() {
            tracing::error!(location = redirect.location, "redirect leaves this site");
            return malformed();
        }
        let mut response = match form {
            Form::Html => {
                let mut response = Response::new(Body::empty());
                *response.status_mut() = redirect.status;
                match HeaderValue::from_str(&redirect.location) {
                    Ok(location) => {
                        response.headers_mut().insert(header::LOCATION, location);
                    }
                    Err(_) => {
                        return malformed();
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
        if form == Form::Html {
            if let Some(locale) = redirect.remember {
                self.cookies.remember_locale(headers, locale);
            }
            // A proxied app behind the target does not set them.
            let query = parts.uri.query().unwrap_or_default();
            self.cookies.remember_origin(headers, query, &parts.headers, clock::now());
        }
        RouteLabel::redirect().on(response)
    }
}

/// The resolution of page data at a path of a proxied app.
fn data_of_an_app(uri: &Uri, path: &str, profile: &ClientProfile) -> Resolution {
    if proxy::is_forbidden(path) {
        return no_page(path, uri.query().unwrap_or_default(), profile);
    }
    // Not a page of this site: the browser navigates to it.
    let location = uri.path_and_query().map_or("", |target| target.as_str());
    let location = location.strip_prefix(DATA).unwrap_or_default().to_owned();
    Resolution::Redirect(Redirect { status: StatusCode::FOUND, location, remember: None })
}

fn malformed() -> Response<Body> {
    text(StatusCode::BAD_REQUEST, "the address is not well formed\n")
}

/// Whether a path is that of page data.
fn is_data(path: &str) -> bool {
    path.strip_prefix(DATA).is_some_and(|rest| rest.starts_with('/'))
}
