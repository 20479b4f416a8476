//! HTTP metrics: number, status and duration of requests by route.

use std::{sync::Arc, time::Duration};

use http::{Method, Response, StatusCode};
use opentelemetry::{KeyValue, StringValue, metrics::Histogram};
use sahm_chassis::telemetry;

/// Histogram bounds in seconds: a hit, a call, a rendered page, and the limits of docs/limits-and-timeouts.md.
const BOUNDS: &[f64] = &[0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 3.0, 8.0];

/// The route of a request as a metric label, one of a few hundred values. Responses carry it as an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RouteLabel {
    /// One label for all requests of a kind.
    Kind(&'static str),
    /// The pattern of a page as written in the route table, or the template of a call as written in the protos.
    Pattern(Arc<str>),
}

impl RouteLabel {
    pub(crate) const PROXIED: Self = Self::Kind("proxied");
    pub(crate) const REDIRECT: Self = Self::Kind("redirect");
    /// Requests with an invalid head, or beyond the limit of their own address.
    pub(crate) const REFUSED: Self = Self::Kind("refused");
    /// Requests for features that operators have turned off; service levels do not count them as failures.
    pub(crate) const TURNED_OFF: Self = Self::Kind("turned_off");
    /// Requests beyond the limit of the whole process.
    pub(crate) const OVERLOADED: Self = Self::Kind("overloaded");
    /// URLs without a route.
    pub(crate) const UNMATCHED: Self = Self::Kind("unmatched");

    /// The file at a path.
    pub(crate) fn file(path: &str) -> Self {
        Self::Kind(match path {
            _ if path.starts_with("/assets/") => "/assets/{name}",
            _ if path.starts_with("/media/") => "/media/{name}",
            _ => "file",
        })
    }

    /// Attaches the label to a response.
    pub(crate) fn on<B>(self, mut response: Response<B>) -> Response<B> {
        response.extensions_mut().insert(self);
        response
    }

    /// The label of a response.
    pub(crate) fn read<B>(response: &Response<B>) -> Self {
        response.extensions().get::<Self>().cloned().unwrap_or(Self::UNMATCHED)
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Kind(label) => label,
            Self::Pattern(pattern) => pattern,
        }
    }
}

/// The metrics of all requests.
#[derive(Debug)]
pub(crate) struct HttpMetrics {
    duration: Histogram<f64>,
}

impl HttpMetrics {
    pub(crate) fn new() -> Self {
        Self {
            duration: telemetry::seconds_by(
                BOUNDS,
                "http.server.request.duration",
                "Requests by route, until the head of their response",
            ),
        }
    }

    /// Records a request after its response.
    pub(crate) fn record(
        &self,
        method: &Method,
        scheme: &'static str,
        route: RouteLabel,
        status: StatusCode,
        took: Duration,
    ) {
        let route = match route {
            RouteLabel::Kind(label) => StringValue::from(label),
            RouteLabel::Pattern(pattern) => pattern.into(),
        };
        let mut labels = vec![
            KeyValue::new("http.request.method", method_name(method)),
            KeyValue::new("http.route", route),
            KeyValue::new("http.response.status_code", i64::from(status.as_u16())),
            KeyValue::new("url.scheme", scheme),
        ];
        if status.is_server_error() {
            labels.push(KeyValue::new("error.type", status.as_str().to_owned()));
        }
        self.duration.record(took.as_secs_f64(), &labels);
    }
}

/// The method as a label; unknown methods share one.
pub(crate) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_bounded_whatever_clients_send() {
        for (path, expected) in [
            ("/assets/a-1.js", "/assets/{name}"),
            ("/assets/../x", "/assets/{name}"),
            ("/media/0123.png", "/media/{name}"),
            ("/googleabc.html", "file"),
            ("/robots.txt", "file"),
        ] {
            assert_eq!(RouteLabel::file(path).as_str(), expected, "{path}");
        }
        for (method, expected) in [("GET", "GET"), ("BREW", "_OTHER"), ("get", "_OTHER")] {
            let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
            assert_eq!(method_name(&method), expected);
        }
        let response = RouteLabel::Pattern("/news/content/{id?}".into()).on(Response::new(()));
        assert_eq!(RouteLabel::read(&response).as_str(), "/news/content/{id?}");
        assert_eq!(RouteLabel::read(&Response::new(())).as_str(), "unmatched");
    }
}
