//! Processes that are killed under load (docs/failures.md).

use std::time::{Duration, Instant};

use sahm_chassis::ServiceName;
use sahm_proto::{
    config::v1::{ConfigItem, SetSwitchRequest, SetWebConfigRequest},
    options::v1::Feature,
};
use sahm_testkit::{RedisWithSentinels, process::runs};

use crate::{
    kit::{Client, Form, Html, Load, Plan, Response, Site, agent, signal, until},
    pages::assert_sound,
    process::Sahm,
    purges::p99,
};

/// Time within which a recovered process is used again.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(5);
const STORED: [&str; 3] = ["/en-us", "/ar-sa/news", "/en-us/news/content/1001"];
/// Pages of a load: cached ones, and a search, which is built for each request.
const LOADED: [&str; 10] = [
    "/en-us",
    "/ar-sa",
    "/en-us/news",
    "/ar-sa/news",
    "/en-us/news/content/1001",
    "/en-us/news/content/1002",
    "/en-us/education",
    "/ar-sa/support",
    "/en-us/invest/us-stocks",
    "/en-us/support/search?keyword=fees",
];

/// Requests cached pages for some time; each must be served as usual.
async fn assert_stored_pages_served(client: &Client, during: Duration) {
    let began = Instant::now();
    while began.elapsed() < during {
        for path in STORED {
            let started = Instant::now();
            let response = client.get(path).await;
            assert_eq!((response.status, response.cache_status()), (200, "hit"), "{path}");
            assert!(started.elapsed() < Duration::from_secs(1), "{path}: {:?}", started.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn store_pages(client: &Client) {
    for path in STORED {
        client.until_stored(path).await;
    }
}

/// Asserts a shell: a complete head, and a notice without JavaScript.
pub(crate) fn assert_shell(response: &Response, lang: &str, page: &str, note: &str) {
    assert_eq!((response.status, response.cache_status()), (200, "bypass"));
    assert_eq!(response.header("cache-control"), "no-store");
    let html = Html::parse(response.text());
    assert_sound(&html);
    let root = html.one("html");
    assert_eq!((root.get("lang"), root.get("data-page")), (Some(lang), Some(page)));
    assert!(!html.values("link", "href", ("rel", "canonical")).is_empty());
    assert!(html.all("noscript").count() == 1 && response.text().contains(note));
    let payload = html.payload();
    assert_eq!((&payload["shell"], &payload["page"]), (&true.into(), &page.into()));
    assert!(payload["document"]["frame"]["layoutData"].is_object());
}

#[tokio::test]
async fn pages_without_a_renderer_are_uncached_shells() {
    let site = Site::start(Plan { renderer: false, redis: true, ..Plan::default() }).await;
    let client = site.client();
    for _ in 0..2 {
        let english = client.get("/en-us/news").await;
        assert_shell(&english, "en-US", "news", "Turn on scripts");
        let arabic = client.get("/ar-sa/news/content/1001").await;
        assert_shell(&arabic, "ar-SA", "news-content", "فعّل JavaScript");
    }
    let data = client.get("/_data/en-us/news").await;
    assert_eq!((data.status, data.cache_status()), (200, "miss"), "data needs no renderer");
    let missing = client.get("/no/such/page").await;
    assert_eq!((missing.status, missing.cache_status()), (404, "bypass"));
    assert_sound(&Html::parse(missing.text()));
}

#[tokio::test]
async fn killed_renderer_is_restarted() {
    let mut sahm = Sahm::start().await;
    let client = sahm.client();
    store_pages(&client).await;
    for round in 0..2 {
        let renderer = sahm.program.renderer().await;
        signal("KILL", renderer);
        until(RECOVERY_TIMEOUT, "the renderer has exited", async || !runs(renderer)).await;
        let killed = Instant::now();
        // Uncached pages: first shells, then rendered again.
        let mut next = 0;
        let mut shells = 0;
        until(RECOVERY_TIMEOUT, "pages are rendered again", async || {
            let path = format!("/en-us/news/content/{}", 1002 + round * 4 + next % 4);
            let agent = [agent::PC, agent::MOBILE, agent::APP, agent::DARK_APP][next / 4 % 4];
            next += 1;
            let response = client.get_with(&path, &[("user-agent", agent)]).await;
            assert_eq!(response.status, 200, "{path}");
            if response.text().contains("data-shell") {
                shells += 1;
                assert_shell(&response, "en-US", "news-content", "Turn on scripts");
            }
            assert_stored_pages_served(&client, Duration::from_millis(50)).await;
            response.cache_status() == "miss"
        })
        .await;
        assert!(killed.elapsed() < RECOVERY_TIMEOUT);
        assert!(shells > 0 || round > 0, "the first page after the kill was no shell");
        assert_ne!(sahm.program.renderer().await, renderer);
    }
}

/// Asserts a 503 error page with `Retry-After`.
pub(crate) fn assert_unavailable(response: &Response, locale: &Locale) {
    assert_eq!(response.status, 503);
    assert!(response.header("retry-after").parse::<u32>().unwrap() > 0);
    assert_refused(response, locale);
}

/// Asserts an error page: text and home link in its locale, with the headers of all pages.
pub(crate) fn assert_refused(response: &Response, locale: &Locale) {
    assert_eq!((response.header("cache-control"), response.cache_status()), ("no-store", "bypass"));
    for name in ["content-security-policy", "accept-ch", "cache-status", "server-timing"] {
        assert!(!response.header(name).is_empty(), "{name}");
    }
    assert!(response.header("vary").contains("cookie"));
    let html = Html::parse(response.text());
    html.one("h1");
    html.one("main");
    let root = html.one("html");
    assert_eq!((root.get("lang"), root.get("dir")), (Some(locale.lang), Some(locale.dir)));
    assert_eq!(root.get("data-page"), Some("error"));
    assert!(response.text().contains(locale.sentence), "{}", response.text());
    assert_eq!(html.values("meta", "content", ("name", "robots")), ["noindex"]);
    assert!(html.all("a").any(|link| link.get("href") == Some(locale.home)));
}

/// The texts of error pages in a locale.
pub(crate) struct Locale {
    lang: &'static str,
    dir: &'static str,
    home: &'static str,
    sentence: &'static str,
}

pub(crate) const ENGLISH: Locale = Locale {
    lang: "en-US",
    dir: "ltr",
    home: "/en-us",
    sentence: "Service maintenance in progress, please try again later.",
};
pub(crate) const ARABIC: Locale = Locale {
    lang: "ar-SA",
    dir: "rtl",
    home: "/ar-sa",
    sentence: "الخدمة قيد الصيانة حاليًا، يُرجى المحاولة لاحقًا.",
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_content_costs_its_part_and_recovers() {
    let plan = Plan { form: Form::Programs, redis: true, ..Plan::default() };
    let mut site = Site::start(plan).await;
    let client = site.client();
    store_pages(&client).await;
    site.program(ServiceName::Content).kill();
    assert_stored_pages_served(&client, Duration::from_millis(300)).await;
    assert_unavailable(&client.get("/en-us/news/us").await, &ENGLISH);
    assert_unavailable(&client.get("/ar-sa/news/content/1005").await, &ARABIC);
    let data = client.get("/_data/en-us/news/us").await;
    assert_eq!((data.status, data.header("cache-control")), (503, "no-store"));
    assert_eq!(data.json()["page"], "error");
    // The home page is served without news and with a notice.
    let home = client.get_with("/en-us", &[("user-agent", agent::MOBILE)]).await;
    assert_eq!((home.status, home.cache_status()), (200, "bypass"));
    assert_eq!(Html::parse(home.text()).payload()["document"]["newsUnavailable"], true);
    let call = client.get("/api/news/tab/list").await;
    assert_eq!((call.status, call.json()["code"].as_u64()), (503, Some(503)));
    assert!(!call.header("retry-after").is_empty());
    assert_eq!(client.get("/sitemap.xml").await.status, 503);
    assert_eq!(client.get("/no/such/page").await.status, 404, "needs no content");
    assert_stored_pages_served(&client, Duration::from_millis(300)).await;

    site.program(ServiceName::Content).restart();
    site.program(ServiceName::Content).wait_for_log("lifecycle: ready").await;
    let back = async || client.get("/en-us/news/us").await.status == 200;
    until(RECOVERY_TIMEOUT, "content is called again", back).await;
    assert_stored_pages_served(&client, Duration::from_millis(100)).await;
    // The change log is followed again: changes appear within a second.
    let output = site.content_command(&["withdraw", "1001"]).await;
    assert!(output.status.success(), "{output:?}");
    until(RECOVERY_TIMEOUT, "the withdrawn article is not found", async || {
        client.get("/en-us/news/content/1001").await.status == 404
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_redis_does_not_affect_visitors() {
    let mut site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let client = site.client();
    store_pages(&client).await;
    site.redis.as_mut().unwrap().kill();
    assert_stored_pages_served(&client, Duration::from_millis(300)).await;
    for (at, path) in ["/en-us/news/us", "/en-us/news/saudi", "/ar-sa"].into_iter().enumerate() {
        for gateway in &site.gateways {
            let started = Instant::now();
            let response = gateway.client().get(path).await;
            assert_eq!((response.status, response.cache_status()), (200, "miss"), "{at} {path}");
            assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        }
    }
    site.redis.as_mut().unwrap().restart().await.unwrap();
    let (one, two) = (site.gateways[0].client(), site.gateways[1].client());
    let mut id = 1001;
    until(RECOVERY_TIMEOUT, "gateways share pages again", async || {
        id = if id == 1014 { 2001 } else { id + 1 };
        let path = format!("/news/content/{id}");
        let page = format!("/en-us{path}");
        assert_eq!(one.get(&page).await.status, 200);
        site.soon_in_redis(&path).await && two.get(&page).await.cache_status() == "hit"
    })
    .await;
    // A hanging Redis adds no more latency than an unavailable one.
    site.redis.as_ref().unwrap().pause();
    assert_stored_pages_served(&client, Duration::from_millis(100)).await;
    let started = Instant::now();
    assert_eq!(client.get("/ar-sa/news/saudi").await.status, 200);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    site.redis.as_ref().unwrap().resume();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_are_served_while_sentinels_replace_the_primary() {
    let mut redis = RedisWithSentinels::start().await.unwrap();
    let own = redis.settings();
    let mut own: Vec<_> = own.iter().map(|(name, value)| (&**name, &**value)).collect();
    own.push(("SAHM_RATE_LIMITS", "off"));
    let mut loaded = Sahm::start_with(&own).await;
    loaded.program.wait_for_log("redis is available").await;
    // The local store is disabled, so each page is looked up in Redis.
    own.push(("SAHM_PAGE_CACHE_BYTES", "0"));
    let mut sahm = Sahm::start_with(&own).await;
    sahm.program.wait_for_log("redis is available").await;
    for path in LOADED {
        assert_eq!(loaded.client().get(path).await.status, 200, "{path}");
    }
    let load = || Load::of((0..2).map(|_| loaded.client()), &LOADED);
    let client = sahm.client();
    let mut ids = (1001..=1014).cycle();
    let mut times = Vec::new();
    let mut send = async |times: &mut Vec<Duration>| {
        let path = format!("/en-us/news/content/{}", ids.next().unwrap());
        let started = Instant::now();
        let response = client.get(&path).await;
        assert_eq!(response.status, 200, "{path}");
        times.push(started.elapsed());
    };
    let loaded_before = load();
    for _ in 0..28 {
        send(&mut times).await;
    }
    let mut before = std::mem::take(&mut times).split_off(14);
    let loaded_before = loaded_before.stop().await;
    let loaded_during = load();
    redis.kill_primary();
    let promotion = tokio::spawn(async move {
        redis.promoted().await.unwrap();
        (redis, Instant::now())
    });
    while !promotion.is_finished() {
        send(&mut times).await;
    }
    let (_redis, promoted) = promotion.await.unwrap();
    while sahm.program.log().matches("redis is available").count() < 2 {
        assert!(promoted.elapsed() < RECOVERY_TIMEOUT, "{}", sahm.program.log());
        send(&mut times).await;
    }
    let recovery = promoted.elapsed();
    while loaded.program.log().matches("redis is available").count() < 2 {
        assert!(promoted.elapsed() < RECOVERY_TIMEOUT, "{}", loaded.program.log());
        send(&mut times).await;
    }
    let loaded_during = loaded_during.stop().await;
    let (loaded_p99, loaded_before) = (p99(&loaded_during), p99(&loaded_before));
    before.sort_unstable();
    times.sort_unstable();
    let (count, p99, before) = (times.len(), p99(&times), p99(&before));
    eprintln!(
        "Failover: {count} pages, 99th percentile {p99:?} ({before:?} before); the new primary is used \
         {recovery:?} after its promotion."
    );
    assert!(p99 < Duration::from_secs(1), "{times:?}");
    eprintln!(
        "Under load, with a local store: {} pages, 99th percentile {loaded_p99:?} ({loaded_before:?} before).",
        loaded_during.len()
    );
    assert!(loaded_p99 < Duration::from_secs(1), "{loaded_p99:?}");
}

const WHATSAPP: &str = "https://wa.example/966115550142";

/// Whether a gateway refuses feedback because operators have turned it off.
async fn are_uploads_off(client: &Client) -> bool {
    let headers = [("content-type", "application/json")];
    let response = client.send("POST", "/api/woms/feedback/submit", &headers, "{}").await;
    response.json()["error"] == "turned_off"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gateways_without_config_use_the_last_known_configuration_and_switches() {
    let mut site = Site::start(Plan { form: Form::Programs, ..Plan::default() }).await;
    let item = ConfigItem {
        key: "SA_CUSTOMER_SERVICE_WHATSAPP".to_owned(),
        value: WHATSAPP.to_owned(),
        ..ConfigItem::default()
    };
    let request = SetWebConfigRequest { items: vec![item] };
    site.config_client().set_web_config(request).await.unwrap();
    let client = site.client();
    until(RECOVERY_TIMEOUT, "pages show the new link", async || {
        client.get("/en-us/news").await.text().contains(WHATSAPP)
    })
    .await;
    store_pages(&client).await;
    let off = SetSwitchRequest {
        feature: Feature::Uploads.into(),
        off: true,
        operator: "reem".to_owned(),
        reason: "R-1".to_owned(),
        ..SetSwitchRequest::default()
    };
    site.config_client().set_switch(off).await.unwrap();
    until(RECOVERY_TIMEOUT, "uploads are off", async || are_uploads_off(&client).await).await;
    for (name, content) in [("config.json", WHATSAPP), ("switches.json", "FEATURE_UPLOADS")] {
        let copy = site.folder.join(&format!("gateway-0/gateway/{name}"));
        until(RECOVERY_TIMEOUT, "the gateway has stored a copy", async || {
            std::fs::read_to_string(&copy).is_ok_and(|text| text.contains(content))
        })
        .await;
    }

    site.program(ServiceName::Config).kill();
    assert_stored_pages_served(&client, Duration::from_millis(200)).await;
    let assert_last_known = async |client: &Client, path: &str| {
        let response = client.get(path).await;
        assert_eq!((response.status, response.cache_status()), (200, "bypass"), "{path}");
        assert!(
            response.text().contains(WHATSAPP) && response.text().contains("/invest/us-stocks")
        );
    };
    assert_last_known(&client, "/en-us/news/us").await;
    // A gateway that starts now reads the copies on disk.
    site.gateways.remove(0).stop().await;
    let again = site.gateway("gateway-0").await;
    assert_last_known(&again.client(), "/en-us/news/saudi").await;
    assert!(are_uploads_off(&again.client()).await);
    // One without them serves pages without menu, which are not cached, and has every feature on.
    let new = site.gateway("gateway-1").await;
    assert!(!are_uploads_off(&new.client()).await);
    let response = new.client().get("/en-us/news").await;
    assert_eq!((response.status, response.cache_status()), (200, "bypass"));
    assert_sound(&Html::parse(response.text()));

    site.program(ServiceName::Config).restart();
    site.program(ServiceName::Config).wait_for_log("lifecycle: ready").await;
    for gateway in [&again, &new] {
        let client = gateway.client();
        until(Duration::from_secs(15), "whole pages are cached again", async || {
            let response = client.get("/en-us/news").await;
            assert_eq!(response.status, 200);
            response.cache_status() == "hit" && response.text().contains(WHATSAPP)
        })
        .await;
    }
}
