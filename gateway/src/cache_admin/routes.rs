//! The routes, on the admin address: what is stored, why it is or is not used, and purges. Responses
//! are JSON.
//!
//! | request | response |
//! | --- | --- |
//! | `GET /cache?part=&limit=` | `keys`: keys in either store that contain `part`, at most `limit` (100) |
//! | `GET /cache/entry?key=` | `levels`: what each store holds under the key, and whether it is used |
//! | `GET /cache/figures` | counters since the start, and sizes |
//! | `POST /cache/purge?key=…&path=…&all=true&soft=true` | purges on all gateways, through content's change log |

use std::net::{IpAddr, SocketAddr};

use axum::{
    Router,
    extract::{ConnectInfo, RawQuery, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header, uri::Authority};
use sahm_chassis::{error::Error, rpc::Transport};
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
    renders: RenderMemo,
    log: Option<Transport>,
}

/// The routes over a cache; purges go through the change log behind `log`.
pub(crate) fn routes(cache: PageCache, renders: RenderMemo, log: Option<Transport>) -> Router {
    Router::new()
        .route("/cache", get(list))
        .route("/cache/entry", get(entry))
        .route("/cache/figures", get(metrics))
        .route("/cache/purge", post(purge))
        .layer(middleware::from_fn(refuse_browsers))
        .with_state(AdminState { cache, renders, log })
}

/// Suffixes of host names that nobody can register, so that no web page has an origin under them.
const PRIVATE_SUFFIXES: [&str; 5] = [".localhost", ".local", ".internal", ".svc", ".cluster.local"];

/// Refuses what a web page in an operator's browser can send, because the port needs no credentials.
async fn refuse_browsers(request: Request, next: Next) -> Response {
    match forgery(request.headers()) {
        Some(why) => answer(StatusCode::FORBIDDEN, &json!({ "error": why })),
        None => next.run(request).await,
    }
}

/// Why a request may be a web page's: it names an origin, or a public host name, which a page's own
/// DNS can point here.
fn forgery(headers: &HeaderMap) -> Option<&'static str> {
    if headers.contains_key(header::ORIGIN) {
        return Some("a request with an Origin header is a web page's");
    }
    let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
    if !matches!(site, None | Some(b"none" | b"same-origin")) {
        return Some("Sec-Fetch-Site says that another site asks");
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match host.map(str::parse::<Authority>) {
        Some(Ok(authority)) if is_private(authority.host()) => None,
        _ => Some("the Host header is neither an address nor a private name"),
    }
}

fn is_private(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    let host = host.to_ascii_lowercase();
    bare.parse::<IpAddr>().is_ok()
        || !host.contains('.')
        || PRIVATE_SUFFIXES.iter().any(|suffix| host.ends_with(suffix))
}

async fn list(State(state): State<AdminState>, RawQuery(query): RawQuery) -> Response {
    let query = Query::of(query);
    let limit = match query.first("limit").map(str::parse::<usize>) {
        None => DEFAULT_LIMIT,
        Some(Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => limit,
        Some(_) => return wrong("limit must be a whole number from 1 to 10000"),
    };
    let keys = state.cache.list(query.first("part").unwrap_or_default(), limit).await;
    answer(StatusCode::OK, &json!({ "keys": keys }))
}

async fn entry(State(state): State<AdminState>, RawQuery(query): RawQuery) -> Response {
    let query = Query::of(query);
    let Some(key) = query.first("key") else { return wrong("key is missing") };
    let levels = state.cache.explain(key).await;
    let levels = levels.iter().map(explained).collect::<Vec<_>>();
    let status = if levels.is_empty() { StatusCode::NOT_FOUND } else { StatusCode::OK };
    answer(status, &json!({ "key": key, "levels": levels }))
}

async fn metrics(State(state): State<AdminState>) -> Response {
    let renders = state.renders.metrics();
    let mut body = json!(state.cache.metrics());
    body["redisAnswers"] = json!(state.cache.redis_answers());
    body["previousBuild"] = json!(state.cache.previous_build());
    body["renderMemo"] = json!({
        "hits": renders.hits,
        "misses": renders.misses,
        "entries": renders.entries,
        "bytes": renders.bytes,
    });
    answer(StatusCode::OK, &body)
}

async fn purge(
    State(state): State<AdminState>,
    peer: Option<axum::Extension<ConnectInfo<SocketAddr>>>,
    RawQuery(query): RawQuery,
) -> Response {
    let address = peer.map(|axum::Extension(ConnectInfo(peer))| peer.ip().to_string());
    let query = Query::of(query);
    let mut tags = query.all("key").map(key_tag).collect::<Vec<_>>();
    tags.extend(query.all("path").map(path_tag));
    if query.first("all") == Some("true") {
        tags.push(ALL_PAGES.to_owned());
    }
    if tags.is_empty() {
        return wrong("name what to purge: key, path or all=true");
    }
    let Some(log) = state.log else {
        return answer(StatusCode::SERVICE_UNAVAILABLE, &json!({ "error": "no content service" }));
    };
    let soft = query.first("soft") == Some("true");
    match PageCache::purge_tags(log, &tags, soft).await {
        Ok(()) => {
            // Without queries, and keys by their number: both may hold what visitors typed.
            let paths = query.all("path").map(|path| path.split('?').next().unwrap_or_default());
            let (paths, keys) = (paths.collect::<Vec<_>>(), query.all("key").count());
            let all = query.first("all") == Some("true");
            tracing::info!(?paths, keys, all, soft, address, "purged by an operator");
            answer(StatusCode::OK, &json!({ "purged": tags.len(), "soft": soft }))
        }
        Err(status) => {
            let error = Error::from(&status);
            tracing::error!(error = ?error, ?tags, address, "not purged");
            let why = json!({ "error": format!("not purged: {}", error.code().name()) });
            answer(StatusCode::SERVICE_UNAVAILABLE, &why)
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
        "kind": entry.kind.as_str(),
        "freshness": level.freshness.as_str(),
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

fn wrong(why: &str) -> Response {
    answer(StatusCode::BAD_REQUEST, &json!({ "error": why }))
}

fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], format!("{body:#}\n")).into_response()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use http::HeaderName;

    use super::*;

    #[test]
    fn requests_that_a_web_page_can_send_are_refused() {
        struct Case {
            headers: &'static [(&'static str, &'static str)],
            is_refused: bool,
        }
        for Case { headers: lines, is_refused } in [
            Case { headers: &[("host", "127.0.0.1:9100")], is_refused: false },
            Case { headers: &[("host", "[::1]:9100")], is_refused: false },
            Case { headers: &[("host", "10.2.3.4:9100")], is_refused: false },
            Case { headers: &[("host", "localhost:9100")], is_refused: false },
            Case { headers: &[("host", "gateway:9100")], is_refused: false },
            Case { headers: &[("host", "gateway.sahm-prod.svc:9100")], is_refused: false },
            Case {
                headers: &[("host", "gateway.sahm-prod.svc.cluster.local:9100")],
                is_refused: false,
            },
            Case {
                headers: &[("host", "LOCALHOST"), ("sec-fetch-site", "none")],
                is_refused: false,
            },
            Case {
                headers: &[("host", "localhost"), ("sec-fetch-site", "same-origin")],
                is_refused: false,
            },
            Case { headers: &[], is_refused: true },
            Case { headers: &[("host", "evil.example:9100")], is_refused: true },
            Case { headers: &[("host", "127.0.0.1.evil.example")], is_refused: true },
            Case { headers: &[("host", "local")], is_refused: false },
            Case { headers: &[("host", "evil.local.example")], is_refused: true },
            Case {
                headers: &[("host", "127.0.0.1:9100"), ("origin", "https://evil.example")],
                is_refused: true,
            },
            Case { headers: &[("host", "127.0.0.1:9100"), ("origin", "null")], is_refused: true },
            Case {
                headers: &[("host", "127.0.0.1:9100"), ("sec-fetch-site", "cross-site")],
                is_refused: true,
            },
            Case {
                headers: &[("host", "127.0.0.1:9100"), ("sec-fetch-site", "same-site")],
                is_refused: true,
            },
        ] {
            let headers = lines
                .iter()
                .map(|(name, value)| (HeaderName::try_from(*name).unwrap(), value.parse().unwrap()))
                .collect::<HeaderMap>();
            assert_eq!(forgery(&headers).is_some(), is_refused, "{lines:?}");
        }
    }
}
