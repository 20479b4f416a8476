//! Responds with 500 if a handler panics, so that the connection and its other requests continue.

use std::panic::AssertUnwindSafe;

use axum::{extract::Request, middleware::Next, response::Response};
use futures_util::FutureExt;

use crate::http::error_response::internal_error;

pub(crate) async fn catch_panic(request: Request, next: Next) -> Response {
    AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("request handling panicked");
        internal_error()
    })
}
