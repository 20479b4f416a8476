//! Pages of members (contract §3, §6): made for each of them anew, kept by nobody, and never seen by
//! anyone else. Tried on every route of the table, on a real `sahm` with a real Redis.

use std::time::Duration;

use sahm_testkit::Redis;
use serde_json::json;

use crate::{
    attacks::{SECRET, member_at},
    kit::{Answer, Client, Folder, Html, Program, agent, free_address, pairs, until},
    pages::samples,
    process::settings,
};

/// For a line of the log.
const SOON: Duration = Duration::from_secs(2);

/// Both forms of a page.
const FORMS: [&str; 2] = ["", "/_data"];

async fn page(client: &Client, path: &str, cookie: &str) -> Answer {
    let mut headers = vec![("accept-encoding", "identity")];
    // Who says what it is, is sent elsewhere from there.
    if !path.ends_with("/activity/seed") {
        headers.push(("user-agent", agent::PC));
    }
    if !cookie.is_empty() {
        headers.push(("cookie", cookie));
    }
    client.get_with(path, &headers).await
}

/// A member's page. Where identity takes longer than the 150 ms that it has, the member counts as a
/// visitor (contract §3) and asks again; it says so in the log.
async fn members_page(client: &Client, sahm: &Program, path: &str, cookie: &str) -> Answer {
    let unanswered = || sahm.log().matches("session not checked").count();
    loop {
        let before = unanswered();
        let answer = page(client, path, cookie).await;
        if answer.how() == "bypass" {
            return answer;
        }
        until(SOON, &format!("{path}: why a member is none"), async || unanswered() > before).await;
    }
}

/// The member that a page's document was made for.
fn member_of(answer: &Answer, path: &str) -> serde_json::Value {
    let document = match path.starts_with("/_data") {
        true => answer.json()["document"].clone(),
        false => Html::parse(answer.text()).payload()["document"].clone(),
    };
    document["frame"]["member"].clone()
}

/// Keys of either level, as an operator lists them.
async fn keys(admin: &Client) -> Vec<String> {
    let listed = admin.get("/cache?limit=10000").await.json();
    let keys = listed["keys"].as_array().unwrap().iter();
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

/// Keys in Redis but those of built assets and their names.
async fn stored(redis: &Redis) -> Vec<String> {
    let client = redis::Client::open(redis.url()).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut keys =
        redis::cmd("KEYS").arg("*").query_async::<Vec<String>>(&mut connection).await.unwrap();
    keys.retain(|key| !key.starts_with("sahm:asset"));
    keys
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_pages_are_fresh_on_every_route_and_kept_nowhere() {
    let (folder, redis) = (Folder::new(), Redis::start().await.unwrap());
    let admin = free_address();
    let mut settings = settings(&folder);
    settings.extend(pairs([
        ("SAHM_ADMIN_LISTEN", &*admin),
        ("SAHM_REDIS_URL", &*redis.url()),
        ("SAHM_RATE_LIMITS", "off"),
    ]));
    let mut sahm = Program::start("sahm", settings);
    let address = sahm.says("ready http://").await.parse().unwrap();
    let (client, admin) = (Client::new(address), Client::new(admin.parse().unwrap()));
    let cookie = member_at(address).await;

    let samples = samples();
    let targets = ["/en-us", "/ar-sa"].iter().flat_map(|locale| {
        let forms = FORMS.iter().flat_map(|form| samples.iter().map(move |path| (form, path)));
        forms.map(move |(form, path)| format!("{form}{locale}{path}"))
    });
    let targets = targets.collect::<Vec<_>>();
    assert!(targets.len() > 120, "{}", targets.len());

    // What identity does for the first time may take longer than a page waits; a page of a search
    // is kept for nobody.
    const SEARCH: &str = "/en-us/support/search?keyword=fees";
    until(SOON, "a member is known", async || {
        !member_of(&page(&client, SEARCH, &cookie).await, SEARCH).is_null()
    })
    .await;

    // Before anyone else has asked: had it been kept, it would be found.
    for path in &targets {
        assert_fresh(&members_page(&client, &sahm, path, &cookie).await, path);
    }
    assert_eq!(keys(&admin).await, [""; 0]);
    let of_logs = |key: &String| key.starts_with("sahm:log:") || key == "sahm:builds";
    let keys_there = stored(&redis).await;
    assert!(keys_there.iter().all(of_logs), "{keys_there:?}");

    for path in &targets {
        // Nothing of the member's page is served, and the visitor's is made.
        let visitors = page(&client, path, "").await;
        assert_visitors(&visitors, path, "miss");
        assert_fresh(&members_page(&client, &sahm, path, &cookie).await, path);
        let again = page(&client, path, "").await;
        assert_visitors(&again, path, "hit");
        assert_eq!((again.header("etag"), &again.body), (visitors.header("etag"), &visitors.body));
    }
    // One key each, and pages in Redis: that there were none before says something.
    let kept = keys(&admin).await;
    assert_eq!(kept.len(), targets.len(), "{kept:?}");
    assert!(stored(&redis).await.iter().filter(|key| key.starts_with("sahm:page:")).count() > 100);

    // The session ends, and with it what was the member's own.
    let form = [("content-type", "application/json"), ("cookie", &*cookie)];
    client.ask("POST", "/api/passport/logout", &form, json!({}).to_string()).await;
    for path in &targets {
        let ended = page(&client, path, &cookie).await;
        // Missing pages are kept for a short time.
        let how = if ended.status == 404 { ended.how().to_owned() } else { "hit".to_owned() };
        assert_visitors(&ended, path, &how);
    }
}

fn assert_fresh(answer: &Answer, path: &str) {
    assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
    assert_eq!((answer.how(), answer.header("cache-control")), ("bypass", "no-store"), "{path}");
    assert_eq!((answer.header("etag"), answer.header("age")), ("", ""), "{path}");
    assert_eq!(member_of(answer, path)["hsNo"], SECRET, "{path}");
}

fn assert_visitors(answer: &Answer, path: &str, how: &str) {
    assert!([200, 404].contains(&answer.status), "{path}: {}", answer.status);
    assert_eq!(answer.how(), how, "{path}");
    assert_eq!(answer.header("cache-control"), "private, no-cache", "{path}");
    assert!(member_of(answer, path).is_null() && !answer.text().contains(SECRET), "{path}");
}
