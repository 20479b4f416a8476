//! The log level: `GET /log-level` returns it, `POST /log-level?minutes=` changes it.
use std::time::Duration;

use axum::{Extension, extract::RawQuery, http::StatusCode, response::Response};
use serde_json::json;

use super::{access::AuditDetails, admin_response};
use crate::telemetry::{LogLevel, installed_log_level};

const MAX_MINUTES: u64 = 24 * 60;

pub(super) async fn get() -> Response {
    match installed_log_level() {
        Some(level) => level_response(&level),
        None => unavailable(),
    }
}

/// The body contains directives as in `RUST_LOG`, for instance `warn,sahm=debug`.
pub(super) async fn set(
    Extension(details): Extension<AuditDetails>,
    RawQuery(query): RawQuery,
    directives: String,
) -> Response {
    let Some(level) = installed_log_level() else { return unavailable() };
    let Ok(minutes) = minutes(query.as_deref()) else {
        return bad_request(&format!(
            "the only parameter is minutes, a whole number from 1 to {MAX_MINUTES}"
        ));
    };
    let until = minutes.map_or_else(String::new, |minutes| format!(" for {minutes} minutes"));
    details.set(format!("{}{until}", directives.trim()));
    let lifetime = minutes.map(|minutes| Duration::from_secs(minutes * 60));
    match level.set(&directives, lifetime) {
        Ok(()) => level_response(&level),
        Err(error) => bad_request(&error.to_string()),
    }
}

fn minutes(query: Option<&str>) -> Result<Option<u64>, ()> {
    let Some(query) = query.filter(|query| !query.is_empty()) else { return Ok(None) };
    let minutes = query.strip_prefix("minutes=").and_then(|minutes| minutes.parse().ok());
    minutes.filter(|minutes| (1..=MAX_MINUTES).contains(minutes)).map(Some).ok_or(())
}

fn level_response(level: &LogLevel) -> Response {
    let body = json!({
        "directives": level.directives(),
        "start": level.start(),
        "endsAt": level.ends_at(),
    });
    admin_response(StatusCode::OK, &body)
}

fn bad_request(why: &str) -> Response {
    admin_response(StatusCode::BAD_REQUEST, &json!({ "error": why }))
}

fn unavailable() -> Response {
    let why = "this process has not installed its log";
    admin_response(StatusCode::SERVICE_UNAVAILABLE, &json!({ "error": why }))
}
