//! Load during restarts, and the failures that it observes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use jiff::Timestamp;
use serde_json::{Value, json};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    fleet::{Fleet, Part},
    kit::{Client, Response, agent, until},
    navigation, streams,
};

/// Pause between two requests of one client. It leaves the processors some idle time: a request that misses its deadline
/// for lack of a processor says nothing about a rollout.
const PAUSE: Duration = Duration::from_millis(100);
/// Timeout of clients (docs/limits-and-timeouts.md).
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of the first request for a page.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(30);
/// Number of concurrent streams.
const STREAMS: usize = 6;

/// Cacheable pages, which are mostly hits.
const PAGES: [&str; 6] = [
    "/en-us",
    "/ar-sa/news/us",
    "/en-us/news/content/1001",
    "/en-us/education",
    "/ar-sa/support",
    "/en-us/invest/us-stocks",
];

/// A running load. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Load(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// A text that only the HTML of each build contains.
    marks: [(String, &'static str); 2],
    over: CancellationToken,
    tasks: TaskTracker,
    requests: Mutex<BTreeMap<&'static str, u64>>,
    failures: Mutex<Vec<String>>,
    during: Mutex<String>,
    builds: Mutex<BTreeSet<String>>,
    reconnects: AtomicU64,
    slowest: Mutex<(Duration, String)>,
    began: Mutex<Option<Instant>>,
}

/// Statistics of the load.
#[derive(Debug)]
pub(crate) struct LoadStatistics {
    pub(crate) requests: BTreeMap<&'static str, u64>,
    pub(crate) reconnects: u64,
    /// Responses per second.
    pub(crate) responses_per_second: f64,
    slowest: (Duration, String),
}

impl fmt::Display for LoadStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { requests, reconnects, responses_per_second, slowest, .. } = self;
        write!(
            f,
            "{responses_per_second:.0} responses per second: {requests:?}, reopened streams {reconnects}, \
             slowest {slowest:?}"
        )
    }
}

impl Load {
    /// Starts all clients, after each process has been warmed up.
    pub(crate) async fn start(fleet: &Fleet) -> Self {
        let marks = fleet.builds.marks();
        let load = Self(Arc::new(Inner { marks, ..Inner::default() }));
        let cookie = log_in(fleet).await;
        let client = fleet.client();
        let there = async |path: &str, agent| {
            let headers = [("user-agent", agent)];
            until(WARM_UP_TIMEOUT, path, async || {
                client.get_with(path, &headers).await.status == 200
            })
            .await;
        };
        for path in PAGES {
            there(path, agent::MOBILE).await;
        }
        for path in navigation::PATHS {
            there(path, agent::PC).await;
            there(&format!("/_data{path}"), agent::PC).await;
        }
        *load.0.began.lock().unwrap() = Some(Instant::now());
        load.spawn(pages(load.clone(), fleet.client()));
        load.spawn(searches(load.clone(), fleet.client()));
        load.spawn(calls(load.clone(), fleet.client()));
        load.spawn(events(load.clone(), fleet.client()));
        load.spawn(member(load.clone(), fleet.client(), cookie));
        load.spawn(navigation::browse(load.clone(), fleet.client(), fleet.builds.sites()));
        for _ in 0..STREAMS {
            load.spawn(streams::listen(load.clone(), fleet.address()));
        }
        load
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let over = self.0.over.clone();
        self.0.tasks.spawn(async move { over.run_until_cancelled(work).await });
    }

    /// Stops the load and returns its statistics.
    pub(crate) async fn end(&self) -> LoadStatistics {
        self.0.over.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        let took = self.0.began.lock().unwrap().unwrap().elapsed();
        let requests = self.0.requests.lock().unwrap().clone();
        let is_response = |kind: &str| !kind.starts_with("line") && kind != "known member";
        let responses: u64 =
            requests.iter().filter(|(kind, _)| is_response(kind)).map(|(_, count)| count).sum();
        LoadStatistics {
            responses_per_second: responses as f64 / took.as_secs_f64(),
            requests,
            reconnects: self.0.reconnects.load(Ordering::SeqCst),
            slowest: self.0.slowest.lock().unwrap().clone(),
        }
    }

    /// The frontend builds whose pages were received so far.
    pub(crate) fn builds(&self) -> BTreeSet<String> {
        self.0.builds.lock().unwrap().clone()
    }

    /// Names the current operation, for [`Load::failures`].
    pub(crate) fn during(&self, what: String) {
        *self.0.during.lock().unwrap() = what;
    }

    /// The failures so far.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.0.failures.lock().unwrap().clone()
    }

    /// The failures, with the logs of processes.
    pub(crate) fn report(&self, fleet: &Fleet) -> String {
        let complaints = |log: &String| {
            let lines = log.lines().filter(|line| {
                ["\"level\":\"WARN\"", "\"level\":\"ERROR\"", "\"level\":\"error\"", "draining"]
                    .iter()
                    .any(|word| line.contains(word))
            });
            let lines: Vec<_> = lines.collect();
            lines[lines.len().saturating_sub(30)..].join("\n")
        };
        let logs = Part::all().flat_map(|part| {
            let logs = fleet.logs(part);
            logs.iter().map(|log| format!("--- {part:?}\n{}", complaints(log))).collect::<Vec<_>>()
        });
        format!("{}\n{}", self.failures().join("\n"), logs.collect::<Vec<_>>().join("\n"))
    }

    /// Records a failure.
    pub(crate) fn fail(&self, what: &str, why: impl fmt::Display) {
        let during = self.0.during.lock().unwrap().clone();
        self.0
            .failures
            .lock()
            .unwrap()
            .push(format!("{} {during}: {what}: {why}", Timestamp::now()));
    }

    /// Records that a stream was reopened.
    pub(crate) fn reconnected(&self) {
        self.0.reconnects.fetch_add(1, Ordering::SeqCst);
    }

    /// Records a page of this build.
    pub(crate) fn shown(&self, build: &str) {
        self.0.builds.lock().unwrap().insert(build.to_owned());
    }

    /// Counts a response of a kind.
    pub(crate) fn count(&self, kind: &'static str) {
        *self.0.requests.lock().unwrap().entry(kind).or_default() += 1;
    }

    /// Sends a request; a late, incomplete or unsuccessful response is recorded as a failure.
    pub(crate) async fn send(
        &self,
        kind: &'static str,
        client: &Client,
        request: (&str, &str),
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<Response> {
        let ((method, path), began) = (request, Instant::now());
        let response = client.try_send(method, path, headers, body.to_owned());
        let response = tokio::time::timeout(REQUEST_TIMEOUT, response).await;
        tokio::time::sleep(PAUSE).await;
        self.count(kind);
        let took = began.elapsed();
        let mut slowest = self.0.slowest.lock().unwrap();
        if took > slowest.0 {
            *slowest = (took, format!("{method} {path} {}", self.0.during.lock().unwrap()));
        }
        drop(slowest);
        let what = format!("{kind}: {method} {path}");
        match response {
            Err(_) => self.fail(&what, "no response in time"),
            Ok(Err(error)) => self.fail(&what, format!("{error:?}")),
            Ok(Ok(response)) if response.status == 200 || response.status == 409 => {
                return Some(response);
            }
            Ok(Ok(response)) => {
                self.fail(&what, format!("{}: {:?}", response.status, response.body))
            }
        }
        None
    }

    /// Requests a page, which must be complete and rendered.
    pub(crate) async fn page(
        &self,
        kind: &'static str,
        client: &Client,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Option<Response> {
        let response = self.send(kind, client, ("GET", path), headers, "").await?;
        let text = response.text();
        let is_whole = text.trim_end().ends_with("</html>");
        let lacks = text.contains("Unavailable\":true") || text.contains("\"unavailable\":true");
        if !is_whole || lacks || text.contains("data-shell") {
            self.fail(path, format!("whole: {is_whole}, lacks a part: {lacks}, else a shell"));
        }
        // Styles and scripts must belong to the page's build.
        let is_of = |(id, _): &&(String, _)| text.contains(&format!("\"build\":\"{id}\""));
        let own: Vec<_> = self.0.marks.iter().filter(is_of).map(|(_, mark)| mark).collect();
        let found = self.0.marks.iter().map(|(_, mark)| mark).filter(|mark| text.contains(**mark));
        if own.len() != 1 || found.ne(own) {
            self.fail(path, "HTML of another build than its head");
        }
        Some(response)
    }

    /// Makes a JSON call; returns its `data`.
    async fn call(&self, kind: &'static str, client: &Client, path: &str, body: Value) -> Value {
        let headers = [("content-type", "application/json")];
        let body = body.to_string();
        let response = self.send(kind, client, ("POST", path), &headers, &body).await;
        let Some(response) = response else { return Value::Null };
        let mut json = response.json();
        if json["code"] != 10_000_000 {
            self.fail(path, &json);
        }
        json["data"].take()
    }
}

/// Signs up a member with a code.
async fn log_in(fleet: &Fleet) -> String {
    let client = fleet.client();
    let phone = json!({ "telCode": "966", "phone": "512340001", "scene": 1 });
    let headers = [("content-type", "application/json")];
    let call = "/api/passport/auth-code/send";
    let sent = client.send("POST", call, &headers, phone.to_string()).await;
    assert_eq!(sent.status, 200, "{sent:?}");
    let mut messages = Vec::new();
    until(REQUEST_TIMEOUT, "the code is sent", async || {
        messages = fleet.text_messages();
        !messages.is_empty()
    })
    .await;
    let mut login = phone;
    login["code"] = messages[0]["code"].clone();
    login["agreement"] = true.into();
    let call = "/api/passport/sms/login";
    let response = client.send("POST", call, &headers, login.to_string()).await;
    assert_eq!(response.status, 200, "{response:?}");
    let set = response.header("set-cookie");
    set.split(';').next().unwrap().to_owned()
}

async fn pages(load: Load, client: Client) {
    for path in PAGES.iter().cycle() {
        load.page("page", &client, path, &[("user-agent", agent::MOBILE)]).await;
    }
}

/// Searches are not cached: each calls content and the renderer.
async fn searches(load: Load, client: Client) {
    for at in 0_u64.. {
        load.page("search", &client, &format!("/en-us/support/search?keyword=word{at}"), &[]).await;
    }
}

async fn calls(load: Load, client: Client) {
    let calls = [
        ("/api/news/content/detail", json!({ "id": "1001" })),
        ("/api/news/content/info/list", json!({ "market": "us", "size": 5 })),
        ("/api/hq/querySimpleBySecurityCodes", json!({ "securityCodes": "AAPL" })),
        ("/api/config/rest/menu", json!({})),
        ("/api/activity/base/info", json!({ "activityId": "6666" })),
        ("/api/college/course/list", json!({})),
    ];
    for (path, body) in calls.iter().cycle() {
        load.call("call", &client, path, body.clone()).await;
    }
}

async fn events(load: Load, client: Client) {
    for at in 0_u64.. {
        let id = format!("rolling-{at}");
        let event = json!({
            "eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10,
            "eventId": id,
        });
        let data = load.call("event", &client, "/api/event-report/report", event).await;
        if data["accepted"] != true {
            load.fail(&id, &data);
        }
    }
}

async fn member(load: Load, client: Client, cookie: String) {
    let headers = [("cookie", &*cookie), ("content-type", "application/json")];
    loop {
        let call = ("POST", "/api/passport/member/check");
        let Some(response) = load.send("member", &client, call, &headers, "{}").await else {
            continue;
        };
        // If identity needs more than 150 ms, the member is treated as a visitor once; the session stays.
        match response.json()["data"]["logined"].as_bool() {
            Some(true) => load.count("known member"),
            Some(false) if response.header("set-cookie").is_empty() => {}
            _ => load.fail("the session has ended", format!("{response:?}")),
        }
        load.page("member", &client, "/en-us/news", &headers).await;
    }
}
