//! Invalid input (docs/limits-and-timeouts.md) is a 4xx, never a 5xx or a panic.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use crate::{
    failures::{ARABIC, ENGLISH, assert_refused},
    kit::{Response, Site, panics, raw},
};

async fn send(site: &Site, request: impl AsRef<[u8]>) -> Option<Response> {
    raw(site.gateways[0].address, request.as_ref()).await
}

async fn get(site: &Site, target: &str, headers: &str) -> Response {
    let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\n{headers}connection: close\r\n\r\n");
    send(site, request).await.unwrap_or_else(|| panic!("no response to {target}"))
}

#[tokio::test]
async fn malformed_urls_are_rejected() {
    let site = Site::shared().await;
    let long = "x".repeat(10 << 10);
    for (target, expected) in [
        ("/%zz".to_owned(), 400),
        ("/%".to_owned(), 400),
        ("/en-us/%e0%80%80".to_owned(), 400),
        ("/_data/%zz".to_owned(), 400),
        ("/a//b".to_owned(), 404),
        ("/%00".to_owned(), 404),
        ("/a%2fb".to_owned(), 404),
        ("/assets/../site.json".to_owned(), 404),
        ("/assets/%2e%2e/site.json".to_owned(), 404),
        ("/assets/no-such-file.js".to_owned(), 404),
        ("/media/0000000000000000.svg".to_owned(), 404),
        ("/media/..%2f..%2fetc".to_owned(), 404),
        ("/sitemap-nonsense.xml".to_owned(), 404),
        ("/api".to_owned(), 404),
        ("/api/".to_owned(), 404),
        ("/api/%zz".to_owned(), 404),
        ("/api/sahm.content.v1.NewsService/WithdrawArticles".to_owned(), 404),
        (format!("/{long}"), 414),
        (format!("/news?x={long}"), 414),
        (format!("/api/news/tab/list?x={long}"), 414),
        (format!("/assets/{long}"), 414),
    ] {
        let response = get(site, &target, "").await;
        let shown = &target[..target.len().min(60)];
        assert_eq!(response.status, expected, "{shown}");
        assert!(!response.body.is_empty(), "{shown}: an empty body");
        if target.starts_with("/api/") {
            let code = if expected == 414 { 10_000_003 } else { expected.into() };
            assert_eq!(response.json()["code"].as_u64(), Some(code), "{shown}");
        }
    }
    assert_eq!(panics(), 0);
}

#[tokio::test]
async fn rejected_page_requests_get_an_error_page() {
    let site = Site::shared().await;
    let long = "x".repeat(10 << 10);
    for (target, status, locale) in [
        ("/%zz".to_owned(), 400, &ENGLISH),
        ("/en-us/news/%e0%80%80".to_owned(), 400, &ENGLISH),
        ("/ar-sa/%zz".to_owned(), 400, &ARABIC),
        ("/%?lang=ar".to_owned(), 400, &ARABIC),
        (format!("/ar-sa/news?x={long}"), 414, &ARABIC),
        (format!("/{long}"), 414, &ENGLISH),
    ] {
        let response = get(site, &target, "").await;
        assert_eq!(response.status, status, "{}", &target[..target.len().min(60)]);
        assert_refused(&response, locale);
    }
    // Other paths get a line of text.
    for (target, status) in [
        ("/_data/%zz".to_owned(), 400),
        (format!("/_data/news?x={long}"), 414),
        (format!("/robots.txt?x={long}"), 414),
        (format!("/assets/a.js?x={long}"), 414),
        (format!("/favicon.ico?x={long}"), 414),
    ] {
        let response = get(site, &target, "").await;
        let kind = response.header("content-type");
        assert_eq!((response.status, kind), (status, "text/plain; charset=utf-8"), "{target}");
    }
    let client = site.client();
    let head = client.send("HEAD", "/ar-sa/%zz", &[], "").await;
    let length = client.get("/ar-sa/%zz").await.body.len().to_string();
    assert!(head.body.is_empty() && head.header("content-length") == length);
    assert_eq!(panics(), 0);
}

#[tokio::test]
async fn unknown_ids_have_the_specified_error_codes() {
    let client = Site::shared().await.client();
    for (call, status, code) in [
        ("/api/news/content/detail?id=999999", 404, 20_390_030),
        ("/api/news/content/detail?id=18446744073709551615", 404, 20_390_030),
        ("/api/news/content/detail?id=18446744073709551616", 400, 10_000_003),
        ("/api/news/content/detail?id=1e3", 400, 10_000_003),
        ("/api/news/content/detail", 400, 10_000_003),
        ("/api/news/content/info/list?size=-1", 400, 10_000_003),
        ("/api/news/content/info/list?size=99999999999", 400, 10_000_003),
        ("/api/news/content/info/list?cursor=%00", 400, 10_000_003),
        ("/api/news/content/info/list?market=mars", 400, 10_000_003),
    ] {
        let response = client.get(call).await;
        assert_eq!(
            (response.status, response.json()["code"].as_u64()),
            (status, Some(code)),
            "{call}"
        );
    }
}

#[tokio::test]
async fn oversized_bodies_are_rejected() {
    let site = Site::shared().await;
    let client = site.client();
    let call = "/api/news/content/info/list";
    let json = [("content-type", "application/json")];
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let deep =
        |depth: usize| format!("{{\"x\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let large = "x".repeat((64 << 10) + 1);
    type Case<'a> = (&'a [(&'a str, &'a str)], String, u16);
    let cases: [Case<'_>; 11] = [
        (&json, deep(32), 200),
        (&json, deep(33), 400),
        (&json, "[".repeat(60_000), 400),
        (&json, "{\"a\":".repeat(10_000), 400),
        (&json, "{".to_owned(), 400),
        (&json, "[]".to_owned(), 400),
        (&json, "\u{0}".to_owned(), 400),
        (&json, large.clone(), 413),
        (&form, format!("x={large}"), 413),
        (&[("content-type", "text/xml")], "<a/>".to_owned(), 415),
        (&[], "size=1".to_owned(), 415),
    ];
    for (headers, body, status) in cases {
        let shown = body[..body.len().min(20)].to_owned();
        let response = client.send("POST", call, headers, body).await;
        assert_eq!(response.status, status, "{shown}");
        let code = if status == 200 { 10_000_000 } else { 10_000_003 };
        assert_eq!(response.json()["code"].as_u64(), Some(code), "{shown}");
    }
    // An endless body without length.
    let mut endless = format!(
        "POST {call} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n"
    );
    for _ in 0..80 {
        endless.push_str(&format!("400\r\n{}\r\n", " ".repeat(0x400)));
    }
    assert_eq!(send(site, endless).await.unwrap().status, 413);
    let head = "content-type: application/json\r\ncontent-length: 8000000\r\nconnection: close";
    let mut announced = format!("POST {call} HTTP/1.1\r\nhost: x\r\n{head}\r\n\r\n").into_bytes();
    announced.resize(announced.len() + 8_000_000, b' ');
    assert_eq!(send(site, announced).await.unwrap().status, 413);
    assert_eq!(panics(), 0);
}

#[tokio::test]
async fn connection_close_is_sent_after_a_rejected_body() {
    let site = Site::shared().await;
    let call = "POST /api/news/content/info/list HTTP/1.1\r\nhost: x\r\n";
    let large = "x".repeat(100 << 10);
    let chunked = "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for (what, request, status) in [
        (
            "announced",
            format!(
                "{call}content-type: application/json\r\ncontent-length: 102400\r\n\r\n{large}"
            ),
            413,
        ),
        (
            "other type",
            format!("{call}content-type: text/xml\r\ncontent-length: 102400\r\n\r\n{large}"),
            415,
        ),
        ("bad chunk", format!("{call}{chunked}zz\r\n"), 400),
        (
            "too slow",
            format!("{call}content-type: application/json\r\ncontent-length: 10\r\n\r\n{{"),
            408,
        ),
    ] {
        // The server closes the connection although no request requires that.
        let response = send(site, request).await.unwrap_or_else(|| panic!("{what}: no response"));
        assert_eq!(response.status, status, "{what}");
        assert_eq!(response.headers["connection"], "close", "{what}");
        assert_eq!(response.json()["code"].as_u64(), Some(10_000_003), "{what}");
    }
}

#[tokio::test]
async fn oversized_heads_are_rejected() {
    let site = Site::shared().await;
    let many = (0..1_000).map(|at| format!("x-{at}: {}\r\n", "y".repeat(60))).collect::<String>();
    let one = format!("x-long: {}\r\n", "y".repeat(64 << 10));
    let small = (0..200).map(|at| format!("x-{at}: y\r\n")).collect::<String>();
    let huge = format!("x-long: {}\r\n", "y".repeat(1 << 20));
    for (what, headers) in [("many", &many), ("one", &one), ("small", &small), ("huge", &huge)] {
        for target in ["/en-us/news", "/api/news/tab/list", "/robots.txt"] {
            let response = get(site, target, headers).await;
            assert_eq!(response.status, 431, "{what} {target}");
            assert_eq!(response.headers["connection"], "close", "{what} {target}");
            assert!(!response.body.is_empty(), "{what} {target}: an empty body");
            if target.starts_with("/api/") {
                assert_eq!(response.json()["code"].as_u64(), Some(10_000_003), "{what}");
            }
        }
    }
    // A target larger than the buffer, and bytes that are not HTTP.
    let long = format!("/api/news/tab/list?x={}", "y".repeat(100 << 10));
    let response = get(site, &long, "").await;
    assert_eq!((response.status, response.json()["code"].as_u64()), (431, Some(10_000_003)));
    let response = send(site, "GET /api/x HTTP/1.1\r\nhost x\r\n\r\n").await.unwrap();
    assert_eq!((response.status, response.json()["code"].as_u64()), (400, Some(10_000_003)));
    assert_eq!(response.headers["connection"], "close");
    let fits = format!("x-long: {}\r\n", "y".repeat(31 << 10));
    assert_eq!(get(site, "/en-us/news", &fits).await.status, 200);
    assert_eq!(panics(), 0);
}

#[tokio::test]
async fn malformed_http_is_rejected() {
    let site = Site::shared().await;
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET /a b HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ] {
        let response =
            send(site, bytes).await.unwrap_or_else(|| panic!("no response to {bytes:?}"));
        assert!((400..500).contains(&response.status), "{bytes:?}: {}", response.status);
    }
    // Other forms of request targets.
    let end = "host: evil.test\r\nconnection: close\r\n\r\n";
    for (line, status) in [
        ("GET http://evil.test/en-us/news", 200),
        ("OPTIONS *", 405),
        ("GET *", 404),
        ("CONNECT evil.test:443", 405),
        ("GET evil.test:443", 404),
    ] {
        let response = send(site, format!("{line} HTTP/1.1\r\n{end}")).await.unwrap();
        assert_eq!(response.status, status, "{line}");
        assert!(!String::from_utf8_lossy(&response.body).contains("evil.test"), "{line}");
    }
    // A missing or repeated `Host`, on which parsers could differ.
    for target in ["/en-us/news", "/_data/en-us/news", "/robots.txt", "/api/news/tab/list"] {
        for (version, hosts, status) in [
            ("1.1", "", 400),
            ("1.1", "host: a\r\nhost: b\r\n", 400),
            ("1.1", "host: a\r\nHost: a\r\n", 400),
            ("1.0", "host: a\r\nhost: b\r\n", 400),
            ("1.1", "host:\r\n", 200),
            ("1.0", "", 200),
        ] {
            let request =
                format!("GET {target} HTTP/{version}\r\n{hosts}connection: close\r\n\r\n");
            let response = send(site, request).await.unwrap();
            assert_eq!(response.status, status, "{target} {version} {hosts}");
            // Visitors get an error page in their locale, other clients the reason.
            if status == 400 && !target.starts_with("/en-us") {
                let text = String::from_utf8_lossy(&response.body);
                assert!(text.contains("host header"), "{target} {version} {hosts}: {text}");
            }
        }
    }
    // Arbitrary values of headers that the site reads.
    for header in [
        "accept-encoding: br;q=nonsense, ,,;q=2",
        "if-none-match: \"",
        "if-none-match: ,,,\"a\",W/,*",
        "cookie: =;;lang=%zz; lang",
        "user-agent: \u{1}",
        "sec-ch-prefers-color-scheme: \"\"",
        "traceparent: 00-zz-zz-zz",
        "x-build: ",
        "range: bytes=9-1",
    ] {
        for target in ["/en-us/news", "/_data/en-us/news", "/robots.txt", "/api/news/tab/list"] {
            let response = get(site, target, &format!("{header}\r\n")).await;
            assert!(response.status < 500, "{header} {target}");
        }
    }
    assert_eq!(panics(), 0);
}

/// URLs that resemble existing ones, and arbitrary ones.
fn targets() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "",
        "/",
        "/en-us",
        "/ar-sa",
        "/AR_sa",
        "/fr-fr",
        "/_data",
        "/_data/en-us",
        "/api",
        "/assets",
        "/media",
        "/sitemap",
        "/robots",
        "/.well-known",
        "/api/news/content",
        "/api/config/rest",
    ]);
    let part = prop_oneof![
        prop::sample::select(vec![
            "/news",
            "/us",
            "/content",
            "/1001",
            "/2015",
            "/notFound",
            "/detail",
            "/info/list",
            "/list",
            "/",
            "//",
            "/..",
            "/.",
            "/%2e%2e",
            "/%zz",
            "/%",
            "/%ff",
            "/%00",
            ".xml",
            ".txt",
            ".html",
        ])
        .prop_map(str::to_owned),
        "/[!-~&&[^?#]]{0,12}",
        "/(%[0-9a-f]{2}){1,4}",
    ];
    let value = prop_oneof![
        "[!-~&&[^#]]{0,16}",
        "[0-9]{1,22}",
        "(%[0-9A-F]{2}){1,3}",
        Just("ar".to_owned())
    ];
    let name = prop::sample::select(vec![
        "tab",
        "cursor",
        "lang",
        "_lang",
        "id",
        "size",
        "market",
        "keys",
        "contentIds",
        "x",
        "",
        "%",
    ]);
    let pair = (name, value).prop_map(|(name, value)| format!("{name}={value}"));
    (start, prop::collection::vec(part, 0..4), prop::collection::vec(pair, 0..4)).prop_map(
        |(start, parts, pairs)| {
            let mut target = format!("{start}{}", parts.concat());
            if !target.starts_with('/') {
                target.insert(0, '/');
            }
            if !pairs.is_empty() {
                target = format!("{target}?{}", pairs.join("&"));
            }
            target
        },
    )
}

#[test]
fn arbitrary_urls_never_cause_5xx() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let site = runtime.block_on(Site::shared());
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let tried = runner.run(&targets(), |target| {
        let response = runtime.block_on(get(site, &target, ""));
        prop_assert!(response.status < 500, "{target}: {}", response.status);
        prop_assert!(
            [200, 301, 302, 304, 400, 404, 405].contains(&response.status),
            "{target}: {}",
            response.status
        );
        if response.status / 100 == 3 {
            let location = response.header("location");
            prop_assert!(location.starts_with('/') && !location.starts_with("//"), "{target}");
        }
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{failure}");
    }
    assert_eq!(panics(), 0);
}
