//! `/api/openapi.json`: the OpenAPI 3.1 description of all operations.
//!
//! `openapi/openapi.json` is generated from the protos and their comments by `tests/openapi_generator`.
//! A test compares them; `SNAPSHOTS=write cargo test -p sahm-gateway --lib openapi` generates it again.

use bytes::Bytes;
use serde_json::{Value, json};

pub(super) const PATH: &str = "/api/openapi.json";

/// The description without deployment-specific values.
const GENERATED: &str = include_str!("openapi/openapi.json");

/// The description of this deployment.
///
/// # Errors
/// The generated file is not JSON.
pub(super) fn document(public_url: &str, session_cookie: &str) -> serde_json::Result<Bytes> {
    let mut document: Value = serde_json::from_str(GENERATED)?;
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document["servers"] = json!([{ "url": public_url }]);
    document["components"]["securitySchemes"]["session"]["name"] = session_cookie.into();
    Ok(document.to_string().into())
}
