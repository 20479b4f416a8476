//! Handles requests for pages and page data: resolves the URL, serves from the page cache or builds the page, and adds
//! the visitor's own headers.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header, request::Parts};
use sahm_chassis::{clock, rpc};

use crate::{
    cdn,
    content_encoding::ContentEncoding,
    context::RequestContext,
    http::{
        error_response::{method_not_allowed, text, too_many_requests, unavailable},
        headers,
    },
    http_metrics::RouteLabel,
    limits::{REDIS_TIMEOUT_PAGE_RATE_LIMIT, RateClass},
    page_cache::{Kind, PAGE_TIME, is_shared},
    pages::PageRequest,
    proxy,
    redirects::Redirect,
    rejection::Rejection,
    resolve::{Resolution, resolve, unmatched, visitor},
    session::Member,
    state::{API_PREFIX, DATA_PREFIX, Shared, is_data},
    switches,
    visitor::{Locale, Visitor},
};

/// `Retry-After` of a page that cannot be built, seconds.
const PAGE_RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");

/// The form of a page: HTML, or its data as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Html,
    Data,
}

impl Shared {
    /// Responds to a request for a page or its data at a path.
    pub(crate) async fn page(
        &self,
        parts: &Parts,
        context: &RequestContext,
        path: &str,
        form: Form,
    ) -> Response<Body> {
        if !matches!(parts.method, Method::GET | Method::HEAD) {
            return method_not_allowed("GET, HEAD", "pages answer GET and HEAD\n");
        }
        let query = parts.uri.query().unwrap_or_default();
        let resolution = match form {
            Form::Data if self.proxy.has(path) => data_of_app(&parts.uri, path, context),
            _ => resolve(&self.routes, path, query, &context.profile),
        };
        let mut response = match resolution {
            Resolution::Malformed => {
                let visitor = visitor(path, query, &context.profile);
                self.error_in_form(parts, visitor, form, malformed())
            }
            Resolution::Redirect(redirect) => self.redirect(&redirect, parts, form),
            Resolution::Page(_) if form == Form::Data && self.is_build_mismatch(parts) => {
                text(StatusCode::CONFLICT, "another build answers here\n")
            }
            Resolution::Page(request) => {
                let (route, visitor) = (self.route(&request, form), request.visitor);
                let served = async {
                    let login = self.api.sessions().resolve(&parts.headers).await;
                    self.serve_page(parts, context, *request, login.member(), form, &route).await
                };
                let served = rpc::with_deadline(PAGE_TIME, served).await;
                // Fills have their own timeout; this one covers everything after them.
                let timed_out = |_| self.error_in_form(parts, visitor, form, unavailable());
                route.on(served.unwrap_or_else(timed_out))
            }
        };
        self.security_headers.insert_into(response.headers_mut());
        response
    }

    fn is_build_mismatch(&self, parts: &Parts) -> bool {
        let build = self.page_builder.build().as_bytes();
        parts.headers.get("x-build").is_some_and(|sent| sent.as_bytes() != build)
    }

    /// The kind of the requested entry. A browser whose `x-layout-version` is current gets page data without layout
    /// data.
    fn key_kind(&self, form: Form, headers: &HeaderMap, locale: Locale) -> Kind {
        let version = headers.get("x-layout-version").map(HeaderValue::as_bytes);
        let is_current =
            |version| self.page_builder.loaders.data.layouts.is_current(locale, version);
        match form {
            Form::Html => Kind::Page,
            Form::Data if version.is_some_and(is_current) => Kind::DataWithoutLayout,
            Form::Data => Kind::Data,
        }
    }

    /// The route pattern of a page, or of its data.
    fn route(&self, request: &PageRequest, form: Form) -> RouteLabel {
        let Some(found) = &request.found else { return RouteLabel::UNMATCHED };
        let pattern = &*self.routes.route(found.page).pattern;
        match form {
            Form::Html => RouteLabel::Pattern(pattern.into()),
            Form::Data => RouteLabel::Pattern([DATA_PREFIX, pattern].concat().into()),
        }
    }

    async fn serve_page(
        &self,
        parts: &Parts,
        context: &RequestContext,
        mut request: PageRequest,
        // The member's own values reach neither loaders nor renderer.
        member: Option<&Member>,
        form: Form,
        route: &RouteLabel,
    ) -> Response<Body> {
        let remember = request.remember;
        let is_cacheable =
            request.found.as_ref().is_none_or(|found| self.routes.route(found.page).cacheable);
        let is_storable = is_cacheable && !request.query.bypasses();
        let bypass = !is_storable || member.is_some();
        let kind = match member {
            // Members share the whole page data of visitors.
            Some(_) if form == Form::Data => Kind::Data,
            _ => self.key_kind(form, &parts.headers, request.visitor.locale),
        };
        let mut key = request.key(kind);
        if bypass || !self.cache.holds(&key) {
            let client = context.client_address;
            let checked =
                self.limits.check(RateClass::Miss, client, REDIS_TIMEOUT_PAGE_RATE_LIMIT).await;
            if let Err(wait) = checked {
                return self.error_in_form(parts, request.visitor, form, too_many_requests(wait));
            }
            if !request.query.is_empty() {
                // Only existing items have a key of their own.
                request = self.page_builder.loaders.resolve(request).await;
            }
        }
        let resolved_key = request.key(kind);
        let is_resolved_by_url = resolved_key == key && kind != Kind::DataWithoutLayout;
        if !bypass && request.found.is_some() && is_resolved_by_url {
            self.resolved_urls.insert(parts, context.profile, &key, remember, route);
        }
        key = resolved_key;
        let (method, headers) = (&parts.method, &parts.headers);
        let scope = cdn::scope_of(&self.settings, &parts.uri, headers, &context.profile, remember);
        let response = if bypass {
            let coding = ContentEncoding::negotiate(headers);
            // Previews are not memoised: the gateway stores no drafts.
            let memoised = is_cacheable.then_some(coding);
            let (builder, cache) = (&self.page_builder, &self.cache);
            let page = async {
                match (member, form) {
                    (Some(Member { shown, .. }), _) => {
                        builder.member_page(cache, &request, kind, is_storable, shown, coding).await
                    }
                    (None, Form::Html) => Ok(builder.page(&request, memoised).await),
                    (None, Form::Data) => Ok(builder.data(&request, kind).await),
                }
            };
            let served = cache.bypass(coding, page).await;
            served.map(|page| cache.respond_bypass(&page, method, headers))
        } else {
            let origin = self.page_builder.origin(&request, kind);
            let served = self.cache.fetch(&key, origin).await;
            served.map(|page| self.cache.respond(&key, &page, method, headers, scope))
        };
        let response = response.unwrap_or_else(|error| {
            tracing::error!(%error, "no page");
            let page = match form {
                Form::Html => self.page_builder.unavailable(request.visitor),
                Form::Data => self.page_builder.no_data(&request),
            };
            self.cache.respond_bypass(&self.cache.uncached(page), method, headers)
        });
        let mut response = response.map(Body::from);
        if response.status() == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, PAGE_RETRY_AFTER);
        }
        self.add_visitor_headers(&parts.uri, headers, remember, &mut response);
        response
    }

    /// An error as an HTML error page with the same status and `Retry-After`, or unchanged for page data.
    fn error_in_form(
        &self,
        parts: &Parts,
        visitor: Visitor,
        form: Form,
        error: Response<Body>,
    ) -> Response<Body> {
        match form {
            Form::Data => error,
            Form::Html => self.error_page(parts, visitor, &error, None),
        }
    }

    /// Rejects a request in the format of its path: JSON for the API, an error page, or a line of text.
    pub(crate) fn reject(
        &self,
        parts: &Parts,
        context: &RequestContext,
        rejection: &Rejection,
    ) -> Response<Body> {
        let path = parts.uri.path();
        if path.starts_with(API_PREFIX) {
            return self.api.reject(parts, rejection);
        }
        let is_page = matches!(parts.method, Method::GET | Method::HEAD)
            && !(self.proxy.has(path) || is_data(path) || self.files.has(path));
        if !is_page {
            return rejection.text();
        }
        let visitor = visitor(path, parts.uri.query().unwrap_or_default(), &context.profile);
        let message = match rejection {
            Rejection::Maintenance(switch) => Some(switches::message(switch, visitor.locale)),
            _ => None,
        };
        let mut response = self.error_page(parts, visitor, &rejection.text(), message);
        self.security_headers.insert_into(response.headers_mut());
        response
    }

    fn error_page(
        &self,
        parts: &Parts,
        visitor: Visitor,
        error: &Response<Body>,
        message: Option<&str>,
    ) -> Response<Body> {
        let page = self.page_builder.error_page(visitor, error.status(), message);
        let page = self.cache.uncached(page);
        let response = self.cache.respond_bypass(&page, &parts.method, &parts.headers);
        let mut response = response.map(Body::from);
        if let Some(wait) = error.headers().get(header::RETRY_AFTER) {
            response.headers_mut().insert(header::RETRY_AFTER, wait.clone());
        }
        response
    }

    /// Adds per-visitor headers, also to cached pages; the page cache never stores them. A page that a CDN may store has
    /// none.
    pub(crate) fn add_visitor_headers(
        &self,
        uri: &Uri,
        request_headers: &HeaderMap,
        remember: Option<Locale>,
        response: &mut Response<Body>,
    ) {
        if is_shared(response.headers()) {
            return;
        }
        if let Some(locale) = remember.filter(|_| response.status() == StatusCode::OK) {
            self.cookies.remember_locale(response.headers_mut(), locale);
        }
        // Page data is prefetched for visits that may never happen.
        if !is_data(uri.path()) {
            let (query, now) = (uri.query().unwrap_or_default(), clock::now());
            self.cookies.remember_origin(response.headers_mut(), query, request_headers, now);
        }
    }

    fn redirect(&self, redirect: &Redirect, parts: &Parts, form: Form) -> Response<Body> {
        if !redirect.is_same_origin() {
            tracing::error!(location = redirect.location, "redirect leaves this site");
            return malformed();
        }
        let Ok(location) = HeaderValue::from_str(&redirect.location) else { return malformed() };
        let mut response = Response::new(Body::empty());
        match form {
            Form::Html => {
                *response.status_mut() = redirect.status;
                response.headers_mut().insert(header::LOCATION, location);
            }
            Form::Data => {
                let body = serde_json::json!({ "redirect": redirect.location }).to_string();
                *response.body_mut() = Body::from(body);
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(header::CONTENT_TYPE, json);
            }
        }
        let headers = response.headers_mut();
        headers::no_store(headers);
        headers::negotiated(headers);
        if form == Form::Html {
            if let Some(locale) = redirect.remember {
                self.cookies.remember_locale(headers, locale);
            }
            // The target may be a proxied app, which does not set this cookie.
            let query = parts.uri.query().unwrap_or_default();
            self.cookies.remember_origin(headers, query, &parts.headers, clock::now());
        }
        RouteLabel::REDIRECT.on(response)
    }
}

/// The resolution of page data at a path of a proxied app.
fn data_of_app(uri: &Uri, path: &str, context: &RequestContext) -> Resolution {
    if proxy::is_forbidden(path) {
        return unmatched(path, uri.query().unwrap_or_default(), &context.profile);
    }
    // Not a page of this site: the browser navigates to it.
    let location = uri.path_and_query().map_or("", |target| target.as_str());
    let location = location.strip_prefix(DATA_PREFIX).unwrap_or_default().to_owned();
    Resolution::Redirect(Redirect { status: StatusCode::FOUND, location, remember: None })
}

fn malformed() -> Response<Body> {
    text(StatusCode::BAD_REQUEST, "the address is not well formed\n")
}
