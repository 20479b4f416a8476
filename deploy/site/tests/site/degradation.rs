//! The table of docs/failures.md: each real process is killed, stopped, and behind a faulty connection. Asserts what
//! visitors see, and that no request exceeds its deadline (docs/limits-and-timeouts.md).

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sahm_chassis::ServiceName;
use sahm_testkit::process;
use serde_json::{Value, json};

use crate::{
    attacks::member,
    failures::{ARABIC, ENGLISH, assert_unavailable},
    kit::{Client, Fault, Form, Html, Plan, Response, Site, agent, signal, until},
    pages::assert_sound,
};

/// Deadlines of docs/limits-and-timeouts.md with a margin of 10 %.
const MAX_PAGE_DURATION: Duration = Duration::from_millis(3_300);
pub(crate) const MAX_CALL_DURATION: Duration = Duration::from_millis(8_800);

/// Time within which a recovered process is used again.
pub(crate) const RECOVERY_TIMEOUT: Duration = Duration::from_secs(10);

/// Faults of connections; killed and stopped services are tested separately.
pub(crate) const FAULTS: [Fault; 5] = [
    Fault::Latency(Duration::from_secs(5)),
    Fault::Reset,
    Fault::HalfOpen,
    Fault::SlowClose,
    Fault::Corrupt,
];

/// A page that is cached before any fault, and must be served as usual.
pub(crate) const STORED: &str = "/en-us/news/content/1001";

pub(crate) async fn timed(
    limit: Duration,
    what: &str,
    request: impl Future<Output = Response>,
) -> Response {
    let started = Instant::now();
    let response = request.await;
    assert!(started.elapsed() < limit, "{what}: {:?}", started.elapsed());
    response
}

pub(crate) async fn page(client: &Client, path: &str, headers: &[(&str, &str)]) -> Response {
    timed(MAX_PAGE_DURATION, path, client.get_with(path, headers)).await
}

pub(crate) async fn call(client: &Client, path: &str, body: Value) -> Response {
    let headers = [("content-type", "application/json")];
    timed(MAX_CALL_DURATION, path, client.send("POST", path, &headers, body.to_string())).await
}

/// The document of a page with status 200.
fn document(response: &Response) -> Value {
    let html = Html::parse(response.text());
    assert_sound(&html);
    html.payload()["document"].clone()
}

/// Asserts a partial page, which is cached only briefly.
fn assert_partial(response: &Response, what: &str) {
    assert_eq!((response.status, response.cache_status()), (200, "bypass"), "{what}");
    assert_eq!(response.header("cache-control"), "no-store", "{what}");
}

/// Asserts what visitors see while a service is unavailable.
async fn assert_row(client: &Client, away: ServiceName, cookie: &str, what: &str) {
    let stored = page(client, STORED, &[]).await;
    assert_eq!((stored.status, stored.cache_status()), (200, "hit"), "{what}");
    match away {
        ServiceName::Content => {
            let news = page(client, "/en-us/news/us", &[]).await;
            assert_eq!((news.status, news.header("cache-control")), (503, "no-store"), "{what}");
            assert!(!news.header("retry-after").is_empty(), "{what}");
            let home = page(client, "/en-us", &[("user-agent", agent::MOBILE)]).await;
            assert_partial(&home, what);
            assert_eq!(document(&home)["newsUnavailable"], true, "{what}");
        }
        ServiceName::Quotes => {
            let stocks = page(client, "/en-us/invest/us-stocks", &[]).await;
            assert_partial(&stocks, what);
            assert_eq!(document(&stocks)["quotesUnavailable"], true, "{what}");
        }
        ServiceName::Activity => {
            let campaign = page(client, "/en-us/activity/pre-activity-new", &[]).await;
            assert_partial(&campaign, what);
            assert_eq!(document(&campaign)["unavailable"], true, "{what}");
        }
        ServiceName::Config => {
            // Fees are missing; the menu is the last known one, also on the error page.
            let pricing = page(client, "/ar-sa/pricing", &[]).await;
            assert_partial(&pricing, what);
            let news = page(client, "/ar-sa/news/us", &[]).await;
            assert_eq!(news.status, 200, "{what}");
            for page in [pricing, news] {
                assert!(document(&page)["frame"]["layoutData"]["header"].is_array(), "{what}");
            }
        }
        ServiceName::Identity => {
            // The session check gives up much earlier, which the gateway's tests assert to the millisecond.
            let cookie = [("cookie", cookie)];
            let visit = page(client, STORED, &cookie);
            let as_visitor = timed(MAX_PAGE_DURATION / 2, what, visit).await;
            assert_eq!((as_visitor.status, as_visitor.cache_status()), (200, "hit"), "{what}");
            let set = as_visitor.headers.get_all("set-cookie").iter();
            let ended = set.filter(|set| set.as_bytes().starts_with(b"sahm_session="));
            assert_eq!(ended.count(), 0, "{what}: the cookie is not removed");
            let body = json!({ "account": "500000006", "password": "Sahm#2026dev" });
            let login = call(client, "/api/passport/password/login", body).await;
            assert!([503, 504].contains(&login.status), "{what}: {login:?}");
        }
        ServiceName::Attribution => {
            let event = json!({
                "eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10,
            });
            let reported = call(client, "/api/event-report/report", event).await;
            assert!([503, 504].contains(&reported.status), "{what}: {reported:?}");
            let home = page(client, "/en-us", &[]).await;
            assert_eq!(home.status, 200, "{what}: pages never wait");
        }
    }
    let read = match away {
        ServiceName::Content => "/api/news/tab/list",
        ServiceName::Quotes => "/api/hq/querySimpleBySecurityCodes?securityCodes=AAPL",
        ServiceName::Config => "/api/config/rest/menu",
        ServiceName::Activity => "/api/activity/base/info?activityId=6666",
        ServiceName::Identity | ServiceName::Attribution => return,
    };
    let response = timed(MAX_CALL_DURATION, read, client.get(read)).await;
    let code = response.json()["code"].as_u64();
    assert!([503, 504].contains(&response.status), "{what}: {response:?}");
    assert_eq!(code, Some(response.status.into()), "{what}");
    assert!(response.text().contains("errorHK"), "{what}");
}

/// Whether a call that needs the service succeeds.
async fn is_back(client: &Client, service: ServiceName) -> bool {
    match service {
        ServiceName::Content => client.get("/api/news/tab/list").await.status == 200,
        ServiceName::Quotes => {
            client.get("/api/us/querySimpleBySecurityCodes?securityCodes=MSFT").await.status == 200
        }
        ServiceName::Config => client.get("/api/config/rest/menu").await.status == 200,
        ServiceName::Activity => {
            client.get("/api/activity/base/info?activityId=6666").await.status == 200
        }
        ServiceName::Identity => {
            call(client, "/api/passport/member/check", json!({})).await.status == 200
        }
        ServiceName::Attribution => {
            let event = json!({
                "eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10,
            });
            call(client, "/api/event-report/report", event).await.status == 200
        }
    }
}

/// Injects every fault into the connection to a service, on a site of its own.
async fn assert_faults_cost_a_part(site: &Site, service: ServiceName) {
    let client = site.client();
    let cookie = member(site).await;
    client.until_stored(STORED).await;
    for fault in FAULTS {
        let what = format!("{service:?} {fault:?}");
        site.fault(service).set(fault);
        assert_row(&client, service, &cookie, &what).await;
        site.fault(service).set(Fault::None);
        until(RECOVERY_TIMEOUT, &format!("{what} is over"), async || {
            is_back(&client, service).await
        })
        .await;
    }
}

/// One site per service, concurrently, because most of the time is waiting. The sites start one after the other,
/// because starts need processor time that deadlines do not allow for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faulty_connection_to_a_service_costs_only_its_part_of_pages() {
    let mut sites = Vec::new();
    for service in ServiceName::ALL {
        let plan = Plan { form: Form::Tcp, faults: true, ..Plan::default() };
        sites.push((Site::start(plan).await, service));
    }
    join_all(sites.iter().map(|(site, service)| assert_faults_cost_a_part(site, *service))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopped_or_killed_service_costs_only_its_part_of_pages() {
    let mut site = Site::start(Plan { form: Form::Programs, ..Plan::default() }).await;
    let client = site.client();
    let cookie = member(&site).await;
    client.until_stored(STORED).await;
    for service in ServiceName::ALL {
        process::pause(site.program(service).pid());
        assert_row(&client, service, &cookie, &format!("{service:?} stopped")).await;
        signal("CONT", site.program(service).pid());
        until(RECOVERY_TIMEOUT, &format!("{service:?} goes on"), async || {
            is_back(&client, service).await
        })
        .await;
        site.program(service).kill();
        assert_row(&client, service, &cookie, &format!("{service:?} killed")).await;
        site.program(service).restart();
        until(RECOVERY_TIMEOUT, &format!("{service:?} is back"), async || {
            is_back(&client, service).await
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faulty_connection_to_the_renderer_yields_shells() {
    let site = Site::start(Plan { faults: true, ..Plan::default() }).await;
    let client = site.client();
    client.until_stored(STORED).await;
    for (id, fault) in (1002..).zip(FAULTS) {
        site.renderer_fault().set(fault);
        let what = format!("renderer {fault:?}");
        let stored = page(&client, STORED, &[]).await;
        assert_eq!((stored.status, stored.cache_status()), (200, "hit"), "{what}");
        let path = format!("/ar-sa/news/content/{id}");
        let shell = page(&client, &path, &[]).await;
        assert_partial(&shell, &what);
        assert!(shell.text().contains("data-shell"), "{what}");
        site.renderer_fault().set(Fault::None);
        until(RECOVERY_TIMEOUT, &format!("{what} is over"), async || {
            client.get(&path).await.cache_status() == "miss"
                || client.get(&path).await.cache_status() == "hit"
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_for_another_gateways_fill_stays_within_the_page_deadline() {
    let plan = Plan { gateways: 3, redis: true, faults: true, ..Plan::default() };
    let site = Site::start(plan).await;
    let clients = site.gateways.iter().map(|gateway| gateway.client()).collect::<Vec<_>>();
    site.renderer_fault().set(Fault::HalfOpen);
    let path = "/ar-sa/news/content/1002";
    let requests = clients.iter().map(|client| page(client, path, &[]));
    for shell in join_all(requests).await {
        assert_partial(&shell, path);
        assert!(shell.text().contains("data-shell"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_without_services_and_renderer_is_the_static_error_page() {
    let site = Site::start(Plan { form: Form::Tcp, faults: true, ..Plan::default() }).await;
    let client = site.client();
    site.fault(ServiceName::Content).set(Fault::HalfOpen);
    site.renderer_fault().set(Fault::HalfOpen);
    let requests = ["/en-us/news/us", "/ar-sa/news/us"].map(|path| page(&client, path, &[]));
    for (response, locale) in join_all(requests).await.iter().zip([&ENGLISH, &ARABIC]) {
        assert_unavailable(response, locale);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn panicked_fill_is_a_503_page() {
    let site = Site::start(Plan::default()).await;
    let client = site.client();
    site.counts.panic_at("/sahm.content.v1.NewsService/");
    // A cacheable page, and one that bypasses the cache.
    for query in ["", "?cursor=abc"] {
        for (prefix, locale) in [("/en-us", &ENGLISH), ("/ar-sa", &ARABIC)] {
            let path = format!("{prefix}/news/us{query}");
            assert_unavailable(&page(&client, &path, &[]).await, locale);
            let data = page(&client, &format!("/_data{path}"), &[]).await;
            assert_eq!((data.status, data.header("cache-control")), (503, "no-store"));
            assert_eq!((&data.json()["page"], data.cache_status()), (&"error".into(), "bypass"));
        }
    }
    site.counts.panic_at("none");
    assert_eq!(page(&client, "/ar-sa/news/us", &[]).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faulty_connection_to_redis_adds_little_latency() {
    let site = Site::start(Plan { redis: true, faults: true, ..Plan::default() }).await;
    let client = site.client();
    client.until_stored(STORED).await;
    for (id, fault) in (1002..).zip(FAULTS) {
        site.redis_fault().set(fault);
        let what = format!("redis {fault:?}");
        let stored = page(&client, STORED, &[]).await;
        assert_eq!((stored.status, stored.cache_status()), (200, "hit"), "{what}");
        let started = Instant::now();
        let miss = page(&client, &format!("/en-us/news/content/{id}"), &[]).await;
        assert_eq!((miss.status, miss.cache_status()), (200, "miss"), "{what}");
        assert!(started.elapsed() < Duration::from_secs(1), "{what}: {:?}", started.elapsed());
        site.redis_fault().set(Fault::None);
    }
}
