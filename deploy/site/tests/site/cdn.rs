//! CDN mode behind a real Varnish with the example configuration (docs/operations/cdn.md).

use std::time::Duration;

use sahm_chassis::clock::Clock;
use sahm_content::{import, store::ContentStore};
use sahm_proto::{config::v1::SetSwitchRequest, options::v1::Feature};
use sahm_testkit::Varnish;

use crate::{
    attacks::{SECRET, member_at},
    freshness::article_file,
    kit::{Client, Plan, Response, Site, agent, free_address, root, until},
    pages::samples,
};

/// Time within which the CDN shows a change.
const PURGE_TIMEOUT: Duration = Duration::from_secs(1);
/// Time within which a page is stored in the CDN, on a busy machine.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

const PAGE: &str = "/en-us/news/content/1001";

/// A site and the CDN in front of it.
struct Cdn {
    site: Site,
    client: Client,
    _varnish: Varnish,
}

impl Cdn {
    async fn start() -> Self {
        let address = Varnish::free_address().unwrap();
        let site = Site::start(Plan { cdn: Some(address), ..Plan::default() }).await;
        let gateway = site.gateways[0].address;
        let vcl = std::fs::read_to_string(root().join("deploy/cdn/varnish.vcl")).unwrap();
        let vcl = vcl.replace("\"127.0.0.1\"", &format!("\"{}\"", gateway.ip()));
        let vcl = vcl.replace("\"8080\"", &format!("\"{}\"", gateway.port()));
        let varnish = Varnish::start(address, &vcl).await.unwrap();
        Self { site, client: Client::new(address), _varnish: varnish }
    }

    async fn get(&self, path: &str, agent: &str, cookie: &str) -> Response {
        let headers = [("user-agent", agent), ("cookie", cookie), ("accept-encoding", "identity")];
        let headers = headers.iter().filter(|(_, value)| !value.is_empty()).copied();
        self.client.get_with(path, &headers.collect::<Vec<_>>()).await
    }

    /// Requests a page as a visitor on a PC without cookies.
    async fn visit(&self, path: &str) -> Response {
        self.get(path, agent::PC, "").await
    }

    /// Requests a page until it is a hit in the CDN.
    async fn until_stored(&self, path: &str) -> Response {
        let mut response = self.visit(path).await;
        until(STORE_TIMEOUT, &format!("{path} is stored"), async || {
            response = self.visit(path).await;
            is_hit(&response)
        })
        .await;
        response
    }
}

fn is_hit(response: &Response) -> bool {
    response.header("x-cdn-cache") == "hit"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cdn_serves_visitors_and_passes_members_and_the_app() {
    let cdn = Cdn::start().await;
    let first = cdn.visit(PAGE).await;
    assert_eq!((first.status, is_hit(&first)), (200, false));
    assert!(!first.headers.contains_key("set-cookie"), "{:?}", first.headers);
    let stored = cdn.until_stored(PAGE).await;
    assert_eq!((stored.status, &stored.body), (200, &first.body));
    assert_eq!(stored.header("cache-control"), "private, no-cache");
    for name in ["set-cookie", "surrogate-key", "cdn-cache-control"] {
        assert!(!stored.headers.contains_key(name), "{name}");
    }
    // Other cookies of visitors do not matter.
    until(STORE_TIMEOUT, "a hit with other cookies", async || {
        cdn.until_stored(PAGE).await;
        is_hit(&cdn.get(PAGE, agent::PC, "vid=1; AGENTID=7").await)
    })
    .await;
    // Phones and Arabic visitors get their own variants.
    let phone = cdn.get(PAGE, agent::MOBILE, "").await;
    assert!(!is_hit(&phone) && phone.text().contains("data-platform=\"mobile\""));
    let english = cdn.until_stored("/about").await;
    let arabic = cdn.get("/about", agent::PC, "vid=1; lang=ar-sa").await;
    assert!(!is_hit(&arabic) && arabic.text().contains("lang=\"ar"), "{}", arabic.text());
    assert_eq!(cdn.visit("/about").await.body, english.body);

    // A member never gets a stored page, and a member's page is never stored, whether or not the visitors' page is
    // stored.
    let session = member_at(cdn.site.gateways[0].address).await;
    let unseen = "/en-us/news/content/1002";
    for path in [PAGE, unseen, PAGE, unseen] {
        let member = cdn.get(path, agent::PC, &format!("vid=1; {session}")).await;
        assert!(!is_hit(&member), "{path}");
        // If identity times out, the gateway responds as to a visitor, but the response is not stored.
        if member.cache_status() == "bypass" {
            assert_eq!(member.header("cache-control"), "no-store");
        }
        assert_ne!(member.header("x-cdn-cache"), "hit");
    }
    let visitor = cdn.visit(unseen).await;
    assert_eq!((visitor.status, is_hit(&visitor)), (200, false));
    assert!(!visitor.text().contains(SECRET));
    assert!(!cdn.until_stored(unseen).await.text().contains(SECRET));

    // The app is redirected from a stored page, and receives its own pages.
    let lesson = "/en-us/education/article/what-a-share-is";
    cdn.until_stored(lesson).await;
    assert_eq!(cdn.get(lesson, agent::APP, "").await.status, 302);
    for _ in 0..2 {
        let app = cdn.get(PAGE, agent::APP, "").await;
        assert!(!is_hit(&app) && app.text().contains("data-platform=\"app\""));
    }
    // A response that sets a cookie is not stored.
    for _ in 0..2 {
        let campaign = cdn.visit("/en-us/news/content/1001?_pid=p1").await;
        assert!(!is_hit(&campaign) && campaign.header("set-cookie").contains("p1"));
    }
    // 404 pages are not stored.
    for _ in 0..2 {
        let missing = cdn.visit("/en-us/no/such/page").await;
        assert_eq!((missing.status, is_hit(&missing)), (404, false));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_is_shown_by_the_cdn_within_a_second() {
    let cdn = Cdn::start().await;
    let store = ContentStore::open(&cdn.site.content_database()).await.unwrap();
    let article = "/en-us/news/content/5102";
    let unrelated = "/en-us/terms-and-conditions/disclaimer";
    let mut round = 0;
    // A page without the tag stays. Purges of earlier changes, repeated after 2 s, may still remove it from the CDN.
    until(STORE_TIMEOUT, "an unrelated page stays", async || {
        round += 1;
        cdn.until_stored(unrelated).await;
        let title = format!("Behind a CDN {round}.");
        let file = article_file(&cdn.site, 5_102, &title);
        let report = import::run(&store, &[file], &Clock::system(), |_| {}).await.unwrap();
        assert_eq!(report.refused.len(), 0);
        for page in [article, "/en-us/news"] {
            until(PURGE_TIMEOUT, &format!("{title} on {page}"), async || {
                cdn.visit(page).await.text().contains(&title)
            })
            .await;
        }
        cdn.until_stored(article).await;
        cdn.until_stored("/en-us/news").await;
        is_hit(&cdn.visit(unrelated).await)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_maintenance_page_replaces_pages_in_the_cdn() {
    let cdn = Cdn::start().await;
    cdn.until_stored(PAGE).await;
    let switch = SetSwitchRequest {
        feature: Feature::Site.into(),
        off: true,
        operator: "reem".to_owned(),
        reason: "R-1".to_owned(),
        ..SetSwitchRequest::default()
    };
    cdn.site.config_client().set_switch(switch).await.unwrap();
    until(STORE_TIMEOUT, "the maintenance page", async || cdn.visit(PAGE).await.status == 503)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cdn_purges_for_the_gateway_alone() {
    let cdn = Cdn::start().await;
    struct Row {
        method: &'static str,
        authorization: &'static str,
        tags: &'static str,
        status: u16,
    }
    const PURGE: Row =
        Row { method: "POST", authorization: "Bearer change-me", tags: "page:all", status: 200 };
    for row in [
        Row { authorization: "Bearer wrong", status: 403, ..PURGE },
        Row { method: "GET", status: 403, ..PURGE },
        Row { tags: "news:1 || req.url ~ .", status: 400, ..PURGE },
        Row { tags: "news:7777", ..PURGE },
    ] {
        let headers = [("authorization", row.authorization), ("surrogate-key", row.tags)];
        // The page stays. The site's own purges, of its import, may still remove it.
        until(STORE_TIMEOUT, &format!("{} {} leaves the page", row.method, row.tags), async || {
            cdn.until_stored(PAGE).await;
            let response = cdn.client.send(row.method, "/cdn-purge", &headers, "").await;
            assert_eq!(response.status, row.status, "{} {}", row.method, row.tags);
            is_hit(&cdn.visit(PAGE).await)
        })
        .await;
    }
    cdn.until_stored(PAGE).await;
    let headers = [("authorization", PURGE.authorization), ("surrogate-key", PURGE.tags)];
    assert_eq!(cdn.client.send(PURGE.method, "/cdn-purge", &headers, "").await.status, 200);
    assert!(!is_hit(&cdn.visit(PAGE).await));
}

/// Maximum bytes of the tags of any page. The gateway makes a page with more than 2,048 private.
const MAX_TAG_BYTES: usize = 512;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_of_every_page_fit_into_the_header() {
    // Nothing listens there, so purges fail.
    let nowhere = free_address().parse().unwrap();
    let site = Site::start(Plan { cdn: Some(nowhere), ..Plan::default() }).await;
    let client = site.client();
    // Without a cookie the variant is English, whatever the path.
    let visit = async |path: &str, agent: &str, variant: &str| {
        client.get_with(path, &[("user-agent", agent), ("x-page-variant", variant)]).await
    };
    until(STORE_TIMEOUT, "the change logs are known", async || {
        visit(PAGE, agent::PC, "en-us:pc").await.headers.contains_key("surrogate-key")
    })
    .await;
    let mut longest = (0, String::new());
    let mut shared = 0;
    for (agent, variant) in [(agent::PC, "en-us:pc"), (agent::MOBILE, "en-us:mobile")] {
        for path in samples() {
            for locale in ["en-us", "ar-sa"] {
                let path = format!("/{locale}{path}");
                let mut response = visit(&path, agent, variant).await;
                if response.status != 200 {
                    continue;
                }
                // On a busy machine a page may lack a part for 10 s; such a page is private.
                until(2 * STORE_TIMEOUT, &format!("{path} is shared as {variant}"), async || {
                    response = visit(&path, agent, variant).await;
                    response.headers.contains_key("surrogate-key")
                })
                .await;
                let bytes = response.header("surrogate-key").len();
                longest = longest.max((bytes, path));
                shared += 1;
            }
        }
    }
    assert!(shared > 150, "{shared} pages");
    assert!(longest.0 <= MAX_TAG_BYTES, "{longest:?}");
}
