//! The JSON API: REST made from the protos' annotations (`google.api.http`), one envelope for
//! every answer. A new call is a proto change only; an rpc without annotation is never reachable.

mod codec;
mod cross_site;
mod envelope;
mod limits;
mod openapi;
mod params;
mod report;
mod request;
mod response;
mod table;
mod texts;

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, request::Parts};
use prost_reflect::{DescriptorPool, DynamicMessage, Kind, ReflectMessage, Value};
use sahm_chassis::{
    error::{Error, ErrorCode},
    rpc,
    settings::Settings,
};
use tracing::Level;

use self::{
    cross_site::CrossSite,
    envelope::Failure,
    params::{BodyType, Params},
    request::Faults,
    table::{Call, Endpoint, Table},
};
use crate::{
    services::Services,
    visitor::{self, Locale},
};

pub use self::table::TableError;

/// Where the description of all calls stands.
const OPENAPI_PATH: &str = "/api/openapi.json";

/// What an endpoint may be asked with.
const READING: &str = "GET, HEAD";
const BOTH: &str = "GET, HEAD, POST";
const POSTING: &str = "POST";

/// Calls whose not-found answers are expected, so that they are logged at info level
/// (specification §8).
const EXPECTED_NOT_FOUND: [&str; 6] = [
    "/api/news/content/detail",
    "/api/college/os/bread/crumb",
    "/api/college/article/list",
    "/api/college/os/article/list",
    "/api/college/log/add",
    "/api/help/rest/doc/{id}/contentV2",
];

/// Why the API cannot be made from the descriptors it was built with.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// Not a descriptor set.
    #[error("descriptors: {0}")]
    Descriptors(#[from] prost_reflect::DescriptorError),
    /// An annotation that cannot be served.
    #[error("annotation: {0}")]
    Table(#[from] TableError),
}

/// The API of this process.
#[derive(Clone)]
pub struct Api(Arc<Inner>);

struct Inner {
    table: Table,
    services: Services,
    cross_site: CrossSite,
    openapi: Bytes,
}

/// What a path is.
enum Target<'a> {
    Call(&'a Endpoint, Vec<(String, String)>),
    Report,
    OpenApi,
}

impl Api {
    /// Reads the annotations and makes the OpenAPI page.
    pub fn new(services: &Services, settings: &Settings) -> Result<Self, ApiError> {
        let pool = pool()?;
        let table = Table::build(&pool)?;
        let openapi = openapi::document(&table, &settings.public_url).to_string().into();
        let in_dev = settings.environment.is_dev();
        let cross_site = CrossSite::new(&settings.public_url, &settings.allowed_hosts, in_dev);
        Ok(Self(Arc::new(Inner { table, services: services.clone(), cross_site, openapi })))
    }

    /// The answer to a request of which too much was sent before its body (414, 431).
    pub(crate) fn refuse(&self, parts: &Parts, status: StatusCode, why: &str) -> Response<Body> {
        let failure = Failure::of_part("request", status, why.trim_end());
        let response = failure.answer(caller_locale(parts, None));
        if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
    }

    /// Answers a request whose path begins with `/api/`: always JSON, `no-store`.
    pub async fn handle(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let mut locale = caller_locale(&parts, None);
        let answered = rpc::with_deadline(limits::CALL_TIME, async {
            self.0.answer(&parts, body, &mut locale).await
        });
        let outcome = answered.await;
        let response = match outcome {
            Ok(Ok(response)) => response,
            Ok(Err(failure)) => failure.answer(locale),
            Err(error) => Failure::of(&error, str::to_owned).answer(locale),
        };
        if parts.method == Method::HEAD { response.map(|_| Body::empty()) } else { response }
    }
}

impl Inner {
    /// In the order of the API page: method, type, size, cross-site, limits, parameters.
    async fn answer(
        &self,
        parts: &Parts,
        body: Body,
        locale: &mut Locale,
    ) -> Result<Response<Body>, Failure> {
        let target = self.target(parts.uri.path()).ok_or(Failure::new(ErrorCode::NotFound))?;
        let reading = matches!(parts.method, Method::GET | Method::HEAD);
        let call = self.call(&target, &parts.method)?;
        let params = if reading {
            Params::of_query(parts.uri.query().unwrap_or_default())
        } else {
            let kind = BodyType::of(&parts.headers).ok_or_else(limits::unsupported_type)?;
            let bytes = limits::body(kind, &parts.headers, body).await?;
            if self.cross_site.refuses(&parts.headers) {
                return Err(Failure::new(ErrorCode::Forbidden));
            }
            Params::of_body(kind, &bytes)
        };
        let params = params.map_err(|malformed| {
            Failure::fields(Faults::from([(malformed.field.to_owned(), malformed.why)]))
        })?;
        *locale = caller_locale(parts, Some(&params));
        match (target, call) {
            (Target::Call(_, path_values), Some(call)) => {
                self.call_service(call, &params, &path_values, *locale).await
            }
            (Target::Report, _) => {
                report::log(&params)?;
                Ok(envelope::success(serde_json::json!({ "accepted": true }), *locale))
            }
            _ => Ok(envelope::raw_json(StatusCode::OK, self.openapi.clone())),
        }
    }

    fn target(&self, path: &str) -> Option<Target<'_>> {
        match path {
            report::PATH => Some(Target::Report),
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
            Target::Report if posting => Ok(None),
            Target::Report => Err(Failure::method(POSTING)),
            Target::OpenApi if reading => Ok(None),
            Target::OpenApi => Err(Failure::method(READING)),
        }
    }

    async fn call_service(
        &self,
        call: &Call,
        params: &Params,
        path_values: &[(String, String)],
        locale: Locale,
    ) -> Result<Response<Body>, Failure> {
        let mut message =
            request::message(call.input(), params, path_values).map_err(Failure::fields)?;
        fill_locale(&mut message, locale);
        match self.unary(call, message).await {
            Ok(answer) => Ok(envelope::success(response::Data(&answer), locale)),
            Err(error) => {
                let failure = Failure::of(&error, |field| public_name(call, field));
                log_failure(call, &error, failure.id());
                Err(failure)
            }
        }
    }

    async fn unary(&self, call: &Call, message: DynamicMessage) -> Result<DynamicMessage, Error> {
        let away = || Error::unavailable(anyhow::anyhow!("no {} service", call.service));
        let transport = self.services.transport(call.service).ok_or_else(away)?;
        let mut client = tonic::client::Grpc::new(transport);
        client.ready().await.map_err(|error| Error::unavailable(anyhow::anyhow!("{error}")))?;
        let codec = codec::DynamicCodec(call.output());
        let request = tonic::Request::new(message);
        match client.unary(request, call.rpc.clone(), codec).await {
            Ok(response) => Ok(response.into_inner()),
            Err(status) => Err(Error::from(&status)),
        }
    }
}

/// All protos of the product, comments and annotations included.
fn pool() -> Result<DescriptorPool, prost_reflect::DescriptorError> {
    DescriptorPool::decode(sahm_proto::DESCRIPTORS)
}

/// `lang` or `_lang` of the parameters or the query, else the cookie, else English.
fn caller_locale(parts: &Parts, params: Option<&Params>) -> Locale {
    let query = Params::of_query(parts.uri.query().unwrap_or_default()).ok();
    params
        .into_iter()
        .chain(query.as_ref())
        .flat_map(|params| [params.text("lang"), params.text("_lang")])
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

/// The name under which a field that a service names was sent.
fn public_name(call: &Call, field: &str) -> String {
    let (head, rest) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
    match call.input().get_field_by_name(head) {
        Some(known) => format!("{}{rest}", known.json_name()),
        None => field.to_owned(),
    }
}

fn log_failure(call: &Call, error: &Error, id: Option<&str>) {
    let (call, code) = (call.template.as_str(), error.code());
    let name = code.name();
    let source = error.log_source().map(|source| format!("{source:#}"));
    match level(call, code) {
        Level::ERROR => tracing::error!(call, error = name, id, source, "call failed"),
        Level::WARN => tracing::warn!(call, error = name, source, "call failed"),
        _ => tracing::info!(call, error = name, "call refused"),
    }
}

/// How loud a failure is: what is the caller's own is information, and so is a missing item where
/// specification §8 expects it.
fn level(call: &str, code: ErrorCode) -> Level {
    match code {
        ErrorCode::Internal => Level::ERROR,
        ErrorCode::Unavailable | ErrorCode::Timeout => Level::WARN,
        ErrorCode::ArticleNotFound
        | ErrorCode::CourseNotFound
        | ErrorCode::DocumentNotFound
        | ErrorCode::NotFound
            if !EXPECTED_NOT_FOUND.contains(&call) =>
        {
            Level::WARN
        }
        _ => Level::INFO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_items_are_expected_in_six_calls_only() {
        let cases = [
            ("/api/news/content/detail", ErrorCode::ArticleNotFound, Level::INFO),
            ("/api/help/rest/doc/{id}/contentV2", ErrorCode::DocumentNotFound, Level::INFO),
            ("/api/news/content/log/add", ErrorCode::ArticleNotFound, Level::WARN),
            ("/api/news/content/detail", ErrorCode::Parameter, Level::INFO),
            ("/api/news/content/detail", ErrorCode::Unavailable, Level::WARN),
            ("/api/news/content/detail", ErrorCode::Internal, Level::ERROR),
        ];
        for (call, code, expected) in cases {
            assert_eq!(level(call, code), expected, "{call} {code:?}");
        }
    }
}
