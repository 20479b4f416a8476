//! Events that the all-in-one receives while attribution's database is unavailable (docs/failures.md): they are
//! acknowledged once they are in a bounded spool on disk, and each is counted once when the database recovers.

use std::time::Duration;

use sahm_attribution::{
    domain::{Draft, NewEvent, checked, day_of},
    spool::Spool,
};
use sahm_chassis::{Context, Process, Settings, clock::now_millis, rpc::Transport};
use sahm_proto::attribution::v1::{
    CountEventsRequest, event_statistics_service_client::EventStatisticsServiceClient,
};
use sahm_testkit::Postgres;
use serde_json::{Value, json};

use crate::{
    degradation::{MAX_CALL_DURATION, call, page},
    kit::{Client, Folder, Pairs, Program, Response, free_address, pairs, until},
    process,
};

/// Time within which spooled events are in the recovered database.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(20);
const DAY_MS: u64 = 24 * 3_600_000;

/// A `sahm` whose attribution service uses a PostgreSQL that becomes unavailable; other stores are files.
struct Reported {
    sahm: Program,
    client: Client,
    statistics: EventStatisticsServiceClient<Transport>,
    postgres: Postgres,
    settings: Pairs,
    folder: Folder,
}

impl Reported {
    async fn start() -> Self {
        let (folder, postgres) = (Folder::new(), Postgres::start().await.unwrap());
        let attribution = free_address();
        let mut settings = process::settings(&folder);
        settings.extend(pairs([
            ("SAHM_ATTRIBUTION_DATABASE_URL", &*postgres.database().await.unwrap()),
            ("SAHM_ATTRIBUTION_LISTEN", &attribution),
            ("SAHM_RATE_LIMITS", "off"),
        ]));
        let (sahm, client) = start(&settings).await;
        let context = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
        let transport = Transport::connect(&format!("http://{attribution}"), &context);
        let statistics = EventStatisticsServiceClient::new(transport);
        Self { sahm, client, statistics, postgres, settings, folder }
    }

    async fn report(&self, id: &str) -> Response {
        let event = json!({
            "eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10,
            "eventId": id,
        });
        call(&self.client, "/api/event-report/report", event).await
    }

    /// Reports an event that cannot be counted yet, and asserts that it is on disk.
    async fn assert_spooled(&self, id: &str) {
        assert_accepted(&self.report(id).await, id);
        let spool = std::fs::read_to_string(self.file()).unwrap();
        let mut lines = spool.lines().filter(|line| !line.is_empty());
        let is_it = |line: &str| serde_json::from_str::<Value>(line).unwrap()["event_id"] == id;
        assert!(lines.any(is_it), "{id}: {spool}");
    }

    /// The spool file.
    fn file(&self) -> std::path::PathBuf {
        self.folder.join("data/attribution-spool.jsonl")
    }

    fn spool(&self) -> Spool {
        Spool::open(&self.folder.join("data")).unwrap()
    }

    /// The number of counted events, once the spool is empty.
    async fn counted(&self) -> u64 {
        let spool = self.spool();
        until(DELIVERY_TIMEOUT, "the spool is empty", async || spool.is_empty()).await;
        // From yesterday to tomorrow, in case midnight is near.
        let now = now_millis();
        let request = CountEventsRequest {
            from_day: day_of(now - DAY_MS),
            to_day: day_of(now + DAY_MS),
            ..CountEventsRequest::default()
        };
        self.statistics.clone().count_events(request).await.unwrap().into_inner().total
    }
}

async fn start(settings: &Pairs) -> (Program, Client) {
    let mut sahm = Program::start("sahm", settings.clone());
    let address = sahm.wait_for_output("ready http://").await;
    (sahm, Client::new(address.parse().unwrap()))
}

fn assert_accepted(response: &Response, id: &str) {
    assert_eq!(response.status, 200, "{id}: {response:?}");
    let data = &response.json()["data"];
    assert_eq!((&data["accepted"], &data["eventId"]), (&true.into(), &id.into()));
}

fn ids(kind: &str, count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{kind}-{number:04}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spooled_events_are_counted_once_when_the_database_recovers() {
    let mut site = Reported::start().await;
    let (before, killed, hanging) = (ids("before", 3), ids("killed", 20), ids("hanging", 5));
    for id in &before {
        assert_accepted(&site.report(id).await, id);
    }
    assert_eq!(site.counted().await, 3);

    site.postgres.kill();
    for id in before.iter().chain(&killed).chain(&killed) {
        site.assert_spooled(id).await;
    }
    assert_eq!(page(&site.client, "/en-us", &[]).await.status, 200);
    // Acknowledged events survive the process.
    site.sahm.kill();
    site.postgres.restart().await.unwrap();
    (site.sahm, site.client) = start(&site.settings).await;
    assert_eq!(site.counted().await, 23);

    site.postgres.pause();
    for id in killed.iter().chain(&hanging) {
        site.assert_spooled(id).await;
    }
    site.postgres.resume();
    assert_eq!(site.counted().await, 28);
    // Spooled events are not counted twice.
    for id in hanging.iter().chain(&["after-0000".to_owned()]) {
        assert_accepted(&site.report(id).await, id);
    }
    assert_eq!(site.counted().await, 29);
}

fn event(id: String, bytes: usize) -> NewEvent {
    let value = json!({ "text": "x".repeat(bytes) }).to_string();
    let draft = Draft { name: "page_view".into(), value, event_id: Some(id), ..Draft::default() };
    checked(draft, now_millis()).unwrap()
}

/// Fills the remaining space with ever smaller events; returns their number.
async fn fill(spool: &Spool) -> u64 {
    let mut count = 0;
    for (bytes, batch) in [(16_000, 100), (16_000, 1), (1_000, 1), (1, 1)] {
        loop {
            let events = (0..batch).map(|at| event(format!("filling-{}", count + at), bytes));
            if spool.append(&events.collect::<Vec<_>>()).await.is_err() {
                break;
            }
            count += batch;
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_spool_rejects_new_events_and_keeps_spooled_ones() {
    let mut site = Reported::start().await;
    site.postgres.kill();
    site.assert_spooled("first-0000").await;
    let filled = fill(&site.spool()).await;
    assert!(filled > 1_000, "{filled}");
    let refused = site.report("later-0000").await;
    assert_eq!((refused.status, refused.json()["code"].as_u64()), (503, Some(503)));
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(page(&site.client, "/en-us", &[]).await.status, 200);
    site.postgres.restart().await.unwrap();
    assert_eq!(site.counted().await, 1 + filled);
    until(MAX_CALL_DURATION, "the rejected event is accepted", async || {
        site.report("later-0000").await.status == 200
    })
    .await;
    assert_eq!(site.counted().await, 2 + filled);
}
