//! One structured log line per request, with the same fields in gateway and services.
use std::time::Duration;

use tracing::Level;

use super::trace_id;

pub(super) const TARGET: &str = "sahm::request";
/// The kind of log lines of rpcs; that of HTTP requests is `http`.
pub(crate) const RPC: &str = "rpc";

/// The log fields of a completed request. Paths are routes or rpc names, never a visitor's query;
/// no value is personal data.
#[derive(Clone, Copy, Debug)]
pub struct RequestLog<'a> {
    /// `http` or [`RPC`].
    pub kind: &'static str,
    /// The HTTP method; empty for rpcs.
    pub method: &'a str,
    /// The path or the rpc's full name.
    pub path: &'a str,
    /// The HTTP status, or the gRPC code's number.
    pub status: u16,
    /// From the first header to the last byte.
    pub elapsed: Duration,
    /// Other details: `hit`, the page's id; empty for none.
    pub detail: &'a str,
}

/// Writes the line at level info; at debug for an rpc that succeeded, because its caller's request
/// has a line, and metrics and traces cover both. Call it inside the request's span.
pub fn request_log(request: &RequestLog<'_>) {
    let RequestLog { kind, method, path, status, elapsed, detail } = *request;
    macro_rules! line {
        ($level:expr) => {
            tracing::event!(
                target: TARGET,
                $level,
                kind,
                method,
                path,
                status,
                elapsed_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
                detail,
                trace_id = trace_id(),
                "request"
            )
        };
    }
    if kind == RPC && status == 0 { line!(Level::DEBUG) } else { line!(Level::INFO) }
}
