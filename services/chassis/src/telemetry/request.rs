//! One structured log line a request, the same fields in gateway and services.
use std::time::Duration;

use tracing::Level;

use super::trace_id;

pub(super) const TARGET: &str = "sahm::request";
/// How lines of rpcs are marked; HTTP's are `http`.
pub(crate) const RPC: &str = "rpc";

/// What is said about a request that has ended. Paths are routes or rpc names, never a visitor's
/// query; no value is personal.
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
    /// Whatever else is worth a word: `hit`, the page's id; empty for nothing.
    pub detail: &'a str,
}

/// Writes the line, at info; for an rpc that ended well at debug: its caller's request has a line,
/// and figures and traces tell of both. Call it inside the request's span.
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
