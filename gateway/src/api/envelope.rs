//! The envelope of every JSON response: `{"code","msg","error","errorHK","data"}`.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use sahm_chassis::error::{Error, ErrorCode};
use sahm_proto::config::v1::Switch;
use serde::Serialize;

use super::{field_texts, messages, policy::Policy, request::FieldErrors};
use crate::{http::error_response::retry_after, switches, visitor::Locale};

/// `code` of success.
const SUCCESS: u32 = 10_000_000;

#[derive(Serialize)]
struct Envelope<'a, D> {
    code: u32,
    msg: &'a str,
    error: &'a str,
    #[serde(rename = "errorHK")]
    error_hk: &'a str,
    data: D,
}

/// A failure as reported to the caller.
#[derive(Debug)]
pub(super) struct Failure {
    code: ErrorCode,
    status: StatusCode,
    fields: FieldErrors,
    retry_after: Option<Duration>,
    allow: Option<&'static str>,
    /// The opaque id of an internal error (500).
    pub(super) id: Option<String>,
    /// The error whose text is shown; differs from `code` if several errors share a code.
    text: ErrorCode,
    /// A text in the caller's language that replaces the error's own.
    message: Option<String>,
}

impl Failure {
    /// A failure with the code's own HTTP status.
    pub(super) fn new(code: ErrorCode) -> Self {
        let status = StatusCode::from_u16(code.http_status());
        Self {
            code,
            status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            fields: FieldErrors::new(),
            retry_after: None,
            allow: None,
            id: None,
            text: code,
            message: None,
        }
    }

    /// Invalid values, by field.
    pub(super) fn fields(fields: FieldErrors) -> Self {
        Self { fields, ..Self::new(ErrorCode::Parameter) }
    }

    /// One invalid value.
    pub(super) fn field(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self::fields(FieldErrors::from([(name.into(), why.into())]))
    }

    /// Code 10000003 about the body, with another status (408, 413, 415).
    pub(super) fn body(status: StatusCode, why: &str) -> Self {
        Self::of_part("body", status, why)
    }

    /// Code 10000003 about one field, with another status (400, 414, 431).
    pub(super) fn of_part(part: &str, status: StatusCode, why: &str) -> Self {
        Self { status, ..Self::field(part, why) }
    }

    /// 429 or 503 with `Retry-After`.
    pub(super) fn wait(code: ErrorCode, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(code) }
    }

    /// 503 for a feature that operators have turned off, with their message.
    pub(super) fn turned_off(switch: &Switch, locale: Locale) -> Self {
        let message = Some(switches::message(switch, locale).to_owned());
        Self { message, ..Self::wait(ErrorCode::TurnedOff, switches::retry_after(switch)) }
    }

    /// 405 with `Allow`.
    pub(super) fn method_not_allowed(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Self::new(ErrorCode::MethodNotAllowed) }
    }

    /// Converts an error, without the details that only the log may contain.
    pub(super) fn of(error: &Error) -> Self {
        let fields = error.fields().iter().map(|field| (field.field.clone(), field.why.clone()));
        let mut failure = Self { fields: fields.collect(), ..Self::new(error.code()) };
        failure.retry_after = error.retry_after().or(match error.code() {
            ErrorCode::TooMany
            | ErrorCode::Unavailable
            | ErrorCode::Unimplemented
            | ErrorCode::TurnedOff => Some(Duration::from_secs(1)),
            _ => None,
        });
        if error.code() == ErrorCode::Internal {
            failure.id = Some(format!("{:016x}", rand::random::<u64>()));
        }
        failure
    }

    /// Renames the fields to their public names.
    #[must_use]
    pub(super) fn with_field_names(mut self, name: impl Fn(&str) -> String) -> Self {
        self.fields = self.fields.into_iter().map(|(field, why)| (name(&field), why)).collect();
        self
    }

    /// The failure of an operation. Courses and college articles share a code, but have different texts.
    #[must_use]
    pub(super) fn of_operation(self, policy: &Policy) -> Self {
        let is_of_article = self.code == ErrorCode::CourseNotFound && policy.is_about_article;
        if is_of_article { Self { text: ErrorCode::ArticleNotFound, ..self } } else { self }
    }

    /// The response in the caller's language.
    pub(super) fn response(&self, locale: Locale) -> Response<Body> {
        let mut response = raw_json(self.status, self.json(locale));
        if let Some(wait) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, retry_after(wait));
        }
        if let Some(allow) = self.allow {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }

    /// The response as bytes of HTTP/1.1 with `Connection: close`.
    pub(super) fn closing_response(&self, locale: Locale) -> Bytes {
        let body = self.json(locale);
        let mut response =
            format!("HTTP/1.1 {}\r\nconnection: close\r\n", self.status).into_bytes();
        for (name, value) in raw_json(self.status, body.clone()).headers() {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                response.extend_from_slice(part);
            }
        }
        response.extend_from_slice(b"\r\n");
        response.extend_from_slice(&body);
        response.into()
    }

    fn json(&self, locale: Locale) -> Bytes {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Data<'a> {
            Fields { fields: BTreeMap<&'a str, Cow<'a, str>> },
            Id { id: &'a str },
            None(()),
        }
        let data = match &self.id {
            Some(id) => Data::Id { id },
            None if matches!(self.code, ErrorCode::Parameter | ErrorCode::Rejected) => {
                let texts = self.fields.iter();
                let texts = texts.map(|(name, why)| (&**name, field_texts::localized(why, locale)));
                Data::Fields { fields: texts.collect() }
            }
            None => Data::None(()),
        };
        let standard = messages::failure(self.text, locale);
        let msg = self.message.as_deref().unwrap_or(standard);
        let name = self.code.name();
        let envelope = Envelope { code: self.code.number(), msg, error: name, error_hk: msg, data };
        // Serialising maps with text keys cannot fail.
        serde_json::to_vec(&envelope).map_or(Bytes::from_static(b"{}"), Bytes::from)
    }
}

/// 200 with data.
pub(super) fn success(data: impl Serialize, locale: Locale) -> Response<Body> {
    let msg = messages::success(locale);
    let envelope = Envelope { code: SUCCESS, msg, error: "", error_hk: msg, data };
    match serde_json::to_vec(&envelope) {
        Ok(bytes) => raw_json(StatusCode::OK, bytes.into()),
        Err(_) => raw_json(StatusCode::INTERNAL_SERVER_ERROR, Bytes::from_static(b"{}")),
    }
}

/// JSON with the headers that every response of the API carries.
pub(super) fn raw_json(status: StatusCode, body: Bytes) -> Response<Body> {
    let length = body.len();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CONTENT_LENGTH, length.into());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
