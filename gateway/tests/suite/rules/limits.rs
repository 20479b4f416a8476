//! Rate limits and concurrency limits (docs/limits-and-timeouts.md).

use std::time::{Duration, Instant};

use axum::body::Body;
use futures_util::future::join_all;
use sahm_testkit::Redis;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    rules::kit::{Response, Site, serve},
    wait::until,
};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
/// A call of the rate class `Other`; its invalid parameters are checked after the rate limit.
const OTHER: &str = "/api/news/like/operate";

fn forwarded(address: &str) -> [(&str, &str); 2] {
    [FORM, ("x-forwarded-for", address)]
}

/// Asserts that a rejection is an error page in this locale with a link home, or one line of text.
fn assert_is_page(refused: &Response, lang: Option<&str>) {
    let text = std::str::from_utf8(&refused.body).unwrap();
    let kind =
        if lang.is_some() { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
    assert_eq!(refused.header("content-type"), kind, "{text}");
    let Some(lang) = lang else { return };
    let home = format!("<a href=\"/{}\">h</a>", lang.to_ascii_lowercase());
    assert!(text.contains(&format!("<html lang=\"{lang}\"")) && text.contains(&home), "{text}");
    assert_eq!((refused.header("x-page-cache"), text.matches("<main>").count()), ("bypass", 1));
    assert!(!refused.header("content-security-policy").is_empty());
}

const PROXY: (&str, &str) = ("SAHM_TRUSTED_PROXIES", "127.0.0.1");

/// Sends concurrent requests until one is rejected or about `most` are served; returns the number of served requests and
/// the rejection.
async fn send_until_rejected(
    site: &Site,
    path: &str,
    address: &str,
    most: usize,
) -> (usize, Option<Response>) {
    const AT_ONCE: usize = 20;
    let method = if path.starts_with("/api/") { "POST" } else { "GET" };
    let headers = forwarded(address);
    let mut count = 0;
    while count < most {
        let requests = (0..AT_ONCE).map(|_| site.send(method, path, &headers, "x=1"));
        let responses = join_all(requests).await;
        count += responses.iter().filter(|response| response.status != 429).count();
        if let Some(refusal) = responses.into_iter().find(|response| response.status == 429) {
            return (count, Some(refusal));
        }
    }
    (count, None)
}

/// The rejection of a path, in which `{n}` is a new number, by an exhausted budget of misses. The budget recovers a little
/// meanwhile.
async fn rejected_miss(site: &Site, path: &str) -> Response {
    for number in 9_000_000_000_000_000_u64..9_000_000_000_000_050 {
        send_until_rejected(site, "/feature/x", "1.2.3.4", 20_000).await;
        let path = path.replace("{n}", &number.to_string());
        let response = site.get(&path, &forwarded("1.2.3.4")).await;
        if response.status == 429 {
            return response;
        }
    }
    panic!("{path} is not limited")
}

/// Whether an exhausted budget of the class `Other` granted its burst and ten requests per second.
fn is_one_budget(count: usize, began: Instant) -> bool {
    let back = began.elapsed().as_secs_f64() * 10.0;
    count >= 100 && count as f64 <= 101.0 + back
}

#[tokio::test]
async fn call_beyond_its_budget_gets_retry_after() {
    let site = Site::start(&[PROXY]).await;
    let began = Instant::now();
    let (count, refusal) = send_until_rejected(&site, OTHER, "1.2.3.4", 2_000).await;
    assert!(is_one_budget(count, began), "{count} {:?}", began.elapsed());
    let refusal = refusal.unwrap();
    assert_eq!(refusal.header("retry-after"), "1");
    let json = refusal.json();
    let code = json["code"].as_u64();
    assert_eq!((code, json["error"].as_str()), (Some(429), Some("too_many_requests")));
    assert!(!json["msg"].as_str().unwrap().is_empty() && json["data"].is_null());
    assert_eq!(refusal.header("cache-control"), "no-store");

    // Other classes, other addresses and requests rejected earlier are not affected.
    for (method, path, address, status) in [
        ("POST", "/api/news/tab/list", "1.2.3.4", 200),
        ("POST", "/api/log/report", "1.2.3.4", 400),
        ("POST", OTHER, "1.2.3.5", 400),
        ("PUT", OTHER, "1.2.3.4", 405),
        ("GET", "/en-us/news", "1.2.3.4", 200),
    ] {
        let response = site.send(method, path, &forwarded(address), "x=1").await;
        assert_eq!(response.status, status, "{method} {path} {address}");
    }
    // The budget recovers over time.
    until("the budget comes back", async || {
        site.send("POST", OTHER, &forwarded("1.2.3.4"), "x=1").await.status == 400
    })
    .await;
}

#[tokio::test]
async fn ipv6_network_shares_a_budget_and_untrusted_forwarding_is_ignored() {
    let site = Site::start(&[PROXY]).await;
    let began = Instant::now();
    let (first, _) = send_until_rejected(&site, OTHER, "2001:db8:0:1::1", 2_000).await;
    let (second, _) = send_until_rejected(&site, OTHER, "2001:db8:0:1:ffff::9", 2_000).await;
    assert!(is_one_budget(first + second, began), "{first} {second}");
    let (third, _) = send_until_rejected(&site, OTHER, "2001:db8:0:2::1", 2_000).await;
    assert!(third >= 100, "{third}");

    let site = Site::start(&[]).await;
    let began = Instant::now();
    let (first, _) = send_until_rejected(&site, OTHER, "1.2.3.4", 2_000).await;
    let (second, _) = send_until_rejected(&site, OTHER, "1.2.3.5", 2_000).await;
    assert!(is_one_budget(first + second, began), "{first} {second}");
}

#[tokio::test]
async fn only_misses_of_pages_are_rate_limited() {
    let (address, _app) = serve(async |_| http::Response::new(Body::from("app"))).await;
    let url = format!("http://{address}");
    let site = Site::start(&[PROXY, ("SAHM_FEATURE_URL", &url)]).await;
    assert_eq!(site.get("/en-us/news", &forwarded("1.2.3.5")).await.status, 200);
    // Proxied requests count as misses, and are faster than pages.
    let (count, refusal) = send_until_rejected(&site, "/feature/x", "1.2.3.4", 20_000).await;
    assert!(count >= 500, "{count}");
    assert!(!refusal.unwrap().header("retry-after").is_empty());

    for (path, kind) in [
        ("/en-us/news/content/{n}", Some("en-US")),
        ("/ar-sa/news?cursor={n}", Some("ar-SA")),
        ("/_data/news/content/{n}", None),
    ] {
        let refused = rejected_miss(&site, path).await;
        assert_eq!(refused.header("cache-control"), "no-store", "{path}");
        assert!(!refused.header("retry-after").is_empty());
        assert!(!refused.header("content-security-policy").is_empty());
        assert!(refused.cookies().is_empty(), "{:?}", refused.cookies());
        assert_is_page(&refused, kind);
    }
    let (count, _) = send_until_rejected(&site, "/en-us/news", "1.2.3.4", 700).await;
    assert_eq!(count, 700);
}

#[tokio::test]
async fn only_uncached_file_reads_are_rate_limited() {
    let (address, _app) = serve(async |_| http::Response::new(Body::from("app"))).await;
    let url = format!("http://{address}");
    let redis = Redis::start().await.unwrap();
    let store = redis.url();
    let site = Site::start(&[PROXY, ("SAHM_FEATURE_URL", &url), ("SAHM_REDIS_URL", &store)]).await;
    let page = site.get("/en-us/news/content/1001", &forwarded("1.2.3.5")).await;
    let page = String::from_utf8_lossy(&page.body).into_owned();
    let (_, rest) = page.split_once("\"path\":\"/media/").unwrap();
    let picture = format!("/media/{}", rest.split('"').next().unwrap());
    assert_eq!(site.get(&picture, &forwarded("1.2.3.5")).await.status, 200);

    for path in ["/media/{n}.svg", "/assets/none-{n}.js", "/sitemap.xml", "/sitemap-news-1.xml"] {
        let refused = rejected_miss(&site, path).await;
        assert_eq!(refused.header("cache-control"), "no-store", "{path}");
        assert!(!refused.header("retry-after").is_empty(), "{path}");
        let path = path.replace("{n}", "0123456789abcdef");
        let other = site.get(&path, &forwarded("1.2.3.5")).await;
        assert!([200, 404].contains(&other.status), "{path}: {}", other.status);
    }
    // Cached files do not count.
    send_until_rejected(&site, "/feature/x", "1.2.3.4", 20_000).await;
    for path in [&*picture, "/robots.txt", "/metrics"] {
        let (count, _) = send_until_rejected(&site, path, "1.2.3.4", 700).await;
        assert_eq!(count, 700, "{path}");
    }
}

#[tokio::test]
async fn gateways_share_budgets_in_redis_and_fall_back_to_local_ones() {
    let mut redis = Redis::start().await.unwrap();
    let url = redis.url();
    let settings = [PROXY, ("SAHM_REDIS_URL", &*url)];
    let (one, two) = (Site::start(&settings).await, Site::start(&settings).await);
    let began = Instant::now();
    let (first, _) = send_until_rejected(&one, OTHER, "1.2.3.4", 2_000).await;
    let (second, refusal) = send_until_rejected(&two, OTHER, "1.2.3.4", 2_000).await;
    assert!(is_one_budget(first + second, began), "{first} {second}");
    assert_eq!(refusal.unwrap().header("retry-after"), "1");

    redis.kill();
    let began = Instant::now();
    let (third, _) = send_until_rejected(&two, OTHER, "1.2.3.6", 2_000).await;
    assert!(is_one_budget(third, began), "{third}");
}

#[tokio::test]
async fn every_rate_limit_key_in_redis_expires() {
    let redis = Redis::start().await.unwrap();
    let url = redis.url();
    let site = Site::start(&[PROXY, ("SAHM_REDIS_URL", &url)]).await;
    send_until_rejected(&site, OTHER, "1.2.3.4", 400).await;
    send_until_rejected(&site, "/api/log/report", "2001:db8::1", 10).await;
    let client = redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let keys: Vec<String> =
        redis::cmd("KEYS").arg("sahm:limit:*").query_async(&mut connection).await.unwrap();
    assert!(!keys.is_empty());
    for key in keys {
        let left: i64 = redis::cmd("PTTL").arg(&key).query_async(&mut connection).await.unwrap();
        // A budget expires once it is full again: 60 new visitors at one per second.
        let longest = if key.contains(":new_visitors:") { 61_000 } else { 11_000 };
        // -2: it has just expired.
        assert!(left == -2 || (0..=longest).contains(&left), "{key} {left}");
    }
}

#[tokio::test]
async fn rate_limits_can_be_turned_off() {
    let site = Site::start(&[PROXY, ("SAHM_RATE_LIMITS", "off")]).await;
    assert_eq!(send_until_rejected(&site, OTHER, "1.2.3.4", 240).await.0, 240);
}

#[tokio::test]
async fn concurrent_requests_of_one_address_are_limited() {
    const PERMITS: usize = 512;
    let site = Site::start(&[]).await;
    let head = "POST /api/log/report HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\
        content-type: application/x-www-form-urlencoded\r\n\r\nmess";
    let hold = async || {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    };
    let mut held = join_all((0..PERMITS).map(|_| hold())).await;
    // All of these heads must have been read.
    let calls = async || site.get("/api/news/tab/list", &[]).await;
    let full = until("the limit", async || calls().await.status == 503);
    tokio::time::timeout(Duration::from_secs(4), full).await.unwrap();
    let refused = calls().await;
    assert_eq!((refused.header("retry-after"), refused.json()["code"].as_u64()), ("1", Some(503)));
    for (path, lang) in [
        ("/no/such/page", Some("en-US")),
        ("/ar-sa", Some("ar-SA")),
        ("/_data/ar-sa", None),
        ("/assets/a.js", None),
        ("/robots.txt", None),
    ] {
        let refused = site.get(path, &[]).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, "1"), "{path}");
        assert_is_page(&refused, lang);
    }

    for stream in &mut held {
        stream.write_all(b"age=x").await.unwrap();
    }
    for mut stream in held {
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
    }
    assert_eq!(calls().await.status, 200);
}

#[tokio::test]
async fn events_and_reports_are_limited_to_16_kb() {
    let site = Site::start(&[]).await;
    let body = |bytes: usize| format!("message={}", "a".repeat(bytes - "message=".len()));
    for (path, bytes, status) in [
        ("/api/log/report", 16 << 10, 200),
        ("/api/log/report", (16 << 10) + 1, 413),
        // There is no attribution service here; the size is checked first.
        ("/api/event-report/report", 16 << 10, 503),
        ("/api/event-report/report", (16 << 10) + 1, 413),
        ("/api/news/tab/list", 64 << 10, 200),
        ("/api/news/tab/list", (64 << 10) + 1, 413),
    ] {
        let response = site.send("POST", path, &[FORM], body(bytes)).await;
        assert_eq!(response.status, status, "{path} {bytes}");
        if status == 413 {
            let json = response.json();
            assert_eq!(json["code"].as_u64(), Some(10_000_003));
            assert!(json["data"]["fields"]["body"].as_str().unwrap().contains("KB"));
        }
    }
}

#[tokio::test]
async fn large_heads_of_one_address_are_limited() {
    const SHARE: usize = 128;
    let site = Site::start(&[]).await;
    let head = format!("GET /robots.txt HTTP/1.1\r\nhost: x\r\nx-long: {}", "y".repeat(16 << 10));
    let mut held = Vec::new();
    for _ in 0..SHARE + 32 {
        let mut stream = TcpStream::connect(site.address).await.unwrap();
        // A connection beyond the limit is closed during the write.
        let _ = stream.write_all(head.as_bytes()).await;
        held.push(stream);
    }
    let mut closed = 0;
    for stream in &mut held {
        let read = tokio::time::timeout(Duration::from_millis(20), stream.read(&mut [0; 1])).await;
        closed += usize::from(matches!(read, Ok(Ok(0) | Err(_))));
    }
    assert_eq!(closed, 32);
    // Small heads of the same address and large heads of another are served.
    assert_eq!(site.get("/robots.txt", &[]).await.status, 200);
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = socket.connect(site.address).await.unwrap();
    other.write_all(format!("{head}\r\nconnection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut response = String::new();
    other.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}
