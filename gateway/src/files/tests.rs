//! Files from a build on disk, the real content service and real Redis.

#![allow(clippy::unwrap_used)]

use std::{fs, path::Path, sync::Arc, time::Duration};

use axum::body::Body;
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use redis::aio::MultiplexedConnection;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_proto::content::v1::{ListArticlesRequest, news_service_client::NewsServiceClient};
use sahm_testkit::Redis;

use super::Files;
use crate::{Services, limits::Limits, redis_connection, routes::RouteTable};

/// Waits by polling until a condition holds.
async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, wait).await.unwrap_or_else(|_| panic!("{what}: not in time"));
}

/// Session keys, which sites with a common Redis share.
const KEYS: (&str, &str) = ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef");

/// Writes a build with one asset of this name, icons, and a page that must not be served.
fn build(folder: &Path, asset: &str) {
    let client = folder.join("client");
    fs::create_dir_all(client.join("assets")).unwrap();
    let assets = client.join("assets");
    fs::write(assets.join(asset), format!("console.log('{asset}')")).unwrap();
    fs::write(assets.join(format!("{asset}.br")), "BR").unwrap();
    fs::write(assets.join(format!("{asset}.gz")), "GZ").unwrap();
    fs::write(client.join("favicon.ico"), "icon").unwrap();
    fs::write(client.join("manifest.webmanifest"), "{}").unwrap();
    fs::write(client.join("robots.txt"), "not this one").unwrap();
    fs::write(client.join("index.html"), "not this one").unwrap();
}

struct Site {
    files: Files,
    context: Context,
    folder: tempfile::TempDir,
}

impl Site {
    async fn start(asset: &str, extra: &[(&str, &str)]) -> Self {
        Self::with_services(asset, extra, |_| Services::new([])).await
    }

    async fn with_content(extra: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let context = context(folder.path(), extra);
        let content = sahm_content::Content::start(&context, Clock::system()).await.unwrap();
        let services = Services::new([(ServiceName::Content, Transport::local(content.routes))]);
        Self::finish(folder, context, services, "a-1.js").await
    }

    async fn with_services(
        asset: &str,
        extra: &[(&str, &str)],
        services: impl FnOnce(&Context) -> Services,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let context = context(folder.path(), extra);
        let services = services(&context);
        Self::finish(folder, context, services, asset).await
    }

    async fn finish(
        folder: tempfile::TempDir,
        context: Context,
        services: Services,
        asset: &str,
    ) -> Self {
        build(folder.path(), asset);
        let routes = RouteTable::built_in().unwrap();
        let redis = context.settings.redis.as_ref();
        let redis = redis.map(|redis| Arc::new(redis_connection::Redis::new(redis).unwrap()));
        if let Some(redis) = &redis {
            context.lifecycle.spawn_until_drain("redis connection", redis.clone().run());
        }
        let files = Files::load(&context, &services, &routes, redis, Limits::off());
        let files = files.await.unwrap();
        Self { files, context, folder }
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Option<Response> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        match self.files.handle(&parts).await {
            Some(response) => Some(Response::of(response).await),
            None => None,
        }
    }

    async fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[]).await.unwrap()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

fn context(folder: &Path, extra: &[(&str, &str)]) -> Context {
    let pairs = [
        ("SAHM_DATA_DIR", folder.join("data").display().to_string()),
        ("SAHM_SITE_DIR", folder.display().to_string()),
        ("SAHM_PUBLIC_URL", "https://www.sahm.test".to_owned()),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value)).into_iter();
    let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Context::new(Settings::from_pairs(Process::Site, pairs.chain(extra)).unwrap())
}

struct Response {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Response {
    async fn of(response: http::Response<Body>) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let body = String::from_utf8_lossy(&body).into_owned();
        Self { status: parts.status, headers: parts.headers, body }
    }

    fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A connection that reads and changes what sites store in Redis.
async fn connect(redis: &Redis) -> MultiplexedConnection {
    let client = redis::Client::open(redis.url()).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

/// Sets fields of an asset in Redis.
async fn set(redis: &mut MultiplexedConnection, asset: &str, fields: &[(&str, &[u8])]) {
    let mut set = redis::cmd("HSET");
    set.arg(format!("sahm:asset:{asset}")).arg(fields);
    set.query_async::<()>(redis).await.unwrap();
}

#[tokio::test]
async fn assets_are_immutable_with_negotiated_coding() {
    let site = Site::start("a-1.js", &[]).await;
    let cases = [
        ("", "", "console.log('a-1.js')"),
        ("br", "br", "BR"),
        ("gzip", "gzip", "GZ"),
        ("br;q=0, gzip;q=0.5", "gzip", "GZ"),
    ];
    let mut tags = Vec::new();
    for (accept, coding, body) in cases {
        let headers = [("accept-encoding", accept)];
        let response = site.send("GET", "/assets/a-1.js", &headers).await.unwrap();
        assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, body));
        assert_eq!(response.header(header::CONTENT_ENCODING), coding);
        assert_eq!(response.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(response.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
        assert_eq!(response.header(header::VARY), "accept-encoding");
        assert_eq!(response.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        let tag = response.header(header::ETAG).to_owned();
        let again = [("accept-encoding", accept), ("if-none-match", tag.as_str())];
        let again = site.send("GET", "/assets/a-1.js", &again).await.unwrap();
        assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(again.header(header::ETAG), tag);
        let head = site.send("HEAD", "/assets/a-1.js", &headers).await.unwrap();
        assert_eq!(head.header(header::CONTENT_LENGTH), body.len().to_string());
        assert!(head.body.is_empty());
        tags.push(tag);
    }
    tags.dedup();
    assert_eq!(tags.len(), 3, "each coding has its own tag");
}

#[tokio::test]
async fn missing_files_are_404_and_page_paths_are_not_handled() {
    let site = Site::start("a-1.js", &[]).await;
    for path in
        ["/assets/b-2.js", "/assets/", "/assets/../site.json", "/assets/a-1.js/x", "/media/x"]
    {
        let response = site.get(path).await;
        assert_eq!(
            (response.status, response.body.as_str()),
            (StatusCode::NOT_FOUND, "not found\n")
        );
        assert_eq!(response.header(header::CACHE_CONTROL), "no-store", "{path}");
    }
    for path in ["/", "/news", "/en-us/favicon.ico", "/index.html", "/site.json", "/nothing.txt"] {
        assert!(site.send("GET", path, &[]).await.is_none(), "{path}");
    }
    let posted = site.send("POST", "/assets/a-1.js", &[]).await.unwrap();
    assert_eq!(posted.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(posted.header(header::ALLOW), "GET, HEAD");
}

#[tokio::test]
async fn root_files_and_status_are_served() {
    let site = Site::start("a-1.js", &[]).await;
    let icon = site.get("/favicon.ico").await;
    assert_eq!((icon.body.as_str(), icon.header(header::CONTENT_TYPE)), ("icon", "image/x-icon"));
    let manifest = site.get("/manifest.webmanifest").await;
    assert_eq!(manifest.header(header::CONTENT_TYPE), "application/manifest+json");
    let metrics =
        serde_json::from_str::<serde_json::Value>(&site.get("/metrics").await.body).unwrap();
    assert_eq!((&metrics["status"], &metrics["env"]), (&"success".into(), &"dev".into()));
    assert!(metrics["time"].as_u64().unwrap() > 1_700_000_000 && metrics["project"].is_string());
    assert_eq!(site.get("/mvc_moni/status").await.body, r#"{"status":"success"}"#);
    let contact = site.get("/.well-known/security.txt").await;
    assert!(contact.body.contains("Contact: https://www.sahm.test/"));
    let expires = contact.body.lines().find_map(|line| line.strip_prefix("Expires: ")).unwrap();
    assert!(expires.parse::<jiff::Timestamp>().unwrap() > jiff::Timestamp::now());
}

#[tokio::test]
async fn operator_files_take_precedence_over_built_in_files() {
    let laid = tempfile::tempdir().unwrap();
    for (name, body) in [
        ("apple-app-site-association", "{\"mine\":1}"),
        ("google12.html", "google-site-verification: google12.html"),
        ("robots-ar.txt", "User-agent: *\nAllow: /ar-sa\n"),
        ("BingSiteAuth.xml", "<users/>"),
        ("secret.key", "never"),
    ] {
        fs::write(laid.path().join(name), body).unwrap();
    }
    let folder = laid.path().display().to_string();
    let site = Site::start("a-1.js", &[("SAHM_FILES_DIR", &folder)]).await;
    for path in ["/apple-app-site-association", "/.well-known/apple-app-site-association"] {
        let response = site.get(path).await;
        assert_eq!(response.body, "{\"mine\":1}");
        assert_eq!(response.header(header::CONTENT_TYPE), "application/json");
    }
    assert_eq!(site.get("/.well-known/assetlinks.json").await.body, "[]\n");
    assert!(site.get("/google12.html").await.body.starts_with("google-site-verification"));
    assert_eq!(site.get("/BingSiteAuth.xml").await.body, "<users/>");
    for missing in ["/google13.html", "/yandex_x.html", "/baidu_verify_x.html", "/naverx.html"] {
        let response = site.get(missing).await;
        assert_eq!(response.status, StatusCode::OK);
        let name = missing.trim_start_matches('/').trim_end_matches(".html");
        assert!(response.body.starts_with("<!--") && !response.body.contains(name), "{missing}");
    }
    assert!(site.send("GET", "/secret.key", &[]).await.is_none());
    // Outside production, nothing is indexed, whatever the files say.
    for path in ["/robots.txt", "/robots-ar.txt"] {
        assert_eq!(site.get(path).await.body, "User-agent: *\nDisallow: /\n", "{path}");
    }
    assert_eq!(site.get("/robots-en.txt").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn built_in_files_are_served_without_operator_files() {
    let site = Site::start("a-1.js", &[]).await;
    let association = site.get("/apple-app-site-association").await;
    assert!(serde_json::from_str::<serde_json::Value>(&association.body).is_ok());
    assert_eq!(site.get("/BingSiteAuth.xml").await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get("/google1.html").await.status, StatusCode::OK);
    assert_eq!(site.get("/robots.txt").await.body, "User-agent: *\nDisallow: /\n");
}

#[tokio::test]
async fn robots_allow_indexing_in_production() {
    let keys = "0123456789abcdef0123456789abcdef";
    let tokens = "gateway=0123456789abcdef";
    let site = Site::start(
        "a-1.js",
        &[("SAHM_ENV", "prod"), ("SAHM_SESSION_KEYS", keys), ("SAHM_CALLER_TOKENS", tokens)],
    )
    .await;
    let robots = site.get("/robots.txt").await.body;
    assert!(robots.contains("Sitemap: https://www.sahm.test/sitemap.xml"), "{robots}");
    assert!(!robots.contains("Disallow: /\n"), "{robots}");
}

#[tokio::test]
async fn media_and_sitemaps_come_from_content() {
    let site = Site::with_content(&[]).await;
    let index = site.get("/sitemap.xml").await;
    assert_eq!(index.header(header::CONTENT_TYPE), "application/xml; charset=utf-8");
    assert_eq!(index.header(header::CACHE_CONTROL), "no-cache");
    let mut articles = 0;
    let parts = index.body.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap());
    for part in parts {
        let path = part.strip_prefix("https://www.sahm.test").unwrap();
        let response = site.get(path).await;
        assert_eq!(response.status, StatusCode::OK, "{path}");
        articles += response.body.matches("/news/content/").count();
        for line in response.body.lines().filter(|line| line.starts_with("<url>")) {
            let prefixed = ["/en-us", "/ar-sa"].iter().any(|prefix| {
                line.starts_with(&format!("<url><loc>https://www.sahm.test{prefix}"))
            });
            assert!(prefixed, "{line}");
        }
    }
    assert!(articles > 40, "{articles}");
    assert_eq!(site.get("/sitemap-news-99.xml").await.status, StatusCode::NOT_FOUND);

    let content = sahm_content::Content::start(&site.context, Clock::system()).await.unwrap();
    let mut client = NewsServiceClient::new(Transport::local(content.routes));
    let request = ListArticlesRequest::default();
    let items = client.list_articles(request).await.unwrap().into_inner().items;
    let path = &items.iter().find_map(|item| item.image.as_ref()).unwrap().path;
    let picture = site.get(path).await;
    assert_eq!(picture.status, StatusCode::OK, "{path}");
    assert_eq!(picture.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    assert_eq!(
        picture.header(header::CONTENT_SECURITY_POLICY),
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    );
    let tag = picture.header(header::ETAG);
    let again = site.send("GET", path, &[("if-none-match", tag)]).await.unwrap();
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    assert_eq!(site.get("/media/0000000000000000.svg").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn unavailable_content_is_503_with_retry_after() {
    let site = Site::with_services("a-1.js", &[], |context| {
        let nowhere = Transport::connect("http://127.0.0.1:9", context);
        Services::new([(ServiceName::Content, nowhere)])
    })
    .await;
    for path in ["/sitemap.xml", "/sitemap-news-1.xml", "/media/0123456789abcdef.svg"] {
        let response = site.get(path).await;
        assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert!(!response.header(header::RETRY_AFTER).is_empty(), "{path}");
    }
}

#[tokio::test]
async fn builds_share_their_assets_through_redis() {
    let redis = Redis::start().await.unwrap();
    let url = redis.url();
    let old = Site::start("old-1.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let new = Site::start("new-2.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    for (site, path, body) in [
        (&new, "/assets/old-1.js", "console.log('old-1.js')"),
        (&old, "/assets/new-2.js", "console.log('new-2.js')"),
    ] {
        let response = site.get(path).await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, body));
        assert_eq!(response.header(header::CONTENT_TYPE), "text/javascript; charset=utf-8");
        let packed = site.send("GET", path, &[("accept-encoding", "br")]).await.unwrap();
        assert_eq!((packed.body.as_str(), packed.header(header::CONTENT_ENCODING)), ("BR", "br"));
    }
    assert_eq!(new.get("/assets/never-3.js").await.status, StatusCode::NOT_FOUND);

    let mut connection = connect(&redis).await;
    let mut keys =
        redis::cmd("KEYS").arg("*").query_async::<Vec<String>>(&mut connection).await.unwrap();
    // Written on each new connection, see `redis_connection.rs`.
    keys.retain(|key| key != "sahm:write-probe");
    assert_eq!(keys.len(), 3, "two assets and their names: {keys:?}");
    for key in keys {
        let left = redis::cmd("TTL").arg(&key).query_async::<i64>(&mut connection).await.unwrap();
        assert!((604_000..=604_800).contains(&left), "{key} {left}");
    }
}

#[tokio::test]
async fn assets_in_redis_without_a_valid_signature_are_ignored() {
    const FORGED: &str = "alert(1)";
    let redis = Redis::start().await.unwrap();
    let url = redis.url();
    let mut connection = connect(&redis).await;
    let _old = Site::start("old-1.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let mut read = redis::cmd("HGET");
    read.arg("sahm:asset:old-1.js").arg("mac");
    let genuine = read.query_async::<Vec<u8>>(&mut connection).await.unwrap();
    for (asset, body) in
        [("old-1.js", FORGED), ("unsigned-3.js", FORGED), ("moved-4.js", "console.log('old-1.js')")]
    {
        set(&mut connection, asset, &[("body", body.as_bytes())]).await;
    }
    let signed: [(&str, &[u8]); 3] = [("mac", &genuine), ("br", b"BR"), ("gzip", b"GZ")];
    set(&mut connection, "moved-4.js", &signed).await;
    let new = Site::start("new-2.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    for path in ["/assets/old-1.js", "/assets/unsigned-3.js", "/assets/moved-4.js"] {
        assert_eq!(new.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    // With its genuine body it is served.
    set(&mut connection, "old-1.js", &[("body", b"console.log('old-1.js')")]).await;
    assert_eq!(new.get("/assets/old-1.js").await.status, StatusCode::OK);
}

#[tokio::test]
async fn assets_without_a_signature_are_written_again_by_their_build() {
    let redis = Redis::start().await.unwrap();
    let url = redis.url();
    let mut connection = connect(&redis).await;
    set(&mut connection, "old-1.js", &[("body", b"alert(1)"), ("other", b"x")]).await;
    let _old = Site::start("old-1.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let new = Site::start("new-2.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    assert_eq!(new.get("/assets/old-1.js").await.body, "console.log('old-1.js')");
}

#[tokio::test]
async fn builds_share_their_assets_during_a_rotation_of_keys() {
    const OLD: &str = "old-key-of-the-test-0123456789-abcdef";
    const NEW: &str = "new-key-of-the-test-0123456789-abcdef";
    let redis = Redis::start().await.unwrap();
    let url = redis.url();
    let old_first = format!("{OLD},{NEW}");
    let new_first = format!("{NEW},{OLD}");
    // The steps of a rotation; in each, gateways of both steps serve.
    for (step, (before, after)) in
        [(OLD, &*old_first), (&*old_first, &*new_first), (&*new_first, NEW)].into_iter().enumerate()
    {
        let [one, other] = ["one", "other"].map(|build| format!("{build}-{step}.js"));
        let first = [("SAHM_REDIS_URL", &*url), ("SAHM_SESSION_KEYS", before)];
        let second = [("SAHM_REDIS_URL", &*url), ("SAHM_SESSION_KEYS", after)];
        let first = Site::start(&one, &first).await;
        let second = Site::start(&other, &second).await;
        for (site, asset) in [(&first, &other), (&second, &one)] {
            let response = site.get(&format!("/assets/{asset}")).await;
            assert_eq!(response.body, format!("console.log('{asset}')"), "step {step}");
        }
    }
}

#[tokio::test]
async fn assets_of_other_builds_are_prefetched() {
    let mut redis = Redis::start().await.unwrap();
    let url = redis.url();
    let old = Site::start("old-1.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let new = Site::start("new-2.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let connection = connect(&redis).await;
    let mut stats = redis::cmd("INFO");
    stats.arg("commandstats");
    let both_read = until("each reads the other's asset", async || {
        let mut connection = connection.clone();
        let stats = stats.query_async::<String>(&mut connection).await.unwrap();
        stats.contains("cmdstat_hgetall:calls=2,")
    });
    tokio::time::timeout(Duration::from_secs(10), both_read).await.unwrap();
    redis.kill();
    for (site, path) in [(&new, "/assets/old-1.js"), (&old, "/assets/new-2.js")] {
        let found = until(path, async || site.get(path).await.status == StatusCode::OK);
        tokio::time::timeout(Duration::from_secs(5), found).await.unwrap();
    }
}

#[tokio::test]
async fn assets_are_published_when_redis_becomes_available() {
    let mut redis = Redis::start().await.unwrap();
    let url = redis.url();
    redis.kill();
    let begun = std::time::Instant::now();
    let old = Site::start("old-1.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    assert!(begun.elapsed() < Duration::from_secs(3), "the start does not wait for redis");
    assert_eq!(old.get("/assets/old-1.js").await.status, StatusCode::OK);
    let begun = std::time::Instant::now();
    assert_eq!(old.get("/assets/other-2.js").await.status, StatusCode::NOT_FOUND);
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    redis.restart().await.unwrap();
    let new = Site::start("new-2.js", &[("SAHM_REDIS_URL", &url), KEYS]).await;
    let found = until("the old build's asset", async || {
        new.get("/assets/old-1.js").await.status == StatusCode::OK
    });
    tokio::time::timeout(Duration::from_secs(10), found).await.unwrap();
    assert!(old.folder.path().exists());
}
