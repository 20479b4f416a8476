//! The span and the metric of a call to a provider, following OpenTelemetry's semantic conventions
//! for HTTP clients. Headers, bodies and query strings are not recorded.
use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};

use opentelemetry::{KeyValue, StringValue, metrics::Histogram};
use reqwest::{Method, StatusCode, Url};
use strum::IntoStaticStr;
use tracing::{Span, field::Empty};

use crate::telemetry;

static DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    telemetry::seconds(
        "http.client.request.duration",
        "Calls of providers, until the last byte of the response",
    )
});

/// Why a call has no complete response (`error.type`).
#[derive(Clone, Copy, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum ErrorType {
    Timeout,
    Connect,
    /// The caller gave up before the response was complete.
    Cancelled,
    #[strum(serialize = "_OTHER")]
    Other,
}

impl ErrorType {
    pub(super) fn of(error: &anyhow::Error) -> ErrorType {
        match error.downcast_ref::<reqwest::Error>() {
            Some(error) if error.is_connect() => ErrorType::Connect,
            Some(error) if error.is_timeout() => ErrorType::Timeout,
            _ => ErrorType::Other,
        }
    }
}

/// A call in progress. It is recorded once, when it ends or is dropped.
pub(super) struct ObservedCall {
    span: Span,
    labels: Vec<KeyValue>,
    began: Instant,
    outcome: Result<StatusCode, ErrorType>,
}

impl ObservedCall {
    pub(super) fn begin(provider: &Arc<str>, method: &Method, url: &Url) -> ObservedCall {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let path = url.path();
        // The path of a provider's URL has no variable parts, so it has low cardinality.
        let span = tracing::info_span!(
            target: "sahm::http",
            "provider",
            "otel.kind" = "client",
            "otel.name" = format!("{method} {path}"),
            "otel.status_code" = Empty,
            "http.request.method" = method.as_str(),
            "http.response.status_code" = Empty,
            "error.type" = Empty,
            "server.address" = host,
            "server.port" = port,
            "service.peer.name" = &**provider,
            "url.full" = format!("{}{path}", url.origin().ascii_serialization()),
            "url.template" = path,
        );
        let labels = vec![
            KeyValue::new("http.request.method", method.as_str().to_owned()),
            KeyValue::new("server.address", host.to_owned()),
            KeyValue::new("server.port", i64::from(port)),
            KeyValue::new("service.peer.name", StringValue::from(provider.clone())),
        ];
        ObservedCall { span, labels, began: Instant::now(), outcome: Err(ErrorType::Cancelled) }
    }

    /// The span around the work of the call.
    pub(super) fn span(&self) -> Span {
        self.span.clone()
    }

    /// Sets the outcome of the call.
    pub(super) fn ended(&mut self, outcome: Result<StatusCode, ErrorType>) {
        self.outcome = outcome;
    }
}

impl Drop for ObservedCall {
    fn drop(&mut self) {
        let mut labels = std::mem::take(&mut self.labels);
        if let Ok(status) = self.outcome {
            self.span.record("http.response.status_code", status.as_u16());
            labels.push(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
        }
        let error = match self.outcome {
            Ok(status) if status.is_client_error() || status.is_server_error() => {
                Some(status.as_str().to_owned())
            }
            Ok(_) => None,
            Err(kind) => Some(<&str>::from(kind).to_owned()),
        };
        if let Some(kind) = error {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", kind.as_str());
            labels.push(KeyValue::new("error.type", kind));
        }
        DURATION.record(self.began.elapsed().as_secs_f64(), &labels);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn port_is_that_of_the_url_or_of_its_scheme() {
        struct Case {
            url: &'static str,
            port: i64,
        }
        for Case { url, port } in [
            Case { url: "https://sms.example/send", port: 443 },
            Case { url: "http://sms.example/send", port: 80 },
            Case { url: "https://sms.example:8443/send", port: 8443 },
        ] {
            let call = ObservedCall::begin(&"sms".into(), &Method::POST, &url.parse().unwrap());
            let labels = [
                KeyValue::new("http.request.method", "POST"),
                KeyValue::new("server.address", "sms.example"),
                KeyValue::new("server.port", port),
                KeyValue::new("service.peer.name", "sms"),
            ];
            assert_eq!(call.labels, labels, "{url}");
        }
    }
}
