//! Proxied apps beside the site (docs/redirects.md).

use std::time::{Duration, Instant};

use axum::body::Body;
use http::Response;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    rules::kit::{APP, PC, Site, serve},
    wait::until,
};

/// An app that echoes its requests.
async fn echo(request: http::Request<hyper::body::Incoming>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| json!([name.as_str(), String::from_utf8_lossy(value.as_bytes())]));
    let headers = headers.collect::<Vec<_>>();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let seen = json!({
        "method": parts.method.as_str(), "target": parts.uri.to_string(), "headers": headers,
        "body": String::from_utf8_lossy(&body),
    });
    Response::builder()
        .status(if parts.uri.path().ends_with("teapot") { 418 } else { 200 })
        .header("x-app", "1")
        .header("cache-control", "max-age=60")
        .header("connection", "x-hop")
        .header("x-hop", "1")
        .header("set-cookie", "app=1; Path=/feature")
        .header("set-cookie", "sahm_session=stolen; Path=/")
        .body(Body::from(seen.to_string()))
        .unwrap()
}

fn seen(json: &Value, name: &str) -> Vec<String> {
    let headers = json["headers"].as_array().unwrap().iter();
    let named = headers.filter(|pair| pair[0] == name);
    named.map(|pair| pair[1].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn larger_body_than_16_mb_is_a_413() {
    let (address, _app) = serve(echo).await;
    let site = Site::start(&[("SAHM_FEATURE_URL", &format!("http://{address}"))]).await;
    for (bytes, status) in [(16 << 20, 200), ((16 << 20) + 1, 413)] {
        let response = site.send("POST", "/feature/college", &[], "x".repeat(bytes)).await;
        assert_eq!(response.status, status);
    }
}

#[tokio::test]
async fn requests_and_responses_of_apps_are_forwarded_unchanged() {
    let (address, _app) = serve(echo).await;
    let url = format!("http://{address}");
    let site = Site::start(&[("SAHM_FEATURE_URL", &url)]).await;
    let target = "/feature/college/x%20y/?lang=ar&lang=en&_scnl=5&_pid=p";
    let sent = [
        ("user-agent", APP),
        ("cookie", "a=1; sahm_session=secret.mac; lang=ar-sa"),
        ("x-forwarded-for", "9.9.9.9"),
        ("x-own", "kept"),
        ("te", "trailers"),
    ];
    let response = site.send("POST", target, &sent, "hello").await;
    assert_eq!(response.status, 200);
    let json = response.json();
    assert_eq!((&json["method"], &json["target"]), (&json!("POST"), &json!(target)));
    assert_eq!(json["body"], "hello");
    assert_eq!(seen(&json, "cookie"), ["a=1; lang=ar-sa"]);
    assert_eq!(seen(&json, "x-forwarded-for"), ["127.0.0.1"]);
    assert_eq!(seen(&json, "x-forwarded-proto"), ["https"]);
    assert_eq!(seen(&json, "x-forwarded-host"), ["www.sahm.test"]);
    assert_eq!(seen(&json, "host"), [address.to_string()]);
    assert_eq!(seen(&json, "x-own"), ["kept"]);
    assert!(seen(&json, "te").is_empty() && !json.to_string().contains("secret"), "{json}");

    // The response has no headers of this site and no hop-by-hop headers.
    assert_eq!((response.header("x-app"), response.header("cache-control")), ("1", "max-age=60"));
    assert_eq!(response.cookies(), ["app=1; Path=/feature"]);
    for name in ["content-security-policy", "x-page-cache", "x-hop", "vary", "x-frame-options"] {
        assert_eq!(response.header(name), "", "{name}");
    }
    assert_eq!(site.get("/feature/teapot", &[("user-agent", PC)]).await.status, 418);
    let head = site.send("HEAD", "/feature/x", &[], "").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(site.send("DELETE", "/feature/x", &[], "").await.json()["method"], "DELETE");
}

#[tokio::test]
async fn only_app_paths_are_proxied() {
    let (address, _app) = serve(echo).await;
    let url = format!("http://{address}/");
    let site = Site::start(&[("SAHM_ACTIVITIESR_URL", &url)]).await;
    for (path, is_the_apps) in [
        ("/activitiesr/", true),
        ("/activitiesr/x/", true),
        ("/activitiesr/%zz", true),
        ("/activitiesr/a%2Fb", true),
        ("/activitiesr", false),
        ("/activitiesrx/y", false),
        ("/ar-sa/activitiesr/x", false),
        ("/feature/x", false),
        ("/activitiesr//x", false),
        ("/activitiesr/%5cx", false),
        ("/activitiesr/%0a", false),
        ("/activitiesr/%2e%2e/admin", false),
    ] {
        let response = site.get(path, &[]).await;
        assert_eq!(response.header("x-app") == "1", is_the_apps, "{path}");
        assert!(is_the_apps || response.status == 404, "{path} {}", response.status);
    }
    for target in ["/activitiesr/a\\b", "/activitiesr/../api/metrics", "/activitiesr/./x"] {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 40") && !response.contains("x-app"), "{response}");
    }
    // The browser must load it as a document.
    let data = site.get("/_data/activitiesr/x?a=1", &[]).await;
    assert_eq!((data.status, data.json()), (200, json!({ "redirect": "/activitiesr/x?a=1" })));
    for path in ["//x", "/%0a", "/%5cx", "/%2e%2e/admin/", "//x?lang=ar", "/%00/"] {
        let data = site.get(&format!("/_data/activitiesr{path}"), &[]).await;
        assert_eq!((data.status, &data.json()["page"]), (404, &json!("not-found")), "{path}");
    }
}

#[tokio::test]
async fn bodies_are_streamed_in_both_directions() {
    // The app echoes each chunk as it arrives.
    let (address, _app) = serve(|request| async move {
        Response::new(Body::from_stream(request.into_body().into_data_stream()))
    })
    .await;
    let url = format!("http://{address}");
    let site = Site::start(&[("SAHM_FEATURE_URL", &url)]).await;
    let mut stream = TcpStream::connect(site.address).await.unwrap();
    let head = "POST /feature/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    for piece in ["first", "other"] {
        stream.write_all(format!("5\r\n{piece}\r\n").as_bytes()).await.unwrap();
        let heard = async {
            let mut bytes = [0; 512];
            while !text.contains(piece) {
                let length = stream.read(&mut bytes).await.unwrap();
                assert!(length > 0, "{text}");
                text.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
            }
        };
        tokio::time::timeout(Duration::from_secs(5), heard).await.unwrap();
    }
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}

#[tokio::test]
async fn unavailable_slow_and_aborting_apps_are_contained() {
    // One app never responds, the other aborts its response.
    let (address, app) = serve(async |_| std::future::pending().await).await;
    let breaking = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let breaking_url = format!("http://{}", breaking.local_addr().unwrap());
    let _breaking = AbortOnDropHandle::new(tokio::spawn(async move {
        let (mut stream, _) = breaking.accept().await.unwrap();
        let response = b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nbegun";
        stream.write_all(response).await.unwrap();
    }));
    let url = format!("http://{address}");
    let site =
        Site::start(&[("SAHM_FEATURE_URL", &url), ("SAHM_ACTIVITIESR_URL", &breaking_url)]).await;

    let mut stream = TcpStream::connect(site.address).await.unwrap();
    let head = "GET /activitiesr/broken HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = Vec::new();
    // With or without a reset, the body is shorter than its `Content-Length`.
    let _ = stream.read_to_end(&mut text).await;
    assert!(text.ends_with(b"begun"), "{}", String::from_utf8_lossy(&text));

    let began = Instant::now();
    let late = site.get("/feature/slow", &[]).await;
    assert_eq!(late.status, 504);
    assert!(began.elapsed() < Duration::from_millis(8_800), "{:?}", began.elapsed());

    drop(app);
    let app_path = async || site.get("/feature/x", &[]).await;
    let unavailable = until("the app is unavailable", async || app_path().await.status == 503);
    tokio::time::timeout(Duration::from_secs(5), unavailable).await.unwrap();
    let away = app_path().await;
    assert_eq!((away.header("retry-after"), away.header("cache-control")), ("1", "no-store"));
    assert_eq!(site.get("/en-us/news", &[]).await.status, 200);
}

#[tokio::test]
async fn proxied_requests_of_one_address_are_limited() {
    const SHARE: usize = 64;
    let (address, _app) = serve(async |request: http::Request<hyper::body::Incoming>| {
        if request.uri().path().ends_with("/unread") {
            std::future::pending::<()>().await;
        }
        Response::new(Body::from("served"))
    })
    .await;
    let url = format!("http://{address}");
    let site =
        Site::start(&[("SAHM_FEATURE_URL", &url), ("SAHM_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let mut held = Vec::new();
    for _ in 0..SHARE {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        let head = "GET /feature/unread HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\n\r\n";
        stream.write_all(head.as_bytes()).await.unwrap();
        held.push(stream);
    }
    let status =
        async |from: &str| site.get("/feature/x", &[("x-forwarded-for", from)]).await.status;
    let limited = until("the limit", async || status("192.0.2.1").await == 503);
    tokio::time::timeout(Duration::from_secs(4), limited).await.unwrap();
    for other in ["192.0.2.2", "2001:db8::1"] {
        assert_eq!(status(other).await, 200, "{other}");
    }
    drop(held);
    let released = until("the release", async || status("192.0.2.1").await == 200);
    tokio::time::timeout(Duration::from_secs(4), released).await.unwrap();
}

#[tokio::test]
async fn protocol_upgrade_is_not_forwarded() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let _app = AbortOnDropHandle::new(tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let response =
            b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
        stream.write_all(response).await.unwrap();
        let _ = stream.read(&mut [0; 1]).await;
        std::future::pending::<()>().await;
    }));
    let site = Site::start(&[("SAHM_FEATURE_URL", &url)]).await;
    assert_eq!(site.get("/feature/x", &[]).await.status, 503);
}
