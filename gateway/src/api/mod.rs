//! The JSON API. It is derived from the protos: `google.api.http` sets an rpc's path, `sahm.options.v1` its policy
//! and the rules of its fields. A new operation is a change of a proto only; an rpc without annotation is not
//! reachable.
//!
//! A request passes, in this order, `router` (path, method), `call_context` (query, language, body,
//! cross-site), rate limit, `caller_identity` (session), `request` and `rules` (parameters), the rpc,
//! `response` and `envelope`.

mod body;
mod call_context;
mod caller_identity;
mod client_errors;
mod cross_site;
mod envelope;
mod field_texts;
mod logging;
mod messages;
mod openapi;
mod operation;
mod params;
mod policy;
mod redaction;
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
use multer::Multipart;
use prost_reflect::DescriptorPool;
use sahm_chassis::{
    caller::{self, Caller},
    error::ErrorCode,
    lifecycle::Context,
    rpc,
};
use sahm_proto::options::v1::Feature;
use tokio::time::Instant;

use self::{
    call_context::{CALL_TIMEOUT, CallContext, query},
    caller_identity::CallerIdentity,
    client_errors::ClientErrors,
    cross_site::CrossSite,
    envelope::Failure,
    logging::logged_failure,
    operation::{BufferedCall, Handler},
    redaction::RedactedFields,
    response::Data,
    router::{Match, Router},
    rules::FieldRules,
    stream::Streams,
    upload::Uploads,
};
use crate::{
    dynamic_grpc_client::{self, Rpc},
    http_metrics::RouteLabel,
    limits::{Limits, Permit, REDIS_TIMEOUT_API, RateClass},
    page_cache::compress,
    rejection::Rejection,
    services::Services,
    session::Sessions,
    switches::Switches,
    visitor::Locale,
};

/// The API of this process.
pub struct Api {
    router: Router,
    redacted: Arc<RedactedFields>,
    rules: FieldRules,
    services: Services,
    sessions: Sessions,
    streams: Streams,
    uploads: Uploads,
    client_errors: ClientErrors,
    cross_site: CrossSite,
    limits: Limits,
    switches: Switches,
    openapi: Bytes,
}

/// The HTTP/1.1 bytes of the response to a request whose head cannot be parsed. Its path is unknown, so the response
/// always has the API's format.
pub(crate) fn unreadable_head(status: StatusCode) -> Bytes {
    let why = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "has more than 32 KB or 100 headers",
        StatusCode::URI_TOO_LONG => "has an address of more than 8 KB",
        _ => "is not well-formed HTTP",
    };
    Failure::of_part("request", status, why).closing_response(Locale::EnUs)
}

impl Api {
    /// Builds the API from the annotations. Must be called inside a Tokio runtime.
    ///
    /// # Errors
    /// An annotation is not supported, or there is no key for session cookies.
    pub fn new(services: &Services, context: &Context) -> anyhow::Result<Self> {
        let switches = Switches::open(&context.settings.data_dir);
        Self::of(&dynamic_grpc_client::pool()?, services, context, Limits::off(), switches)
    }

    /// As [`Api::new`], with rate limits and switches, for the protos in `pool`.
    pub(crate) fn of(
        pool: &DescriptorPool,
        services: &Services,
        context: &Context,
        limits: Limits,
        switches: Switches,
    ) -> anyhow::Result<Self> {
        let settings = &context.settings;
        let is_dev = settings.environment.is_dev();
        let redacted = Arc::new(RedactedFields::read(pool));
        let sessions = Sessions::new(services, settings)?;
        let router = Router::build(pool)?;
        let streams =
            Streams::new(router.quote_stream(), services, redacted.clone(), &switches, context);
        Ok(Self {
            router,
            redacted,
            rules: FieldRules::read(pool),
            services: services.clone(),
            streams,
            uploads: Uploads::new(services, settings.rate_limits),
            client_errors: ClientErrors::new()?,
            cross_site: CrossSite::new(&settings.public_url, &settings.allowed_hosts, is_dev),
            limits,
            switches,
            openapi: openapi::document(&settings.public_url, sessions.cookies().name())?,
            sessions,
        })
    }

    pub(crate) fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// The label of the operation at a path.
    pub(crate) fn route(&self, path: &str) -> RouteLabel {
        let found = self.router.find(path);
        found.map_or(RouteLabel::UNMATCHED, |found| found.endpoint.label())
    }

    /// The response to a request that is rejected before its handler.
    pub(crate) fn reject(&self, parts: &Parts, rejection: &Rejection) -> Response<Body> {
        let (_, locale) = query(parts);
        let failure = match rejection {
            Rejection::InvalidHead(status, why) => {
                Failure::of_part("request", *status, why.trim_end())
            }
            Rejection::Overloaded => Failure::wait(ErrorCode::Unavailable, Duration::ZERO),
            Rejection::Maintenance(switch) => Failure::turned_off(switch, locale),
        };
        for_method(&parts.method, failure.response(locale))
    }

    /// Handles a request whose path begins with `/api/`. The response is uncacheable JSON or an event stream, labelled
    /// with its route. The request extension [`ClientAddress`](crate::ClientAddress) is the caller's address.
    pub async fn handle(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        // Boxed, because the connection keeps the memory of this future as long as a stream lasts.
        let response = Box::pin(self.respond(&parts, body)).await;
        let response = compress::response(response, &parts.headers).await;
        for_method(&parts.method, response)
    }

    async fn respond(&self, parts: &Parts, body: Body) -> Response<Body> {
        let (query, locale) = query(parts);
        let Some(Match { endpoint, path_values }) = self.router.find(parts.uri.path()) else {
            return RouteLabel::UNMATCHED.on(Failure::new(ErrorCode::NotFound).response(locale));
        };
        let response = match endpoint.operation(&parts.method) {
            Err(failure) => failure.response(locale),
            Ok(operation) => {
                if let Some(switch) = self.switches.turned_off(operation.policy.feature) {
                    let failure = Failure::turned_off(&switch, locale);
                    return RouteLabel::TURNED_OFF.on(failure.response(locale));
                }
                let context = CallContext::new(parts, operation, path_values, query, locale);
                match &operation.handler {
                    Handler::FeedbackUpload(rpc) => self.upload(&context, rpc, body).await,
                    Handler::Buffered(call) => self.call(context, call, body).await,
                }
            }
        };
        endpoint.label().on(response)
    }

    async fn call(
        &self,
        mut context: CallContext<'_>,
        call: &BufferedCall,
        body: Body,
    ) -> Response<Body> {
        let started = Instant::now();
        if let Err(failure) = context.read_body(body, &self.cross_site).await {
            return failure.response(context.locale);
        }
        let time_left = CALL_TIMEOUT.saturating_sub(started.elapsed());
        let result = rpc::with_deadline(time_left, self.dispatch(&context, call)).await;
        result
            .unwrap_or_else(|timeout| Err(Failure::of(&timeout)))
            .unwrap_or_else(|failure| failure.response(context.locale))
    }

    async fn dispatch(
        &self,
        context: &CallContext<'_>,
        call: &BufferedCall,
    ) -> Result<Response<Body>, Failure> {
        let redis_timeout = self.check_rate_limit(context).await?;
        match call {
            BufferedCall::Unary(rpc) => self.unary(context, rpc, redis_timeout).await,
            BufferedCall::QuoteStream(_) => self.streams.open(context).await,
            BufferedCall::ClientErrors => {
                self.client_errors.record(context.params()?)?;
                Ok(envelope::success(serde_json::json!({ "accepted": true }), context.locale))
            }
            BufferedCall::OpenApi => {
                context.params()?;
                Ok(envelope::raw_json(StatusCode::OK, self.openapi.clone()))
            }
        }
    }

    /// Counts a request against the rate limit of its address. Returns how long the call may still wait for Redis.
    ///
    /// # Errors
    /// 429 beyond the limit.
    async fn check_rate_limit(&self, context: &CallContext<'_>) -> Result<Duration, Failure> {
        let started = Instant::now();
        let class = context.operation.policy.rate_class;
        let checked = self.limits.check(class, context.address, REDIS_TIMEOUT_API).await;
        checked.map_err(|wait| Failure::wait(ErrorCode::TooMany, wait))?;
        Ok(REDIS_TIMEOUT_API.saturating_sub(started.elapsed()))
    }

    async fn unary(
        &self,
        context: &CallContext<'_>,
        rpc: &Rpc,
        redis_timeout: Duration,
    ) -> Result<Response<Body>, Failure> {
        let CallContext { parts, operation, locale, address, .. } = *context;
        let mut identity = CallerIdentity::resolve(parts, &operation.policy, &self.sessions).await;
        if identity.is_new_visitor {
            let checked = self.limits.check(RateClass::NewVisitors, address, redis_timeout).await;
            if checked.is_err() {
                identity.count_by_address(&self.sessions);
            }
        }
        if let Some(rejection) = identity.rejection(&operation.policy) {
            return Err(Failure::of(&rejection));
        }
        let (mut message, mut errors) =
            request::read(&rpc.input(), context.params()?, &context.path_values);
        self.rules.validate(&mut message, &mut errors);
        if !errors.is_empty() {
            return Err(Failure::fields(errors));
        }
        request::fill_locale(&mut message, locale);
        let sign_up = self.switches.turned_off(Feature::SignUp);
        let caller = Caller { is_sign_up_off: sign_up.is_some(), ..identity.caller() };
        let result = caller::with(caller, rpc.unary(&self.services, message)).await;
        let result = result.and_then(|message| {
            let token = self.redacted.session_token(&message);
            let mut response = envelope::success(Data(&message, &self.redacted), locale);
            identity.set_cookies(operation, token.as_deref(), &self.sessions, &mut response)?;
            Ok(response)
        });
        result.map_err(|error| {
            let failure = match sign_up {
                Some(switch) if error.code() == ErrorCode::TurnedOff => {
                    Failure::turned_off(&switch, locale)
                }
                _ => logged_failure(operation, &identity.explain(error)),
            };
            failure.with_field_names(|field| request::public_name(&rpc.input(), field))
        })
    }

    /// Forwards a multipart form to the rpc while it is received.
    async fn upload(&self, context: &CallContext<'_>, rpc: &Rpc, body: Body) -> Response<Body> {
        let (form, _permit, identity) = match self.admit_upload(context, body).await {
            Ok(admitted) => admitted,
            Err(failure) => return failure.response(context.locale),
        };
        let submitting = self.uploads.submit(form, context, rpc);
        let (result, locale) = caller::with(identity.caller(), submitting).await;
        match result {
            Ok(message) => envelope::success(Data(&message, &self.redacted), locale),
            Err(failure) => failure.response(locale),
        }
    }

    async fn admit_upload(
        &self,
        context: &CallContext<'_>,
        body: Body,
    ) -> Result<(Multipart<'static>, Permit, CallerIdentity), Failure> {
        let CallContext { parts, operation, .. } = *context;
        let form = upload::multipart(&parts.headers, body, operation.policy.max_body_bytes)?;
        self.cross_site.check(&parts.headers)?;
        self.check_rate_limit(context).await?;
        let permit = self.uploads.admit(context.address)?;
        let identity = CallerIdentity::resolve(parts, &operation.policy, &self.sessions).await;
        Ok((form, permit, identity))
    }
}

/// A response to HEAD has no body.
fn for_method(method: &Method, response: Response<Body>) -> Response<Body> {
    if *method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
}

#[cfg(test)]
mod tests;
