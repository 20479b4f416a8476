//! Purges under load (docs/page-cache.md): hard purges reach every gateway within a second, also without Redis, and a
//! change of the menu, which is on every page, fails no request.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, future::join_all, stream};
use sahm_chassis::clock::Clock;
use sahm_config::{bundle::Bundle, store::ConfigStore};
use sahm_content::{import, store::ContentStore};
use sahm_testkit::count;

use crate::{
    freshness::article_file,
    kit::{Client, Load, Plan, Response, Site, agent, until},
};

/// Time within which every gateway applies a purge.
const PURGE_TIMEOUT: Duration = Duration::from_secs(1);
/// Time within which soft-purged pages are refreshed.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(60);

/// Concurrent requests.
const CONCURRENCY: usize = 8;

/// A page that is never cached.
const UNCACHED: &str = "/en-us/support/search?keyword=fees";

/// Pages with the menu.
const PATHS: [&str; 32] = [
    "",
    "/news",
    "/news/us",
    "/news/saudi",
    "/news/content/1001",
    "/news/content/1002",
    "/news/content/1003",
    "/news/content/1004",
    "/news/content/1005",
    "/news/content/1006",
    "/news/content/1007",
    "/news/content/1008",
    "/news/content/1009",
    "/news/content/1010",
    "/news/content/1011",
    "/news/content/1012",
    "/news/content/1013",
    "/news/content/1014",
    "/news?tab=2",
    "/company-news/list",
    "/company-news/detail/capital-raised",
    "/support",
    "/support/detail/what-sahm-offers",
    "/terms-and-conditions/disclaimer",
    "/terms-and-conditions/privacy-policy",
    "/brand",
    "/about",
    "/download",
    "/pricing",
    "/invest",
    "/invest/us-stocks",
    "/invest/saudi-stocks",
];

/// User agents and themes that have pages of their own.
const VISITORS: [(&str, &str); 8] = [
    (agent::PC, ""),
    (agent::PC, "dark"),
    (agent::PC, "light"),
    (agent::MOBILE, ""),
    (agent::MOBILE, "dark"),
    (agent::MOBILE, "light"),
    (agent::APP, ""),
    (agent::DARK_APP, ""),
];

/// A page for a client profile.
#[derive(Clone, Debug)]
struct Variant {
    path: String,
    agent: &'static str,
    hint: &'static str,
}

impl Variant {
    async fn get(&self, client: &Client) -> Response {
        let headers = [
            ("user-agent", self.agent),
            ("sec-ch-prefers-color-scheme", self.hint),
            ("accept-encoding", "identity"),
        ];
        let response = client.get_with(&self.path, &headers).await;
        assert_eq!(response.status, 200, "{self:?}");
        response
    }
}

fn variants(count: usize) -> Vec<Variant> {
    // Ordered by client profile, so that a small number covers every page.
    let all = VISITORS.iter().flat_map(|(agent, hint)| {
        ["/en-us", "/ar-sa"].iter().flat_map(move |locale| {
            PATHS.iter().map(move |path| Variant { path: format!("{locale}{path}"), agent, hint })
        })
    });
    let all = all.collect::<Vec<_>>();
    assert!(all.len() >= count);
    all.into_iter().take(count).collect()
}

/// Requests each variant of each gateway, some concurrently.
async fn each<T>(
    site: &Site,
    variants: &[Variant],
    send: impl AsyncFn(&Client, &Variant) -> T,
) -> Vec<T> {
    let clients = site.gateways.iter().map(|gateway| gateway.client()).collect::<Vec<_>>();
    let requests =
        clients.iter().flat_map(|client| variants.iter().map(move |variant| (client, variant)));
    let requests = stream::iter(requests.collect::<Vec<_>>());
    requests
        .map(|(client, variant)| send(client, variant))
        .buffer_unordered(CONCURRENCY)
        .collect()
        .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn menu_change_under_load_fails_no_page() {
    let site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let variants = variants(count(100, 500) as usize);
    each(&site, &variants, async |client, variant| variant.get(client).await.status).await;
    for gateway in &site.gateways {
        assert_eq!(gateway.client().get(UNCACHED).await.cache_status(), "bypass");
    }

    let load = Load::start(&site, &PATHS[1..].iter().map(|path| &**path).collect::<Vec<_>>());
    let name = "Invest again";
    let menu =
        seeded_menu().replacen("\"nameEn\": \"Invest\"", &format!("\"nameEn\": \"{name}\""), 1);
    let menu = menu.replacen("\"nameSa\": \"استثمر\"", &format!("\"nameSa\": \"{name}\""), 1);
    let mut bundle = Bundle::default();
    bundle.add("menu.json", &menu).unwrap();
    ConfigStore::open(&site.config_database()).await.unwrap().import(&bundle).await.unwrap();
    let changed = Instant::now();

    // A purge applies to all pages with its tag at once, so one page per gateway is enough.
    for gateway in &site.gateways {
        let left = PURGE_TIMEOUT.saturating_sub(changed.elapsed());
        let client = gateway.client();
        until(left, "the pages are soft-purged", async || {
            let response = variants[variants.len() - 1].get(&client).await;
            response.cache_status() == "stale" || response.text().contains(name)
        })
        .await;
        // An uncached page shows the new menu within the same time.
        until(PURGE_TIMEOUT, "the new menu is shown", async || {
            let page = client.get(UNCACHED).await;
            assert_eq!((page.status, page.cache_status()), (200, "bypass"));
            page.text().contains(name)
        })
        .await;
    }
    let responses = each(&site, &variants, async |client, variant| {
        let response = variant.get(client).await;
        (response.cache_status().to_owned(), response.text().contains(name))
    });
    let old = responses.await.into_iter().filter(|(how, is_new)| how != "stale" && !is_new).count();
    assert_eq!(old, 0, "pages with the previous menu count as fresh");

    // Each is refreshed in the background.
    let mut left = variants;
    while !left.is_empty() {
        assert!(changed.elapsed() < REFRESH_TIMEOUT, "{} pages have the previous menu", left.len());
        let responses = each(&site, &left, async |client, variant| {
            variant.get(client).await.text().contains(name).then_some(())
        });
        if responses.await.into_iter().all(|new| new.is_some()) {
            left.clear();
        }
    }
    let count = load.stop().await.len();
    assert!(count > 100, "{count}");
}

/// The seeded menu.
fn seeded_menu() -> String {
    let file = crate::kit::root().join("services/config/seed/menu.json");
    std::fs::read_to_string(file).unwrap()
}

/// Imports an article repeatedly; returns, per page, gateway and round, how long after the commit the previous page was
/// still served.
async fn purged(site: &Site, rounds: u32, name: &str) -> Vec<Duration> {
    let store = ContentStore::open(&site.content_database()).await.unwrap();
    let clients = site.gateways.iter().map(|gateway| gateway.client()).collect::<Vec<_>>();
    let mut times = Vec::new();
    for round in 0..rounds {
        let title = format!("{name} {round}.");
        let file = article_file(site, 5_101, &title);
        let report = import::run(&store, &[file], &Clock::system(), |_| {}).await.unwrap();
        assert_eq!(report.refused.len(), 0);
        let committed = Instant::now();
        let shown = clients.iter().flat_map(|client| {
            ["/en-us/news/content/5101", "/en-us/news"].map(|page| {
                let title = &title;
                async move {
                    let mut last = Duration::ZERO;
                    until(REFRESH_TIMEOUT, &format!("{title} on {page}"), async || {
                        let sent_after = committed.elapsed();
                        let is_new = client.get(page).await.text().contains(title);
                        last = if is_new { last } else { sent_after };
                        is_new
                    })
                    .await;
                    last
                }
            })
        });
        times.extend(join_all(shown).await);
    }
    times.sort_unstable();
    times
}

/// The 99th percentile.
pub(crate) fn p99(times: &[Duration]) -> Duration {
    times[(times.len() * 99).div_ceil(100) - 1]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hard_purges_reach_every_gateway_within_a_second_also_without_redis() {
    let mut site = Site::start(Plan { gateways: 2, redis: true, ..Plan::default() }).await;
    let load =
        Load::start(&site, &["/en-us/news", "/ar-sa/news", "/en-us", "/en-us/news/content/1001"]);
    let rounds = count(25, 250);
    let times = purged(&site, rounds, "With Redis").await;
    assert!(p99(&times) <= PURGE_TIMEOUT, "{times:?}");
    site.redis.as_mut().unwrap().kill();
    let times = purged(&site, rounds, "Without Redis").await;
    assert!(p99(&times) <= PURGE_TIMEOUT, "{times:?}");
    let count = load.stop().await.len();
    assert!(count > 100, "{count}");
}

#[test]
fn p99_ignores_one_in_a_hundred() {
    let times = |count: u64| (1..=count).map(Duration::from_millis).collect::<Vec<_>>();
    assert_eq!(p99(&times(1)), Duration::from_millis(1));
    assert_eq!(p99(&times(100)), Duration::from_millis(99));
    assert_eq!(p99(&times(200)), Duration::from_millis(198));
}
