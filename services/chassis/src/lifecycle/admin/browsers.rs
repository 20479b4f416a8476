//! Protects the admin address from requests of web pages in an operator's browser: cross-site
//! request forgery and DNS rebinding.
use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header, uri::Authority},
    middleware::Next,
    response::Response,
};
use serde_json::json;

use super::admin_response;

/// Suffixes of host names that nobody can register, so that no web page has an origin under them.
const PRIVATE_SUFFIXES: [&str; 5] = [".localhost", ".local", ".internal", ".svc", ".cluster.local"];

/// Refuses requests that a web page can send: reads need no credentials, nor do changes on a
/// loopback address without tokens.
pub(super) async fn refuse_browsers(request: Request, next: Next) -> Response {
    match forgery(request.headers()) {
        Some(why) => admin_response(StatusCode::FORBIDDEN, &json!({ "error": why })),
        None => next.run(request).await,
    }
}

/// Why a request may come from a web page: it names an origin, or a public host name, which the
/// page's own DNS can point here.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use axum::http::HeaderName;

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
