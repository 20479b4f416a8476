//! Pages of members (docs/members-pages.md): built from the page data of visitors, never stored, and never served to
//! others. Tests every route and alias on PC, phone and in the app, with a real `sahm` and real Redis.

use std::time::Duration;

use sahm_testkit::Redis;
use serde_json::json;

use crate::{
    attacks::{SECRET, member_at},
    kit::{Client, Folder, Html, Program, Response, agent, free_address, pairs, until},
    pages::samples,
    process::settings,
};

/// Timeout of a log line.
const LOG_TIMEOUT: Duration = Duration::from_secs(2);

/// Both forms of a page.
const FORMS: [&str; 2] = ["", "/_data"];

const LOCALES: [&str; 2] = ["/en-us", "/ar-sa"];

/// Aliases of pages (docs/redirects.md); `@` is the locale.
const ALIASES: [&str; 5] = [
    "/feature/college?lang=@",
    "/feature/college/course/list?categoryId=2&lang=@",
    "/feature/college/course/detail?courseId=first-steps-in-the-market&lang=@",
    "/feature/college/article/detail?articleId=what-a-share-is&lang=@",
    "/activitiesr/pre-activity-new?lang=@",
];

/// An unmatched path.
const UNMATCHED: &str = "/no-such-page";

/// Pages that are never cached.
const UNCACHED: [&str; 2] = ["/support/search?keyword=fees", "/preview/drafts"];

/// A page in one of its forms, and the client that requests it.
struct Target {
    path: String,
    agent: &'static str,
    /// Whether it is cached for visitors.
    is_cached: bool,
}

/// Every page of each platform that has it. Pages that differ by platform only are requested in one locale and form.
fn targets() -> Vec<Target> {
    let samples = samples();
    let mut targets = Vec::new();
    for (at, locale) in LOCALES.into_iter().enumerate() {
        let prefixed = |path: &str| format!("{locale}{path}");
        let cached = samples.iter().map(String::as_str).chain([UNMATCHED]).map(prefixed);
        let aliases = ALIASES.iter().map(|alias| alias.replace('@', &locale[1..]));
        let cached = cached.chain(aliases).map(|path| (path, true));
        let uncached = UNCACHED.into_iter().map(|path| (prefixed(path), false));
        for (path, is_cached) in cached.chain(uncached) {
            for form in FORMS {
                let path = format!("{form}{path}");
                targets.push(Target { path, agent: agent::PC, is_cached });
            }
            let agent = [agent::MOBILE, agent::APP][at];
            if !is_elsewhere(&path, agent) {
                targets.push(Target { path, agent, is_cached });
            }
        }
    }
    targets
}

/// Whether phones and the app are redirected from a path (docs/redirects.md).
fn is_elsewhere(path: &str, agent: &str) -> bool {
    let page = bare(path);
    page.starts_with("/activity/seed")
        || page.starts_with("/activity/pre-activity-new")
        || (agent == agent::APP && page.starts_with("/education"))
}

/// A path as in cache keys: without form, locale and query.
fn bare(path: &str) -> &str {
    let path = path.strip_prefix("/_data").unwrap_or(path);
    let path = LOCALES.iter().find_map(|locale| path.strip_prefix(locale)).unwrap_or(path);
    path.split('?').next().unwrap_or_default()
}

async fn page(client: &Client, target: &Target, cookie: &str) -> Response {
    let mut headers = vec![("accept-encoding", "identity")];
    // Clients with a user agent are redirected from these paths.
    if !target.path.ends_with("/activity/seed") {
        headers.push(("user-agent", target.agent));
    }
    if !cookie.is_empty() {
        headers.push(("cookie", cookie));
    }
    client.get_with(&target.path, &headers).await
}

/// A member's page, and whether a visitor's page was built first: if identity exceeds its 150 ms, the member is treated
/// as a visitor (docs/sessions.md), which is logged, and requests the page again.
async fn members_page(
    client: &Client,
    sahm: &Program,
    target: &Target,
    cookie: &str,
) -> (Response, bool) {
    let path = &target.path;
    let failed_checks = || sahm.log().matches("session not checked").count();
    let mut as_visitor = false;
    loop {
        let before = failed_checks();
        let response = page(client, target, cookie).await;
        if response.cache_status() == "bypass" && !member_of(&response, target).is_null() {
            return (response, as_visitor);
        }
        until(LOG_TIMEOUT, &format!("{path}: why a member is treated as a visitor"), async || {
            failed_checks() > before
        })
        .await;
        as_visitor = true;
    }
}

/// The member's own values, which follow the document.
fn member_of(response: &Response, target: &Target) -> serde_json::Value {
    match target.path.starts_with("/_data") {
        true => response.json()["member"].clone(),
        false => Html::parse(response.text()).json("sahm-member").unwrap_or_default(),
    }
}

/// The state of the member's account in the document.
fn account_of(response: &Response, target: &Target) -> serde_json::Value {
    let document = match target.path.starts_with("/_data") {
        true => response.json()["document"].clone(),
        false => Html::parse(response.text()).payload()["document"].clone(),
    };
    document["frame"]["member"].clone()
}

/// Keys of both stores, as the operator's listing shows them.
async fn keys(admin: &Client) -> Vec<String> {
    let listed = admin.get("/cache?limit=10000").await.json();
    let keys = listed["keys"].as_array().unwrap().iter();
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

/// Keys in Redis, except those of assets.
async fn stored(redis: &Redis) -> Vec<String> {
    let client = redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut keys =
        redis::cmd("KEYS").arg("*").query_async::<Vec<String>>(&mut connection).await.unwrap();
    keys.retain(|key| !key.starts_with("sahm:asset"));
    keys
}

/// Everything about pages in Redis, as text; compressed bodies are not readable, but tags, keys and logs are.
async fn stored_text(redis: &Redis) -> String {
    let client = redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut text = String::new();
    for key in stored(redis).await {
        let dump = redis::cmd("DUMP").arg(&key).query_async::<Vec<u8>>(&mut connection).await;
        text.push_str(&key);
        text.push_str(&String::from_utf8_lossy(&dump.unwrap_or_default()));
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn member_pages_bypass_the_cache_on_every_route() {
    let (folder, redis) = (Folder::new(), Redis::start().await.unwrap());
    let admin = free_address();
    let mut settings = settings(&folder);
    settings.extend(pairs([
        ("SAHM_ADMIN_LISTEN", &*admin),
        ("SAHM_REDIS_URL", &*redis.url()),
        ("SAHM_RATE_LIMITS", "off"),
        ("SAHM_PREVIEW_TYPES", "drafts"),
    ]));
    let mut sahm = Program::start("sahm", settings);
    let address = sahm.wait_for_output("ready http://").await.parse().unwrap();
    let (client, admin) = (Client::new(address), Client::new(admin.parse().unwrap()));
    let cookie = member_at(address).await;

    let targets = targets();
    for (agent, at_least) in [(agent::PC, 150), (agent::MOBILE, 30), (agent::APP, 20)] {
        let count = targets.iter().filter(|target| target.agent == agent).count();
        assert!(count > at_least, "{agent}: {count}");
    }

    // The first session check may exceed its timeout.
    let uncached = targets.iter().find(|target| !target.is_cached).unwrap();
    until(LOG_TIMEOUT, "a member is known", async || {
        !member_of(&page(&client, uncached, &cookie).await, uncached).is_null()
    })
    .await;

    // Before any visit by a visitor, only the page data of visitors is stored.
    let mut mistaken = Vec::new();
    for target in &targets {
        let (response, as_visitor) = members_page(&client, &sahm, target, &cookie).await;
        assert_fresh(&response, target);
        if as_visitor && target.is_cached {
            mistaken.push(&*target.path);
        }
    }
    let before = keys(&admin).await;
    // Unmatched paths share a key without their path.
    let names = |key: &str, path: &str| key.contains(bare(path)) || path.ends_with(UNMATCHED);
    let is_mistaken = |key: &String| mistaken.iter().any(|path| names(key, path));
    let is_data = |key: &String| key.starts_with("data:");
    let unexpected = before.iter().find(|key| !is_data(key) && !is_mistaken(key));
    assert_eq!(unexpected, None, "{mistaken:?}");
    assert!(before.iter().any(is_data), "{before:?}");
    assert!(!stored_text(&redis).await.contains(SECRET));

    for target in &targets {
        // The member's page is not served to the visitor, whose page is a miss.
        let visitors = page(&client, target, "").await;
        // The page data was cached for the member's page; missing pages are cached only briefly.
        let is_stored = target.path.starts_with("/_data") && visitors.status == 200;
        let is_brief = mistaken.contains(&&*target.path) || visitors.status == 404;
        let how = if is_stored { "hit" } else { "miss" };
        assert_visitors(&visitors, target, if is_brief { visitors.cache_status() } else { how });
        assert_fresh(&members_page(&client, &sahm, target, &cookie).await.0, target);
        let again = page(&client, target, "").await;
        assert_visitors(&again, target, "hit");
        if target.is_cached {
            let [first, second] = [&visitors, &again].map(|page| (page.header("etag"), &page.body));
            assert_eq!(first, second, "{}", target.path);
        }
    }
    // One key per page, and one per page data.
    let cached = keys(&admin).await;
    assert!(cached.len() >= targets.iter().filter(|target| target.is_cached).count(), "{cached:?}");
    assert!(stored(&redis).await.iter().filter(|key| key.starts_with("sahm:page:")).count() > 100);

    // After logout, the member's values are absent.
    let form = [("content-type", "application/json"), ("cookie", &*cookie)];
    client.send("POST", "/api/passport/logout", &form, json!({}).to_string()).await;
    for target in &targets {
        let ended = page(&client, target, &cookie).await;
        // Missing pages are cached only briefly.
        let how =
            if ended.status == 404 { ended.cache_status().to_owned() } else { "hit".to_owned() };
        assert_visitors(&ended, target, &how);
    }
}

fn assert_fresh(response: &Response, target: &Target) {
    let path = format!("{} {}", target.path, target.agent);
    assert!([200, 404].contains(&response.status), "{path}: {}", response.status);
    assert_eq!(
        (response.cache_status(), response.header("cache-control")),
        ("bypass", "no-store"),
        "{path}"
    );
    assert_eq!((response.header("etag"), response.header("age")), ("", ""), "{path}");
    assert_eq!(member_of(response, target)["hsNo"], SECRET, "{path}");
    let account = account_of(response, target);
    assert!(account.is_object() && !account.to_string().contains(SECRET), "{path}: {account}");
}

/// Asserts a visitor's page; `how` is its expected cache status if it is cached.
fn assert_visitors(response: &Response, target: &Target, how: &str) {
    let path = format!("{} {}", target.path, target.agent);
    assert!([200, 404].contains(&response.status), "{path}: {}", response.status);
    let expected =
        if target.is_cached { (how, "private, no-cache") } else { ("bypass", "no-store") };
    assert_eq!((response.cache_status(), response.header("cache-control")), expected, "{path}");
    assert!(member_of(response, target).is_null() && !response.text().contains(SECRET), "{path}");
    assert!(account_of(response, target).is_null(), "{path}");
}
