//! HTTP: the server, error responses, response headers.

pub(crate) mod error_response;
pub(crate) mod headers;
pub(crate) mod server;
