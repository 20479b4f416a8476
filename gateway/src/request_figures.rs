//! What operators see of requests: how many of each route, how they ended, how long they took.

use std::{sync::Arc, time::Duration};

use http::{Method, Response, StatusCode};
use opentelemetry::{KeyValue, StringValue, metrics::Histogram};
use sahm_chassis::telemetry;

/// Bounds in seconds: a hit, a call, a page made anew, and the limits of docs/limits-and-timeouts.md.
const BOUNDS: &[f64] = &[0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 3.0, 8.0];

/// What a request was for, of a few hundred there are: the pattern of a page, the template of a
/// call, or a word for all there are of a kind. Answers carry it as an extension; clones share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RouteName(StringValue);

impl RouteName {
    /// A pattern as the tables of routes and calls write it.
    pub(crate) fn of(pattern: impl Into<Arc<str>>) -> Self {
        let pattern: Arc<str> = pattern.into();
        Self(pattern.into())
    }

    /// Apps beside this site.
    pub(crate) fn proxied() -> Self {
        Self("proxied".into())
    }

    /// Addresses that are elsewhere.
    pub(crate) fn redirect() -> Self {
        Self("redirect".into())
    }

    /// Requests with an invalid head, or beyond the limit of their own address.
    pub(crate) fn refused() -> Self {
        Self("refused".into())
    }

    /// Requests beyond the limit of the whole process.
    pub(crate) fn overloaded() -> Self {
        Self("overloaded".into())
    }

    /// Addresses that are nothing's.
    pub(crate) fn unmatched() -> Self {
        Self("unmatched".into())
    }

    /// The file at a path.
    pub(crate) fn file(path: &str) -> Self {
        let family = ["/assets/{name}", "/media/{name}"].into_iter().find(|family| {
            let folder = family.strip_suffix("{name}");
            folder.is_some_and(|folder| path.starts_with(folder))
        });
        Self(family.unwrap_or("file").into())
    }

    /// Writes the name on an answer.
    pub(crate) fn on<B>(self, mut response: Response<B>) -> Response<B> {
        response.extensions_mut().insert(self);
        response
    }

    /// The name on an answer.
    pub(crate) fn read<B>(response: &Response<B>) -> Self {
        response.extensions().get::<Self>().cloned().unwrap_or_else(Self::unmatched)
    }

    /// As text.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The figures of all requests.
#[derive(Debug)]
pub(crate) struct RequestFigures {
    duration: Histogram<f64>,
}

impl RequestFigures {
    pub(crate) fn new() -> Self {
        Self {
            duration: telemetry::seconds_by(
                BOUNDS,
                "http.server.request.duration",
                "Requests by route, until the head of their answer",
            ),
        }
    }

    /// Counts an answered request.
    pub(crate) fn record(
        &self,
        method: &Method,
        route: RouteName,
        status: StatusCode,
        took: Duration,
    ) {
        let labels = [
            KeyValue::new("http.request.method", method_name(method)),
            KeyValue::new("http.route", route.0),
            KeyValue::new("http.response.status_code", i64::from(status.as_u16())),
        ];
        self.duration.record(took.as_secs_f64(), &labels);
    }
}

/// Methods that visitors make up are one.
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
    fn what_visitors_make_up_is_no_name() {
        for (path, expected) in [
            ("/assets/a-1.js", "/assets/{name}"),
            ("/assets/../x", "/assets/{name}"),
            ("/media/0123.png", "/media/{name}"),
            ("/googleabc.html", "file"),
            ("/robots.txt", "file"),
        ] {
            assert_eq!(RouteName::file(path).as_str(), expected, "{path}");
        }
        for (method, expected) in [("GET", "GET"), ("BREW", "_OTHER"), ("get", "_OTHER")] {
            let method = Method::from_bytes(method.as_bytes()).unwrap_or_default();
            assert_eq!(method_name(&method), expected);
        }
        let answer = RouteName::of("/news/content/{id?}").on(Response::new(()));
        assert_eq!(RouteName::read(&answer).as_str(), "/news/content/{id?}");
        assert_eq!(RouteName::read(&Response::new(())).as_str(), "unmatched");
    }
}
