//! Changes of content and configuration reach pages under load (docs/page-cache.md).

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use sahm_chassis::clock::{self, Clock};
use sahm_content::{import, store::ContentStore};
use sahm_proto::config::v1::{ConfigItem, SetWebConfigRequest};

use crate::kit::{Client, Form, Html, Load, Plan, Response, Site, until, within};

/// Time within which hard purges reach every gateway (docs/page-cache.md).
const PURGE_TIMEOUT: Duration = Duration::from_secs(1);
/// Time within which soft-purged pages are refreshed (docs/page-cache.md).
const REFRESH_TIMEOUT: Duration = Duration::from_secs(60);
const PAGES: [&str; 4] = ["/en-us/news", "/ar-sa/news", "/en-us", "/en-us/news/content/1001"];

/// The file of an article that is published now.
fn article(id: u32, title: &str) -> String {
    let now = jiff::Timestamp::from_second(i64::from(clock::now())).unwrap();
    format!(
        "---\nid: {id}\nkind: news\nlocale: en-us\nmarket: us\ntitle: \"{title}\"\nsummary: S\n\
         publishedAt: {now}\n---\nText of {title}.\n"
    )
}

pub(crate) fn article_file(site: &Site, id: u32, title: &str) -> PathBuf {
    site.folder.write(&format!("import/{id}.md"), article(id, title))
}

async fn import(site: &Site, id: u32, title: &str) {
    let file = article_file(site, id, title);
    let output = site.content_command(&["import", file.to_str().unwrap()]).await;
    assert!(output.status.success(), "{output:?}");
}

/// Waits until these pages of all gateways satisfy `becomes`.
async fn all_become(site: &Site, pages: &[&str], what: &str, becomes: impl Fn(&Response) -> bool) {
    let checks = site.gateways.iter().enumerate().flat_map(|(at, gateway)| {
        let becomes = &becomes;
        pages.iter().map(move |page| async move {
            let client = gateway.client();
            let what = format!("{what}: {page} of gateway {at}");
            until(PURGE_TIMEOUT, &what, async || becomes(&client.get(page).await)).await;
        })
    });
    join_all(checks).await;
}

/// The file of a course in the second category.
fn course_file(site: &Site, name: &str, category: &str) -> PathBuf {
    let course = serde_json::json!({
        "kind": "college-course", "id": 901, "slug": "a-new-course", "categoryId": 2,
        "level": "beginner", "name": name, "nameEn": name, "nameSa": name, "summary": "S",
        "publishedAt": "2026-01-01T00:00:00Z",
    });
    // The menu lists categories.
    let category = serde_json::json!({
        "kind": "college-category", "id": 91, "position": 91, "name": category,
        "nameEn": category, "nameSa": category,
    });
    site.folder.write("import/course.jsonl", format!("{course}\n{category}\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn course_import_refreshes_menus_and_purges_no_unrelated_page() {
    const UNRELATED: [&str; 5] = [
        "/en-us/news",
        "/ar-sa/pricing",
        "/en-us/support/detail/what-sahm-offers",
        "/en-us/terms-and-conditions/disclaimer",
        "/en-us/education/article/what-a-share-is",
    ];
    const COURSE_LIST: &str = "/en-us/education/category/2";
    let site = Site::start(Plan { redis: true, ..Plan::default() }).await;
    let client = site.client();
    for page in UNRELATED.into_iter().chain([COURSE_LIST]) {
        assert_eq!(client.get(page).await.status, 200, "{page}");
    }
    let name = "A course that was not there";
    let store = ContentStore::open(&site.content_database()).await.unwrap();
    let category = "A category that was not there";
    let file = course_file(&site, name, category);
    let report = import::run(&store, &[file], &Clock::system(), |_| {}).await.unwrap();
    assert_eq!(report.refused.len(), 0, "{report:?}");
    until(PURGE_TIMEOUT, "the list has the course", async || {
        client.get(COURSE_LIST).await.text().contains(name)
    })
    .await;
    for page in UNRELATED {
        until(REFRESH_TIMEOUT, &format!("{page} has the menu"), async || {
            let response = client.get(page).await;
            assert!(
                ["hit", "stale"].contains(&response.cache_status()),
                "{page}: {}",
                response.cache_status()
            );
            response.text().contains(category)
        })
        .await;
    }
}

#[tokio::test]
async fn announcements_are_linked_and_listed_in_the_sitemap() {
    let client = Site::shared().await.client();
    for (page, locale) in [
        ("/en-us/news", "en-us"),
        ("/ar-sa/news", "ar-sa"),
        ("/en-us/invest", "en-us"),
        ("/ar-sa/invest/saudi-stocks", "ar-sa"),
        ("/en-us/invest/us-stocks", "en-us"),
    ] {
        let response = client.get(page).await;
        let link = format!("href=\"/{locale}/news/-notice/");
        let linked = response.text().split(&link).nth(1).expect(page);
        let id = linked.split('"').next().unwrap();
        let notice = client.get(&format!("/{locale}/news/-notice/{id}")).await;
        assert_eq!(notice.status, 200, "{page} links {id}");
    }
    let index = client.get("/sitemap.xml").await;
    assert!(index.text().contains("/sitemap-notices-1.xml"));
    let sitemap = client.get("/sitemap-notices-1.xml").await;
    for locale in ["en-us", "ar-sa"] {
        let address = format!("/{locale}/news/-notice/9001</loc>");
        assert!(sitemap.text().contains(&address), "{address}");
    }
}

async fn an_article_comes_and_goes(site: &Site, id: u32, title: &str) {
    let address = format!("/en-us/news/content/{id}");
    for gateway in &site.gateways {
        // The 404 and the lists without the article are cached.
        assert_eq!(gateway.client().get(&address).await.status, 404);
        assert_eq!(gateway.client().get(&address).await.cache_status(), "hit");
        assert!(!gateway.client().get("/en-us/news").await.text().contains(title));
    }
    import(site, id, title).await;
    let pages = [&address, "/en-us/news", "/en-us/news/us", "/en-us"];
    all_become(site, &pages, "it comes", |page| page.text().contains(title)).await;
    assert!(!site.client().get("/en-us/news/saudi").await.text().contains(title));

    let output = site.content_command(&["withdraw", &id.to_string()]).await;
    assert!(output.status.success(), "{output:?}");
    all_become(site, &pages, "it goes", |page| !page.text().contains(title)).await;
    assert_eq!(site.client().get(&address).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn article_is_published_and_withdrawn_within_a_second_under_load() {
    let plan = Plan { gateways: 2, redis: true, ..Plan::default() };
    let mut site = Site::start(plan).await;
    let load = Load::start(&site, &PAGES);
    an_article_comes_and_goes(&site, 5001, "First of the tests").await;
    site.redis.as_mut().unwrap().kill();
    an_article_comes_and_goes(&site, 5002, "Second, without Redis").await;
    site.redis.as_mut().unwrap().restart().await.unwrap();
    an_article_comes_and_goes(&site, 5003, "Third, Redis is back").await;
    let count = load.stop().await.len();
    assert!(count > 100, "{count}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn article_is_published_and_withdrawn_within_a_second_with_remote_services() {
    let plan =
        Plan { form: Form::Tcp, gateways: 2, redis: true, postgres: true, ..Plan::default() };
    let site = Site::start(plan).await;
    let load = Load::start(&site, &PAGES);
    an_article_comes_and_goes(&site, 5011, "Over the network").await;
    load.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn import_by_another_process_is_noticed() {
    let site = Site::start(Plan { gateways: 2, ..Plan::default() }).await;
    for gateway in &site.gateways {
        assert_eq!(gateway.client().get("/en-us/news").await.cache_status(), "miss");
    }
    let store = ContentStore::open(&site.content_database()).await.unwrap();
    let file = article_file(&site, 5031, "By the library");
    let report = import::run(&store, &[file], &Clock::system(), |_| {}).await.unwrap();
    assert_eq!((report.summary.added, report.refused.len()), (1, 0));
    let pages = ["/en-us/news", "/en-us/news/content/5031"];
    all_become(&site, &pages, "it comes", |page| page.text().contains("By the library")).await;
}

#[tokio::test]
async fn repeated_import_purges_nothing() {
    let site = Site::start(Plan::default()).await;
    let client = site.client();
    // Cached first, so that a page with the article was rendered after the purge.
    assert_eq!(client.get("/en-us/news").await.cache_status(), "miss");
    import(&site, 5021, "Twice the same").await;
    let shown = async || client.get("/en-us/news").await.text().contains("Twice the same");
    until(PURGE_TIMEOUT, "it is shown", shown).await;
    let before = (client.get("/en-us/news").await, site.counts.renders());
    let folder = site.folder.join("import");
    let output = site.content_command(&["import", folder.to_str().unwrap()]).await;
    assert!(output.status.success(), "{output:?}");
    // A purge would have arrived by then, with polls every 250 ms.
    let began = Instant::now();
    while began.elapsed() < PURGE_TIMEOUT {
        let response = client.get("/en-us/news").await;
        assert_eq!(
            (response.cache_status(), response.header("etag")),
            ("hit", before.0.header("etag"))
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(site.counts.renders(), before.1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counting_reads_purges_nothing() {
    let site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let pages = ["/en-us/news/content/1001", "/en-us/news", "/en-us"];
    let mut tags = Vec::new();
    for gateway in &site.gateways {
        for page in pages {
            tags.push(gateway.client().get(page).await.header("etag").to_owned());
        }
    }
    let renders = site.counts.renders();
    let clients: Vec<_> =
        site.gateways.iter().map(|gateway| Client::multiplexed(gateway.address)).collect();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let log = "/api/news/content/log/add";
    let logs = (0..1_000).map(|at| clients[at % 2].send("POST", log, &form, "id=1001"));
    for response in within(Duration::from_secs(60), "a thousand logs", join_all(logs)).await {
        assert_eq!(response.status, 200, "{}", response.text());
    }
    let one_more = clients[0].send("POST", log, &form, "id=1001").await.json();
    let count = one_more["data"]["count"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(count > 1_000, "none is lost: {count}");

    // A purge would have arrived by then, with polls every 250 ms.
    let began = Instant::now();
    while began.elapsed() < PURGE_TIMEOUT {
        for (at, gateway) in site.gateways.iter().enumerate() {
            for (page, tag) in pages.iter().zip(&tags[at * pages.len()..]) {
                let response = gateway.client().get(page).await;
                let found = (response.cache_status(), response.header("etag"));
                assert_eq!(found, ("hit", &**tag), "{page}");
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(site.counts.renders(), renders);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_changes_purge_softly() {
    let site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let phone = "+966 11 555 0199";
    for gateway in &site.gateways {
        for page in PAGES {
            assert!(!gateway.client().get(page).await.text().contains(phone));
        }
    }
    let item = ConfigItem {
        key: "SA_CUSTOMER_SERVICE_PHONE".to_owned(),
        value: phone.to_owned(),
        ..ConfigItem::default()
    };
    let request = SetWebConfigRequest { items: vec![item] };
    site.config_client().set_web_config(request).await.unwrap();
    let began = Instant::now();
    let mut stale = 0;
    for gateway in &site.gateways {
        let client = gateway.client();
        for page in PAGES {
            let left = REFRESH_TIMEOUT.saturating_sub(began.elapsed());
            until(left, &format!("the new phone number on {page}"), async || {
                let response = client.get(page).await;
                assert_eq!(response.status, 200, "the old page as long as there is no new one");
                assert!(
                    ["hit", "stale"].contains(&response.cache_status()),
                    "{}",
                    response.cache_status()
                );
                stale += usize::from(response.cache_status() == "stale");
                let html = Html::parse(response.text());
                let found = html.text.contains(phone);
                assert!(!found || response.cache_status() == "hit");
                found
            })
            .await;
        }
    }
    assert!(stale > 0);
}
