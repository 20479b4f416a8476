//! The JSON API: REST made from the protos' annotations (`google.api.http`), one envelope for
//! every answer. A new call is a proto change only; an rpc without annotation is never reachable.

mod call_context;
mod client_errors;
mod cross_site;
mod envelope;
mod field_texts;
mod limits;
mod logging;
mod messages;
mod openapi;
mod options;
mod params;
mod request;
mod response;
mod router;
mod rules;
mod stream;
mod upload;

use std::{sync::Arc, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, request::Parts};
use prost_reflect::{
    DescriptorPool, DynamicMessage, Kind, MessageDescriptor, ReflectMessage, Value,
};
use sahm_chassis::{caller, error::ErrorCode, lifecycle::Context, rpc};

use self::{
    call_context::CallContext,
    client_errors::Reports,
    cross_site::CrossSite,
    envelope::Failure,
    logging::log_failure,
    options::{GatewayOnly, SessionPolicy},
    params::{BodyType, Malformed, Params},
    request::Faults,
    router::{Call, Endpoint, Table},
    rules::RuleBook,
    stream::Streams,
    upload::Uploads,
};
use crate::{
    client_address::ClientAddress,
    dynamic,
    http_metrics::RouteLabel,
    limits::{Limits, REDIS_TIME_API, RateClass},
    page_cache::Encoder,
    services::Services,
    session::Sessions,
    visitor::{self, Locale},
};

pub use self::router::TableError;

/// Where the description of all calls stands.
const OPENAPI_PATH: &str = "/api/openapi.json";

/// What names the language of the answer's texts for people.
const LANGUAGE_PARAMETERS: [&str; 2] = ["lang", "_lang"];

/// What an endpoint may be asked with.
const READING: &str = "GET, HEAD";
const BOTH: &str = "GET, HEAD, POST";
const POSTING: &str = "POST";

/// Why the API cannot be made from the descriptors it was built with.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Not a descriptor set.
    #[error("descriptors: {0}")]
    Descriptors(#[from] prost_reflect::DescriptorError),
    /// An annotation that cannot be served.
    #[error("annotation: {0}")]
    Table(#[from] TableError),
    /// The keys of session cookies cannot be had.
    #[error("{0:#}")]
    Sessions(anyhow::Error),
}

/// The API of this process.
#[derive(Clone)]
pub struct Api(Arc<Inner>);

struct Inner {
    table: Table,
    hidden: Arc<GatewayOnly>,
    rules: RuleBook,
    services: Services,
    sessions: Sessions,
    streams: Streams,
    uploads: Uploads,
    reports: Reports,
    cross_site: CrossSite,
    budgets: Limits,
    openapi: Bytes,
    encoder: Encoder,
}

/// The whole answer to a request whose head cannot be read, in HTTP/1.1. It is the API's whatever the
/// request was for: nobody knows that.
pub(crate) fn unreadable_head(status: StatusCode) -> Bytes {
    let why = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "has more than 32 KB or 100 headers",
        StatusCode::URI_TOO_LONG => "has an address of more than 8 KB",
        _ => "is not well-formed HTTP",
    };
    Failure::of_part("request", status, why).closing_answer(Locale::EnUs)
}

/// What a path is.
enum Target<'a> {
    Call(&'a Endpoint, Vec<(String, String)>),
    Report,
    Stream,
    Upload,
    OpenApi,
}

impl Api {
    /// Reads the annotations and makes the OpenAPI page. Call it inside a runtime.
    pub fn new(services: &Services, context: &Context) -> Result<Self, ApiError> {
        Self::limited(services, context, Limits::off())
    }

    /// The same with budgets for those who ask.
    pub(crate) fn limited(
        services: &Services,
        context: &Context,
        budgets: Limits,
    ) -> Result<Self, ApiError> {
        Self::of(&dynamic::pool()?, services, context, budgets)
    }

    fn of(
        pool: &DescriptorPool,
        services: &Services,
        context: &Context,
        budgets: Limits,
    ) -> Result<Self, ApiError> {
        let settings = &context.settings;
        let table = Table::build(pool)?;
        let hidden = Arc::new(GatewayOnly::read(pool));
        let in_dev = settings.environment.is_dev();
        let rules = RuleBook::read(pool);
        let sessions = Sessions::new(services, settings).map_err(ApiError::Sessions)?;
        let cookie = sessions.cookie_name();
        let openapi =
            openapi::document(&table, pool, &hidden, &rules, &settings.public_url, cookie);
        Ok(Self(Arc::new(Inner {
            table,
            services: services.clone(),
            sessions,
            streams: Streams::new(
                pool,
                services,
                hidden.clone(),
                &context.lifecycle,
                settings.rate_limits,
            ),
            uploads: Uploads::new(pool, services, settings.rate_limits),
            reports: Reports::new(),
            hidden,
            rules,
            budgets,
            cross_site: CrossSite::new(&settings.public_url, &settings.allowed_hosts, in_dev),
            openapi: openapi.to_string().into(),
            encoder: Encoder::new(),
        })))
    }

    /// Who is logged in, for pages too.
    pub(crate) fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// The name of the call at a path.
    pub(crate) fn route(&self, path: &str) -> RouteLabel {
        match self.0.target(path) {
            Some(Target::Call(endpoint, _)) => {
                let call = endpoint.get.as_ref().or(endpoint.post.as_ref());
                call.map_or_else(RouteLabel::unmatched, |call| RouteLabel::of(&*call.template))
            }
            Some(_) => RouteLabel::of(path),
            None => RouteLabel::unmatched(),
        }
    }

    /// The answer to a request while too many are under way.
    pub(crate) fn busy(&self, parts: &Parts) -> Response<Body> {
        let failure = Failure::wait(ErrorCode::Unavailable, Duration::ZERO);
        let response = failure.answer(caller_locale(parts, None));
        if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
    }

    /// The answer to a request whose head is at fault (400, 414, 431).
    pub(crate) fn refuse(&self, parts: &Parts, status: StatusCode, why: &str) -> Response<Body> {
        let failure = Failure::of_part("request", status, why.trim_end());
        let response = failure.answer(caller_locale(parts, None));
        if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
    }

    /// Answers a request whose path begins with `/api/`: JSON (but for the stream), `no-store`.
    /// The call_context's address is the extension [`ClientAddress`](crate::ClientAddress).
    pub async fn handle(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let mut locale = caller_locale(&parts, None);
        let limit = match parts.uri.path() {
            upload::PATH => upload::TIME,
            _ => limits::CALL_TIME,
        };
        // Apart from the connection, which outlives it by a stream's whole life.
        let answered = Box::pin(self.0.answer(&parts, body, &mut locale));
        let outcome = rpc::with_deadline(limit, answered).await;
        let response = match outcome {
            Ok(Ok(response)) => response,
            Ok(Err(failure)) => failure.answer(locale),
            Err(error) => Failure::of(&error, str::to_owned).answer(locale),
        };
        let response = self.0.encoder.response(response, &parts.headers).await;
        if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
    }
}

impl Inner {
    /// In the order of the API page: method, type, size, cross-site, limits, session, parameters.
    async fn answer(
        &self,
        parts: &Parts,
        body: Body,
        locale: &mut Locale,
    ) -> Result<Response<Body>, Failure> {
        let target = self.target(parts.uri.path()).ok_or(Failure::new(ErrorCode::NotFound))?;
        let call = self.call(&target, &parts.method)?;
        if matches!(target, Target::Upload) {
            return self.upload(parts, body, locale).await;
        }
        let max_body_bytes =
            call.map_or(client_errors::MAX_BODY_BYTES, |call| call.policy.max_body_bytes);
        let params = self.params(parts, body, max_body_bytes).await?;
        if let Ok(params) = &params {
            *locale = caller_locale(parts, Some(params));
        }
        let rate_class = match (&target, call) {
            (_, Some(call)) => call.policy.rate_class,
            (Target::Report, _) => RateClass::Events,
            _ => RateClass::Reading,
        };
        self.within_budget(rate_class, parts).await?;
        match (target, call) {
            (Target::Call(_, path_values), Some(call)) => {
                self.call_service(parts, call, params, &path_values, *locale).await
            }
            (Target::Report, _) => {
                self.reports.take(&params?)?;
                Ok(envelope::success(serde_json::json!({ "accepted": true }), *locale))
            }
            (Target::Stream, _) => self.streams.answer(&params?, parts).await,
            _ => params.map(|_| envelope::raw_json(StatusCode::OK, self.openapi.clone())),
        }
    }

    /// Reads what was sent. What is malformed is not said before the session is judged.
    async fn params(
        &self,
        parts: &Parts,
        body: Body,
        size: usize,
    ) -> Result<Result<Params, Failure>, Failure> {
        let params = if matches!(parts.method, Method::GET | Method::HEAD) {
            Params::of_query(parts.uri.query().unwrap_or_default())
        } else {
            let kind = BodyType::of(&parts.headers).ok_or_else(limits::unsupported_type)?;
            let bytes = limits::body(kind, &parts.headers, body, size).await?;
            self.same_site(parts)?;
            Params::of_body(kind, &bytes)
        };
        let params = params.and_then(|params| {
            match LANGUAGE_PARAMETERS.into_iter().find(|name| params.is_repeated(name)) {
                Some(field) => Err(Malformed { field, why: request::REPEATED.to_owned() }),
                None => Ok(params),
            }
        });
        Ok(params.map_err(|malformed| {
            Failure::fields(Faults::from([(malformed.field.to_owned(), malformed.why)]))
        }))
    }

    /// Spends one request of the address's budget.
    async fn within_budget(&self, rate_class: RateClass, parts: &Parts) -> Result<(), Failure> {
        let address = ClientAddress::for_limits(&parts.extensions);
        let spent = self.budgets.spend(rate_class, address, REDIS_TIME_API).await;
        spent.map_err(|wait| Failure::wait(ErrorCode::TooMany, wait))
    }

    /// Whether the address of a call was issued as many visitors' ids as it may have.
    async fn has_too_many_visitors(&self, parts: &Parts) -> bool {
        let Some(ClientAddress(address)) = parts.extensions.get() else { return false };
        self.budgets.spend(RateClass::NewVisitors, *address, REDIS_TIME_API).await.is_err()
    }

    fn same_site(&self, parts: &Parts) -> Result<(), Failure> {
        match self.cross_site.refuses(&parts.headers) {
            true => Err(Failure::new(ErrorCode::Forbidden)),
            false => Ok(()),
        }
    }

    fn target(&self, path: &str) -> Option<Target<'_>> {
        match path {
            client_errors::PATH => Some(Target::Report),
            stream::PATH => Some(Target::Stream),
            upload::PATH => Some(Target::Upload),
            OPENAPI_PATH => Some(Target::OpenApi),
            _ => {
                let found = self.table.find(path)?;
                Some(Target::Call(found.endpoint, found.path_values))
            }
        }
    }

    /// The rpc that answers this method; none for the gateway's own calls.
    fn call<'a>(
        &self,
        target: &Target<'a>,
        method: &Method,
    ) -> Result<Option<&'a Arc<Call>>, Failure> {
        let reading = matches!(*method, Method::GET | Method::HEAD);
        let posting = *method == Method::POST;
        match target {
            Target::Call(Endpoint { get: Some(call), .. }, _) if reading => Ok(Some(call)),
            Target::Call(Endpoint { post: Some(call), .. }, _) if posting => Ok(Some(call)),
            Target::Call(Endpoint { get: None, .. }, _) => Err(Failure::method(POSTING)),
            Target::Call(Endpoint { post: None, .. }, _) => Err(Failure::method(READING)),
            Target::Call(..) => Err(Failure::method(BOTH)),
            Target::Report | Target::Upload if posting => Ok(None),
            Target::Report | Target::Upload => Err(Failure::method(POSTING)),
            Target::OpenApi | Target::Stream if reading => Ok(None),
            Target::OpenApi | Target::Stream => Err(Failure::method(READING)),
        }
    }

    async fn call_service(
        &self,
        parts: &Parts,
        call: &Call,
        params: Result<Params, Failure>,
        path_values: &[(String, String)],
        locale: Locale,
    ) -> Result<Response<Body>, Failure> {
        let policy = &call.policy;
        let mut call_context =
            CallContext::of(parts, policy.session, policy.counts_visitor, &self.sessions).await;
        if call_context.is_new_visitor() && self.has_too_many_visitors(parts).await {
            call_context.count_by_address(&self.sessions);
        }
        if let Some(reason) = call_context.refusal(call) {
            return Err(Failure::of(&reason, str::to_owned));
        }
        let (mut message, mut faults) = request::read(call.input(), &params?, path_values);
        self.rules.judge(&mut message, &mut faults);
        if !faults.is_empty() {
            return Err(Failure::fields(faults));
        }
        fill_locale(&mut message, locale);
        let asked = call.rpc.unary(&self.services, message);
        let answered = caller::with(call_context.caller(), asked).await.and_then(|answer| {
            let token = self.hidden.session_token(&answer);
            let mut response = envelope::success(response::Data(&answer, &self.hidden), locale);
            call_context.set_cookies(call, token.as_deref(), &self.sessions, &mut response)?;
            Ok(response)
        });
        answered.map_err(|error| {
            let error = call_context.explained(error);
            let failure = Failure::of(&error, |field| public_name(&call.input(), field));
            let failure = failure.of_call(policy);
            log_failure(&call.template, &policy.expected_errors, &error, failure.id());
            failure
        })
    }

    /// Feedback with files, handed on to identity as it comes in.
    async fn upload(
        &self,
        parts: &Parts,
        body: Body,
        locale: &mut Locale,
    ) -> Result<Response<Body>, Failure> {
        let multipart = upload::multipart(&parts.headers, body)?;
        self.same_site(parts)?;
        self.within_budget(RateClass::Other, parts).await?;
        let address = parts.extensions.get().map(|ClientAddress(address)| *address);
        let _permit = self.uploads.admit(address)?;
        let call_context =
            CallContext::of(parts, SessionPolicy::Optional, false, &self.sessions).await;
        let submitting = self.uploads.submit(multipart, |texts| {
            *locale = caller_locale(parts, Some(texts));
            *locale
        });
        match caller::with(call_context.caller(), submitting).await? {
            Ok(answer) => Ok(envelope::success(response::Data(&answer, &self.hidden), *locale)),
            Err(error) => {
                let failure = Failure::of(&error, str::to_owned);
                log_failure(upload::PATH, &[], &error, failure.id());
                Err(failure)
            }
        }
    }
}

/// `lang` or `_lang` of the parameters or the query, else the cookie, else English.
fn caller_locale(parts: &Parts, params: Option<&Params>) -> Locale {
    let query = Params::of_query(parts.uri.query().unwrap_or_default()).ok();
    params
        .into_iter()
        .chain(query.as_ref())
        .flat_map(|params| LANGUAGE_PARAMETERS.map(|name| params.text(name)))
        .flatten()
        .find_map(Locale::parse)
        .or_else(|| visitor::cookie(&parts.headers, "lang").and_then(Locale::parse))
        .unwrap_or(Locale::EnUs)
}

/// A request that has a `locale` which was not given speaks the caller's language.
fn fill_locale(message: &mut DynamicMessage, locale: Locale) {
    let Some(field) = message.descriptor().get_field_by_name("locale") else { return };
    let plain = matches!(field.kind(), Kind::String) && !field.is_list();
    if plain && message.get_field(&field).as_str() == Some("") {
        message.set_field(&field, Value::String(locale.as_str().to_owned()));
    }
}

/// The name under which a field that a service names was sent: `list[0].security_code` →
/// `list[0].securityCode`.
fn public_name(message: &MessageDescriptor, field: &str) -> String {
    let (head, rest) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
    let Some(known) = message.get_field_by_name(head) else { return field.to_owned() };
    let inner = match (known.kind(), rest.split_once('.')) {
        (Kind::Message(inner), Some((at, rest))) => format!("{at}.{}", public_name(&inner, rest)),
        _ => rest.to_owned(),
    };
    format!("{}{inner}", known.json_name())
}

#[cfg(test)]
mod tests;
