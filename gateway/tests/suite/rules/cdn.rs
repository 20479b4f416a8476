//! CDN mode (docs/operations/cdn.md): what a CDN may store, request by request.

use std::sync::{Arc, Mutex};

use axum::body::Body;
use sahm_proto::{
    config::v1::{ConfigItem, SetSwitchRequest, SetWebConfigRequest},
    options::v1::Feature,
};

use crate::{
    rules::kit::{APP, PC, PHONE, Response, Site, serve},
    wait::until,
};

const BOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const VARY: &str = "accept-encoding, cookie, user-agent, sec-ch-prefers-color-scheme";
const PAGE: &str = "/en-us/about";

struct Row {
    path: &'static str,
    agent: &'static str,
    variant: &'static str,
    cookie: &'static str,
    status: u16,
    is_shared: bool,
}

const SHARED: Row =
    Row { path: PAGE, agent: PC, variant: "en-us:pc", cookie: "", status: 200, is_shared: true };
const PRIVATE: Row = Row { is_shared: false, ..SHARED };

const ROWS: [Row; 14] = [
    SHARED,
    Row { agent: PHONE, variant: "en-us:mobile", ..SHARED },
    Row { agent: BOT, ..SHARED },
    Row { path: "/about", cookie: "vid=x; lang=ar-sa", variant: "ar-sa:pc", ..SHARED },
    Row { path: "/en-us/about?utm_source=x", ..SHARED },
    Row { variant: "", ..PRIVATE },
    Row { agent: PHONE, ..PRIVATE },
    Row { agent: APP, variant: "en-us:app", ..PRIVATE },
    Row { cookie: "sahm_session=forged", ..PRIVATE },
    Row { path: "/en-us/about?_pid=p1", ..PRIVATE },
    Row { path: "/about?lang=en", ..PRIVATE },
    Row { path: "/_data/en-us/about", ..PRIVATE },
    Row { path: "/no/such/page", status: 404, ..PRIVATE },
    Row { path: "/ar-SA/about", status: 301, ..PRIVATE },
];

async fn get(site: &Site, row: &Row) -> Response {
    let headers =
        [("user-agent", row.agent), ("x-page-variant", row.variant), ("cookie", row.cookie)];
    let headers = headers.into_iter().filter(|(_, value)| !value.is_empty()).collect::<Vec<_>>();
    site.get(row.path, &headers).await
}

fn assert_scope(response: &Response, row: &Row, is_shared: bool) {
    let what = format!("{} {} {} {}", row.path, row.agent, row.variant, row.cookie);
    assert_eq!(response.status, row.status, "{what}");
    let control = response.header("cache-control");
    assert!(["private, no-cache", "no-store"].contains(&control), "{what}: {control}");
    assert_eq!(response.headers.contains_key("cdn-cache-control"), is_shared, "{what}");
    assert_eq!(response.headers.contains_key("surrogate-key"), is_shared, "{what}");
    let vary = if is_shared { "accept-encoding, x-page-variant" } else { VARY };
    assert_eq!(response.header("vary"), vary, "{what}");
    if is_shared {
        assert_eq!(response.cookies(), Vec::<&str>::new(), "{what}");
        let directives = "max-age=300, stale-while-revalidate=60";
        assert_eq!(response.header("cdn-cache-control"), directives, "{what}");
        let tags = response.header("surrogate-key").split(' ').collect::<Vec<_>>();
        assert!(tags.contains(&"page:all"), "{what}: {tags:?}");
    }
}

#[tokio::test]
async fn cdn_may_store_pages_that_depend_only_on_url_and_variant() {
    let (cdn, _server) =
        serve(async |_| http::Response::builder().status(204).body(Body::empty()).unwrap()).await;
    let site = Site::start(&[("SAHM_CDN_PURGE_URL", &format!("http://{cdn}/purge"))]).await;
    let plain = Site::start(&[]).await;
    // Built, served from the page cache, and served by the fast path.
    for _ in 0..3 {
        for row in &ROWS {
            assert_scope(&get(&site, row).await, row, row.is_shared);
            assert_scope(&get(&plain, row).await, row, false);
        }
    }
    // One stored entry serves both within a second, and revalidations.
    for row in [
        SHARED,
        Row { cookie: "sahm_session=forged", ..PRIVATE },
        SHARED,
        Row { variant: "", ..PRIVATE },
    ] {
        let response = get(&site, &row).await;
        assert_scope(&response, &row, row.is_shared);
        assert_eq!(response.header("x-page-cache"), "hit");
        assert_eq!(response.cookies().is_empty(), row.is_shared);
    }
    let etag = get(&site, &SHARED).await.header("etag").to_owned();
    let headers =
        [("user-agent", PC), ("x-page-variant", "en-us:pc"), ("if-none-match", etag.as_str())];
    let same = site.get(PAGE, &headers).await;
    assert_scope(&same, &Row { status: 304, ..SHARED }, true);
}

#[tokio::test]
async fn maintenance_and_another_security_policy_purge_all_pages_from_the_cdn() {
    enum Change {
        Maintenance,
        SecurityPolicy,
    }
    for change in [Change::Maintenance, Change::SecurityPolicy] {
        let purged = Arc::<Mutex<Vec<String>>>::default();
        let received = purged.clone();
        let (cdn, _server) = serve(move |request| {
            let tags = request.headers()["surrogate-key"].to_str().unwrap().to_owned();
            received.lock().unwrap().push(tags);
            async { http::Response::builder().status(204).body(Body::empty()).unwrap() }
        })
        .await;
        let site = Site::start(&[("SAHM_CDN_PURGE_URL", &format!("http://{cdn}/purge"))]).await;
        let mut config = site.config.clone();
        let item = |key: &str| {
            let (key, value) = (key.to_owned(), "x".to_owned());
            SetWebConfigRequest { items: vec![ConfigItem { key, value, ..ConfigItem::default() }] }
        };
        let are_all_purged = || purged.lock().unwrap().iter().any(|tags| tags.contains("page:all"));

        // Pages that show the item have its tag.
        config.set_web_config(item("OTHER")).await.unwrap();
        until("a purge", async || !purged.lock().unwrap().is_empty()).await;
        assert!(!are_all_purged(), "{:?}", purged.lock().unwrap());

        match change {
            Change::Maintenance => {
                let off = SetSwitchRequest {
                    feature: Feature::Site.into(),
                    off: true,
                    operator: "operator".to_owned(),
                    reason: "test".to_owned(),
                    ..SetSwitchRequest::default()
                };
                config.set_switch(off).await.unwrap();
            }
            Change::SecurityPolicy => {
                config.set_web_config(item("RECAPTCHA_SITE_KEY")).await.unwrap();
            }
        }
        until("the purge of all pages", async || are_all_purged()).await;
    }
}
