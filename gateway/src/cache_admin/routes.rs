//! The routes on the admin address: stored entries, why they are or are not used, and purges. Responses are JSON.
//!
//! | request | response |
//! | --- | --- |
//! | `GET /cache?part=&limit=` | `keys`: keys in either store that contain `part`, at most `limit` (100) |
//! | `GET /cache/entry?key=` | `levels`: what each store holds under the key, and whether it is used |
//! | `GET /cache/figures` | counters since the start, and sizes |
//! | `POST /cache/purge?key=…&path=…&all=true&soft=true` | purges on all gateways, through content's change log |

use std::sync::Arc;

use axum::{
    Extension, Router,
    extract::{RawQuery, State},
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use http::StatusCode;
use sahm_chassis::{
    error::Error,
    lifecycle::{AuditDetails, admin_response},
    rpc::Transport,
};
use serde_json::{Value, json};

use crate::{
    page_cache::{ALL_PAGES, Explanation, PageCache, key_tag, path_tag},
    render::RenderMemo,
};

/// Number of listed keys.
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 10_000;

#[derive(Clone)]
struct AdminState {
    cache: PageCache,
    renders: Arc<RenderMemo>,
    log: Option<Transport>,
}

/// The routes over a cache; purges go through the change log behind `log`.
pub(crate) fn routes(cache: PageCache, renders: Arc<RenderMemo>, log: Option<Transport>) -> Router {
    Router::new()
        .route("/cache", get(list))
        .route("/cache/entry", get(entry))
        .route("/cache/figures", get(metrics))
        .route("/cache/purge", post(purge))
        .with_state(AdminState { cache, renders, log })
}

async fn list(State(state): State<AdminState>, RawQuery(query): RawQuery) -> Response {
    let query = Query::of(query);
    let limit = match query.first("limit").map(str::parse::<usize>) {
        None => DEFAULT_LIMIT,
        Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
        Some(_) => return bad_request("limit must be a whole number from 1 to 10000"),
    };
    let keys = state.cache.list(query.first("part").unwrap_or_default(), limit).await;
    admin_response(StatusCode::OK, &json!({ "keys": keys }))
}

async fn entry(State(state): State<AdminState>, RawQuery(query): RawQuery) -> Response {
    let query = Query::of(query);
    let Some(key) = query.first("key") else { return bad_request("key is missing") };
    let levels = state.cache.explain(key).await;
    let levels = levels.iter().map(explained).collect::<Vec<_>>();
    let status = if levels.is_empty() { StatusCode::NOT_FOUND } else { StatusCode::OK };
    admin_response(status, &json!({ "key": key, "levels": levels }))
}

async fn metrics(State(state): State<AdminState>) -> Response {
    let mut body = json!(state.cache.metrics());
    body["redisAnswers"] = json!(state.cache.is_redis_up());
    body["previousBuild"] = json!(state.cache.previous_build());
    body["renderMemo"] = json!(state.renders.metrics());
    admin_response(StatusCode::OK, &body)
}

async fn purge(
    State(state): State<AdminState>,
    Extension(details): Extension<AuditDetails>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = Query::of(query);
    let all = query.first("all") == Some("true");
    let soft = query.first("soft") == Some("true");
    let mut tags = query.all("key").map(key_tag).collect::<Vec<_>>();
    // Paths without queries, and only the number of keys: both may contain visitors' input.
    let paths = query.all("path").map(|path| path.split('?').next().unwrap_or_default());
    let (paths, keys) = (paths.collect::<Vec<_>>(), tags.len());
    details.set(format!("paths={paths:?} keys={keys} all={all} soft={soft}"));
    tags.extend(query.all("path").map(path_tag));
    if all {
        tags.push(ALL_PAGES.to_owned());
    }
    if tags.is_empty() {
        return bad_request("name what to purge: key, path or all=true");
    }
    let Some(log) = state.log else {
        let why = json!({ "error": "no content service" });
        return admin_response(StatusCode::SERVICE_UNAVAILABLE, &why);
    };
    match PageCache::purge_tags(log, &tags, soft).await {
        Ok(()) => admin_response(StatusCode::OK, &json!({ "purged": tags.len(), "soft": soft })),
        Err(status) => {
            let error = Error::from(&status);
            tracing::error!(error = ?error, ?tags, "not purged");
            let why = json!({ "error": format!("not purged: {}", error.code().name()) });
            admin_response(StatusCode::SERVICE_UNAVAILABLE, &why)
        }
    }
}

fn explained(level: &Explanation) -> Value {
    let entry = &level.entry;
    let length = |body: &Option<Bytes>| body.as_ref().map_or(0, Bytes::len);
    let positions = entry.positions.iter().map(|position| {
        json!({
            "service": &*position.service,
            "logId": &*position.log_id,
            "sequence": position.sequence,
        })
    });
    json!({
        "level": if level.in_process { "process" } else { "redis" },
        "kind": entry.kind,
        "freshness": level.freshness,
        "validity": level.validity,
        "createdAt": entry.times.created_at,
        "freshUntil": entry.times.fresh_until,
        "staleUntil": entry.times.stale_until,
        "tags": entry.tags,
        "positions": positions.collect::<Vec<_>>(),
        "bytes": { "br": length(&entry.bodies.brotli), "gzip": length(&entry.bodies.gzip) },
    })
}

/// Query parameters, decoded.
struct Query(Vec<(String, String)>);

impl Query {
    fn of(raw: Option<String>) -> Self {
        let raw = raw.unwrap_or_default();
        Self(form_urlencoded::parse(raw.as_bytes()).into_owned().collect())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

fn bad_request(why: &str) -> Response {
    admin_response(StatusCode::BAD_REQUEST, &json!({ "error": why }))
}
