//! Headers of forwarded requests and responses, without hop-by-hop headers and session cookies.

use std::net::IpAddr;

use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{self, COOKIE, SET_COOKIE},
};

use crate::session::is_session_cookie;

/// Hop-by-hop headers (RFC 9110 §7.6.1).
const HOP_BY_HOP: [HeaderName; 9] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Request headers that are not forwarded. `Host` becomes the app's, and this gateway sets its own `X-Forwarded-*`.
const REPLACED: [HeaderName; 7] = [
    header::HOST,
    header::EXPECT,
    header::FORWARDED,
    FORWARDED_FOR,
    FORWARDED_PROTO,
    FORWARDED_HOST,
    HeaderName::from_static("x-real-ip"),
];

pub(super) fn of_request(
    mut headers: HeaderMap,
    client: IpAddr,
    scheme: &HeaderValue,
    host: &HeaderValue,
) -> HeaderMap {
    remove_hop_by_hop(&mut headers);
    for name in REPLACED {
        headers.remove(name);
    }
    if let Ok(client) = HeaderValue::from_str(&client.to_string()) {
        headers.insert(FORWARDED_FOR, client);
    }
    headers.insert(FORWARDED_PROTO, scheme.clone());
    headers.insert(FORWARDED_HOST, host.clone());

    let cookies = headers.get_all(COOKIE).iter().filter_map(without_sessions).collect::<Vec<_>>();
    headers.remove(COOKIE);
    // HTTP/2 may split `Cookie` into several fields; HTTP/1.1 has one (RFC 9113 §8.2.3).
    let cookies = cookies.iter().map(HeaderValue::as_bytes).collect::<Vec<_>>().join(&b"; "[..]);
    if let Some(line) = HeaderValue::from_bytes(&cookies).ok().filter(|line| !line.is_empty()) {
        headers.insert(COOKIE, line);
    }
    headers
}

/// The headers of an app's response, which must not set the session cookie.
pub(super) fn of_response(mut headers: HeaderMap) -> HeaderMap {
    remove_hop_by_hop(&mut headers);
    let is_session = |cookie: &HeaderValue| {
        let bytes = cookie.as_bytes();
        // Browsers send a nameless cookie, `=a=b`, back as `a=b`.
        let mut parts = bytes.split(|byte| *byte == b'=').map(<[u8]>::trim_ascii);
        is_session_cookie(parts.find(|part| !part.is_empty()).unwrap_or_default())
    };
    if headers.get_all(SET_COOKIE).iter().any(is_session) {
        let cookies = headers.get_all(SET_COOKIE).iter();
        let cookies = cookies.filter(|cookie| !is_session(cookie)).cloned().collect::<Vec<_>>();
        headers.remove(SET_COOKIE);
        headers.extend(cookies.into_iter().map(|cookie| (SET_COOKIE, cookie)));
    }
    headers
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let connection_options = headers
        .get_all(header::CONNECTION)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .filter_map(|name| HeaderName::from_bytes(name.trim_ascii()).ok())
        .collect::<Vec<_>>();
    // `Transfer-Encoding` overrides `Content-Length` (RFC 9112 §6.3).
    if headers.contains_key(header::TRANSFER_ENCODING) {
        headers.remove(header::CONTENT_LENGTH);
    }
    for name in connection_options.into_iter().chain(HOP_BY_HOP) {
        headers.remove(name);
    }
}

/// A `Cookie` field without session cookies; `None` if nothing remains.
fn without_sessions(line: &HeaderValue) -> Option<HeaderValue> {
    let is_forwarded = |pair: &&[u8]| {
        let name = pair.split(|byte| *byte == b'=').next().unwrap_or_default();
        !pair.trim_ascii().is_empty() && !is_session_cookie(name.trim_ascii())
    };
    let pairs = line.as_bytes().split(|byte| *byte == b';').filter(is_forwarded);
    let forwarded = pairs.map(<[u8]>::trim_ascii).collect::<Vec<_>>().join(&b"; "[..]);
    if forwarded.is_empty() { None } else { HeaderValue::from_bytes(&forwarded).ok() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    fn sorted(headers: &HeaderMap) -> Vec<(&str, &str)> {
        let mut all = headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
            .collect::<Vec<_>>();
        all.sort_unstable();
        all
    }

    #[test]
    fn request_headers_have_client_address_and_no_session_cookie() {
        let sent = headers(&[
            ("host", "evil.example"),
            ("x-forwarded-for", "9.9.9.9"),
            ("x-real-ip", "9.9.9.9"),
            ("forwarded", "for=9.9.9.9"),
            ("connection", "close, X-Private"),
            ("x-private", "1"),
            ("te", "trailers"),
            ("upgrade", "websocket"),
            ("accept", "*/*"),
            ("cookie", "a=1; sahm_session=x.y; b=2"),
            ("cookie", "__Host-sahm_session=x.y"),
            ("cookie", "c=sahm_session"),
        ]);
        let (scheme, host) =
            (HeaderValue::from_static("https"), HeaderValue::from_static("www.sahm.test"));
        let forwarded = of_request(sent, "1.2.3.4".parse().unwrap(), &scheme, &host);
        assert_eq!(
            sorted(&forwarded),
            [
                ("accept", "*/*"),
                ("cookie", "a=1; b=2; c=sahm_session"),
                ("x-forwarded-for", "1.2.3.4"),
                ("x-forwarded-host", "www.sahm.test"),
                ("x-forwarded-proto", "https"),
            ]
        );
    }

    #[test]
    fn response_headers_set_no_session_cookie() {
        let sent = headers(&[
            ("set-cookie", "app=1; Path=/feature"),
            ("set-cookie", "sahm_session=stolen; Path=/"),
            ("set-cookie", " __host-sahm_session =stolen"),
            ("set-cookie", "=sahm_session=stolen; Path=/"),
            ("set-cookie", " = = __Host-sahm_session=stolen"),
            ("content-length", "5"),
            ("connection", "keep-alive"),
            ("keep-alive", "timeout=5"),
            ("transfer-encoding", "chunked"),
            ("cache-control", "max-age=60"),
        ]);
        assert_eq!(
            sorted(&of_response(sent)),
            [("cache-control", "max-age=60"), ("set-cookie", "app=1; Path=/feature")]
        );
    }
}
