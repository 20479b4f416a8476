//! Authorisation of changes over the admin address.
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::{Router, routing::get};
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use sahm_chassis::{
    Context, Process, Settings,
    lifecycle::{bind, serve_admin},
};
use tokio::net::TcpStream;

const TOKENS: &str = "alice=the-token-of-alice,bob=the-token-of-bob-1";

/// Serves on an address of this machine, with a route that the process adds.
async fn serve(ip: IpAddr, pairs: &[(&str, &str)]) -> SocketAddr {
    let pairs = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let context = Context::new(Settings::from_pairs(Process::Gateway, pairs).unwrap());
    let route = get(async || "read\n").post(async || "changed\n");
    context.lifecycle.set_operator_routes(Router::new().route("/thing", route));
    for metric in ["child_up 1\n", "second_child_up 1\n"] {
        context.lifecycle.set_child_metrics(async move || metric.to_owned());
    }
    let listener = bind(SocketAddr::new(ip, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    serve_admin(listener, &context);
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)
}

struct AdminResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

async fn send(address: SocketAddr, request: http::request::Builder) -> AdminResponse {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let response = sender.send_request(request.body(Full::<Bytes>::default()).unwrap()).await;
    let (parts, body) = response.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let body = String::from_utf8(body.to_vec()).unwrap();
    AdminResponse { status: parts.status, headers: parts.headers, body }
}

fn request(method: Method, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1")
}

#[tokio::test]
async fn changes_need_a_token_except_on_loopback_without_tokens() {
    struct Case {
        environment: &'static str,
        is_loopback: bool,
        tokens: &'static str,
        authorization: &'static str,
        status: u16,
    }
    const OPEN: &str = "";
    const ALICE: &str = "Bearer the-token-of-alice";
    const BOB: &str = "bearer the-token-of-bob-1";
    const WRONG: &str = "Bearer the-token-of-nobody";
    let case = |environment, is_loopback, tokens, authorization, status| Case {
        environment,
        is_loopback,
        tokens,
        authorization,
        status,
    };
    let cases = [
        case("dev", true, "", OPEN, 200),
        case("dev", true, "", WRONG, 200),
        case("dev", true, TOKENS, OPEN, 401),
        case("dev", true, TOKENS, ALICE, 200),
        case("dev", false, "", OPEN, 403),
        case("pre", true, "", OPEN, 200),
        case("pre", false, "", OPEN, 403),
        case("prod", false, "", ALICE, 403),
        case("prod", false, TOKENS, OPEN, 401),
        case("prod", false, TOKENS, WRONG, 401),
        case("prod", false, TOKENS, "Basic the-token-of-alice", 401),
        case("prod", false, TOKENS, ALICE, 200),
        case("prod", false, TOKENS, BOB, 200),
    ];
    let key = "k".repeat(32);
    for Case { environment, is_loopback, tokens, authorization, status } in cases {
        let shown = format!("{environment} {is_loopback} {tokens:?} {authorization:?}");
        let ip = if is_loopback { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
        let pairs = [
            ("SAHM_ENV", environment),
            ("SAHM_SESSION_KEYS", &*key),
            ("SAHM_CALLER_TOKENS", "gateway=a-token-of-16-chars"),
            ("SAHM_ADMIN_TOKENS", tokens),
        ];
        let address = serve(ip.into(), &pairs).await;
        for path in ["/livez", "/metrics", "/thing"] {
            let read = send(address, request(Method::GET, path)).await;
            assert_eq!(read.status, 200, "{path}: {shown}");
        }
        let change = request(Method::POST, "/thing").header(header::AUTHORIZATION, authorization);
        let changed = send(address, change).await;
        assert_eq!(changed.status, status, "{shown}: {}", changed.body);
        match status {
            200 => assert_eq!(changed.body, "changed\n"),
            401 => assert_eq!(changed.headers[header::WWW_AUTHENTICATE], "Bearer"),
            _ => {}
        }
        if status != 200 {
            assert!(changed.body.contains("SAHM_ADMIN_TOKENS"), "{}", changed.body);
        }
    }
}

#[tokio::test]
async fn metrics_end_with_those_of_the_first_child_process() {
    let address = serve(Ipv4Addr::LOCALHOST.into(), &[]).await;
    let metrics = send(address, request(Method::GET, "/metrics")).await;
    assert_eq!(metrics.headers[header::CONTENT_TYPE], "text/plain; version=0.0.4; charset=utf-8");
    assert!(metrics.body.ends_with("child_up 1\n"), "{}", metrics.body);
    assert!(!metrics.body.contains("second_child_up"), "{}", metrics.body);
}

#[tokio::test]
async fn log_level_is_unavailable_in_a_process_without_its_own_log() {
    let address = serve(Ipv4Addr::LOCALHOST.into(), &[]).await;
    for method in [Method::GET, Method::POST] {
        let response = send(address, request(method, "/log-level")).await;
        assert_eq!(response.status, 503);
        assert!(response.body.contains("this process has not installed its log"));
    }
}

#[tokio::test]
async fn requests_of_web_pages_are_refused_except_for_probes_and_metrics() {
    let address = serve(Ipv4Addr::LOCALHOST.into(), &[]).await;
    let cases = [("/livez", 200), ("/metrics", 200), ("/thing", 403), ("/log-level", 403)];
    for (path, status) in cases {
        let forged = request(Method::GET, path).header(header::ORIGIN, "https://evil.example");
        assert_eq!(send(address, forged).await.status, status, "{path}");
    }
    let forged = request(Method::POST, "/thing").header(header::ORIGIN, "https://evil.example");
    assert_eq!(send(address, forged).await.status, 403);
}
