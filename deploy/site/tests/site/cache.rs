//! The cost of pages: one render for concurrent misses, nothing for hits (docs/page-cache.md).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use sahm_testkit::Redis;

use crate::{
    kit::{Client, Folder, MAX_STREAMS, Plan, Program, Site, free_address, pairs, until},
    process::settings,
};

/// Timeout of a page in Redis, and of a recompression.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_misses_cost_one_render() {
    let site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    until_shared(&site).await;
    // All requests must arrive before the page is rendered.
    site.counts.delay_renders(Duration::from_millis(500));
    let connections = site.gateways.iter().flat_map(|gateway| {
        (0..1_000 / MAX_STREAMS / site.gateways.len()).map(|_| Client::multiplexed(gateway.address))
    });
    let connections: Vec<_> = connections.collect();
    // Connections are opened first, because this does not test accepting them.
    join_all(connections.iter().map(|client| client.get("/robots.txt"))).await;
    // A gateway renders a page itself if Redis times out, as on a busy machine. That may happen to some pages, but not
    // to all.
    let pages =
        ["/en-us/news", "/en-us/news/us", "/en-us/news/saudi", "/ar-sa/news", "/ar-sa/news/us"];
    let mut pages = pages.into_iter();
    let responses = loop {
        let page = pages.next().expect("one of the pages is rendered only once");
        let (renders, calls) = (site.counts.renders(), site.counts.calls());
        let requests = connections.iter().flat_map(|client| {
            (0..MAX_STREAMS).map(|_| client.get_with(page, &[("accept-encoding", "br")]))
        });
        let requests: Vec<_> = requests.collect();
        assert_eq!(requests.len(), 1_000);
        let responses = join_all(requests).await;
        // Nor does it complete every page in time.
        if responses.iter().any(|response| response.cache_status() == "bypass") {
            continue;
        }
        let renders = site.counts.renders() - renders;
        let lists = "/sahm.content.v1.NewsService/ListTabArticles";
        assert_eq!(site.counts.calls()[lists] - calls.get(lists).unwrap_or(&0), renders);
        assert!((1..=2).contains(&renders), "{renders} renders in two gateways");
        if renders == 1 {
            break responses;
        }
    };
    let mut how = BTreeMap::<&str, usize>::new();
    for response in &responses {
        assert_eq!(response.status, 200);
        assert_eq!(response.body, responses[0].body);
        *how.entry(response.cache_status()).or_default() += 1;
    }
    assert!(how.keys().all(|how| ["miss", "hit"].contains(how)), "{how:?}");
    assert!(how["miss"] > 0, "{how:?}");
}

#[tokio::test]
async fn hit_costs_no_call_and_no_render() {
    let site = Site::start(Plan { redis: true, ..Plan::default() }).await;
    let client = site.client();
    for path in ["/en-us", "/ar-sa/news", "/en-us/news/content/1001", "/_data/en-us/news"] {
        client.until_stored(path).await;
        let first = client.get(path).await;
        let before = (site.counts.calls(), site.counts.renders());
        for coding in ["br", "gzip", "identity", "br;q=0.5, gzip"] {
            for method in ["GET", "HEAD"] {
                let headers = [
                    ("accept-encoding", coding),
                    ("cookie", "hs_h5_colorType=0; other=1"),
                    ("referer", "https://elsewhere.test/"),
                ];
                let unknown = format!("{path}?utm_source=x&_scnl=9");
                let response = client.send(method, &unknown, &headers, "").await;
                assert_eq!(
                    (response.status, response.cache_status()),
                    (200, "hit"),
                    "{path} {coding}"
                );
            }
        }
        let fresh = [("if-none-match", first.header("etag"))];
        assert_eq!(client.get_with(path, &fresh).await.status, 304);
        assert_eq!((site.counts.calls(), site.counts.renders()), before, "{path}");
    }
}

/// Waits until a page of one gateway is read from Redis by the other.
async fn until_shared(site: &Site) {
    let (one, two) = (site.gateways[0].client(), site.gateways[1].client());
    let mut ids = 1001..=1014;
    until(STORE_TIMEOUT, "gateways share pages", async || {
        let path = format!("/news/content/{}", ids.next().unwrap());
        let page = format!("/en-us{path}");
        let made = one.get(&page).await;
        assert_eq!((made.status, made.cache_status()), (200, "miss"));
        if !site.soon_in_redis(&path).await {
            return false;
        }
        let renders = site.counts.renders();
        let taken = two.get(&page).await;
        assert_eq!((taken.header("etag"), &taken.body), (made.header("etag"), &made.body));
        taken.cache_status() == "hit" && site.counts.renders() == renders
    })
    .await;
}

#[tokio::test]
async fn page_of_another_gateway_is_read_from_redis() {
    let site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    until_shared(&site).await;
}

#[tokio::test]
async fn sitemap_search_and_api_paths_are_not_pages() {
    let client = Site::shared().await.client();
    for path in ["/api/news/tab/list", "/robots.txt", "/metrics"] {
        assert_eq!(client.get(path).await.cache_status(), "", "{path}");
    }
}

/// Counters of the program and its renderer by name, summed over labels; asserts that no series is repeated.
async fn metrics(admin: &Client) -> BTreeMap<String, f64> {
    let (mut metrics, mut known) = (BTreeMap::new(), BTreeSet::new());
    let response = admin.get("/metrics").await;
    for line in response.text().lines().filter(|line| !line.starts_with('#')) {
        let (series, value) = line.rsplit_once(' ').unwrap();
        assert!(known.insert(series), "{series}");
        let name = series.split('{').next().unwrap().to_owned();
        *metrics.entry(name).or_insert(0.0) += value.parse::<f64>().unwrap();
    }
    metrics
}

/// In a separate process, whose metrics belong to this site alone.
#[tokio::test]
async fn urls_of_missing_items_share_one_cache_entry() {
    let (folder, redis, admin) = (Folder::new(), Redis::start().await.unwrap(), free_address());
    let mut settings = settings(&folder);
    let url = redis.url();
    settings.extend(pairs([
        ("SAHM_ADMIN_LISTEN", &*admin),
        ("SAHM_REDIS_URL", &*url),
        ("SAHM_RATE_LIMITS", "off"),
    ]));
    let mut sahm = Program::start("sahm", settings);
    let address = sahm.wait_for_output("ready http://").await;
    let client = Client::new(address.parse().unwrap());
    let admin = Client::new(admin.parse().unwrap());
    let keys = redis::Client::open(url).unwrap();
    let mut keys = keys.get_multiplexed_async_connection().await.unwrap();
    let mut room = async || {
        let mut stored = redis::cmd("KEYS");
        stored.arg("sahm:page:*");
        let stored = stored.query_async::<Vec<String>>(&mut keys).await.unwrap();
        (metrics(&admin).await["page_cache_entries"], stored)
    };

    let campaign = "/en-us/activity/pre-activity-new";
    let first = client.get(&format!("{campaign}?activityId=1")).await;
    assert_eq!(first.status, 404);
    let before = room().await;
    for n in 0..1_000 {
        let path = match n % 3 {
            0 => format!("{campaign}?activityId={}&theme={n}", 10_000 + n),
            1 => format!("/en-us/activity/seed?activityId=no-campaign-{n}"),
            _ => format!("/en-us/news?tab={}", 10_000 + n),
        };
        let response = client.get(&path).await;
        assert_eq!(response.status, 404, "{path}");
    }
    assert_eq!(room().await, before);
}

/// In a separate process, whose metrics belong to this site alone.
#[tokio::test]
async fn hit_costs_no_compression() {
    let folder = Folder::new();
    let admin = free_address();
    let mut settings = settings(&folder);
    settings.extend(pairs([("SAHM_ADMIN_LISTEN", &*admin)]));
    let mut sahm = Program::start("sahm", settings);
    let address = sahm.wait_for_output("ready http://").await;
    let client = Client::new(address.parse().unwrap());
    let admin = Client::new(admin.parse().unwrap());

    const COSTS: [&str; 5] = [
        "page_cache_compressions_total",
        "page_cache_makes_total",
        "page_cache_make_time_seconds_count",
        "rpc_server_call_duration_seconds_count",
        "renderer_render_duration_seconds_count",
    ];
    client.get("/en-us/news").await;
    let made = metrics(&admin).await;
    assert!(COSTS.iter().all(|name| made[*name] > 0.0), "{made:?}");
    // A popular page is recompressed in the background, once.
    for _ in 0..20 {
        assert_eq!(client.get("/en-us/news").await.cache_status(), "hit");
    }
    until(STORE_TIMEOUT, "it is compressed better", async || {
        metrics(&admin).await[COSTS[0]] > made[COSTS[0]]
    })
    .await;
    let before = metrics(&admin).await;
    let began = Instant::now();
    for coding in ["br", "gzip", "identity"] {
        for _ in 0..100 {
            let response = client.get_with("/en-us/news", &[("accept-encoding", coding)]).await;
            assert_eq!((response.status, response.cache_status()), (200, "hit"));
        }
    }
    assert!(began.elapsed() < STORE_TIMEOUT);
    let after = metrics(&admin).await;
    for name in COSTS {
        assert_eq!(after[name], before[name], "{name}");
    }
    for name in ["page_cache_hits_total", "http_server_request_duration_seconds_count"] {
        assert_eq!(after[name] - before[name], 300.0, "{name}");
    }
}
