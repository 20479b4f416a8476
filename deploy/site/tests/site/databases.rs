//! A database that is killed, stopped, or behind a faulty connection (docs/failures.md): its services respond
//! `Unavailable` at once, not after a timeout, and until they have noticed, no request exceeds its deadline
//! (docs/limits-and-timeouts.md).

use std::time::{Duration, Instant};

use sahm_proto::{
    config::v1::{ListSwitchesRequest, SetSwitchRequest},
    options::v1::Feature,
};
use serde_json::json;

use crate::{
    degradation::{FAULTS, MAX_CALL_DURATION, RECOVERY_TIMEOUT, STORED, call, page, timed},
    kit::{Client, Fault, Load, Plan, Response, Site, panics, until},
    purges::p99,
};

/// Time within which each service notices that its database is unavailable. (The exact time is tested in the store;
/// here all services and the gateway share a busy machine.)
const DETECTION_TIMEOUT: Duration = Duration::from_secs(4);
/// Maximum duration of an immediate failure.
const MAX_FAILURE_DURATION: Duration = Duration::from_millis(300);

/// Calls that read the stores of content, config and activity.
const READS: [&str; 4] = [
    "/api/news/tab/list",
    "/api/college/os/home/page",
    "/api/config/rest/menu",
    "/api/activity/base/info?activityId=6666",
];

async fn log_in(client: &Client) -> Response {
    let body = json!({ "account": "500000006", "password": "Sahm#2026dev" });
    call(client, "/api/passport/password/login", body).await
}

async fn report(client: &Client) -> Response {
    let event = json!({
        "eventName": "page_view", "eventValue": "{}", "memberId": "", "sellClient": 10,
    });
    call(client, "/api/event-report/report", event).await
}

/// Asserts the behaviour from the moment at which the database becomes unavailable.
async fn assert_unavailable(client: &Client, what: &str) {
    let began = Instant::now();
    // Each of these starts before services have noticed.
    let noticed = async {
        for read in READS {
            let left = DETECTION_TIMEOUT.saturating_sub(began.elapsed());
            until(left, &format!("{what} is noticed: {read}"), async || {
                let started = Instant::now();
                let status = timed(MAX_CALL_DURATION, read, client.get(read)).await.status;
                assert_ne!(status, 200, "{what}: {read}");
                status == 503 && started.elapsed() < MAX_FAILURE_DURATION
            })
            .await;
        }
        let left = DETECTION_TIMEOUT.saturating_sub(began.elapsed());
        until(left, &format!("{what} is noticed: login"), async || {
            let started = Instant::now();
            log_in(client).await.status == 503 && started.elapsed() < MAX_FAILURE_DURATION
        })
        .await;
    };
    let ((), news, login, reported) =
        tokio::join!(noticed, page(client, "/en-us/news/us", &[]), log_in(client), report(client));
    assert_eq!((news.status, news.header("cache-control")), (503, "no-store"), "{what}");
    assert!([503, 504].contains(&login.status), "{what}: {login:?}");
    // The all-in-one spools events.
    assert_eq!(reported.status, 200, "{what}: {reported:?}");
    // From now on, no request waits for the database.
    for read in READS {
        let response =
            timed(MAX_FAILURE_DURATION, &format!("{what}: {read}"), client.get(read)).await;
        assert_eq!(response.status, 503, "{what}: {read}");
        assert!(!response.header("retry-after").is_empty(), "{what}: {read}");
    }
    let login = timed(MAX_FAILURE_DURATION, &format!("{what}: login"), log_in(client)).await;
    assert_eq!(login.status, 503, "{what}: {login:?}");
    assert_eq!(report(client).await.status, 200, "{what}");
    let stored = page(client, STORED, &[]).await;
    assert_eq!((stored.status, stored.cache_status()), (200, "hit"), "{what}");
}

async fn assert_recovered(client: &Client, what: &str) {
    until(RECOVERY_TIMEOUT, &format!("{what} is over"), async || {
        let mut statuses = Vec::new();
        for read in READS {
            statuses.push(timed(MAX_CALL_DURATION, read, client.get(read)).await.status);
        }
        statuses.iter().all(|status| *status == 200)
            // The limit of attempts, which the store counts, is reached.
            && [200, 429].contains(&log_in(client).await.status)
    })
    .await;
}

async fn start(plan: Plan) -> (Site, Client) {
    let site = Site::start(Plan { own_postgres: true, ..plan }).await;
    let client = site.client();
    assert_recovered(&client, "the start").await;
    client.until_stored(STORED).await;
    (site, client)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_or_stopped_database_is_reported_unavailable_at_once() {
    let (mut site, client) = start(Plan::default()).await;
    site.postgres.as_mut().unwrap().kill();
    assert_unavailable(&client, "killed").await;
    site.postgres.as_mut().unwrap().restart().await.unwrap();
    assert_recovered(&client, "killed").await;
    site.postgres.as_ref().unwrap().pause();
    assert_unavailable(&client, "stopped").await;
    site.postgres.as_ref().unwrap().resume();
    assert_recovered(&client, "stopped").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_behind_a_faulty_connection_is_reported_unavailable_at_once() {
    let (site, client) = start(Plan { faults: true, ..Plan::default() }).await;
    let before = panics();
    for fault in FAULTS {
        let what = format!("{fault:?}");
        site.postgres_fault().set(fault);
        assert_unavailable(&client, &what).await;
        site.postgres_fault().set(Fault::None);
        assert_recovered(&client, &what).await;
    }
    assert_eq!(panics(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn services_behind_pgbouncer_survive_a_restart_of_the_server() {
    let (mut site, client) = start(Plan { pgbouncer: true, ..Plan::default() }).await;
    for id in 1001..=1007 {
        client.until_stored(&format!("/en-us/news/content/{id}")).await;
    }
    site.postgres.as_mut().unwrap().kill();
    assert_unavailable(&client, "killed").await;
    // The best of three measurements, because other tests use the processors too.
    let mut measured = Vec::new();
    while measured.len() < 3 && !measured.last().is_some_and(is_immediate) {
        measured.push(percentiles_while_unavailable(&client).await);
    }
    site.postgres.as_mut().unwrap().restart().await.unwrap();
    let restarted = Instant::now();
    assert_recovered(&client, "killed").await;
    eprintln!(
        "Restart of PostgreSQL behind PgBouncer, 99th percentiles of stored pages and of 503 for others: {measured:?}; all \
         services respond {:?} after it is back.",
        restarted.elapsed()
    );
    assert!(measured.iter().any(is_immediate), "{measured:?}");
}

/// Whether both percentiles are those of immediate responses.
fn is_immediate((stored, failed): &(Duration, Duration)) -> bool {
    *stored < MAX_FAILURE_DURATION && *failed < MAX_FAILURE_DURATION
}

/// The 99th percentiles of the durations of stored articles (1001 to 1007) and of 503 responses for others.
async fn percentiles_while_unavailable(client: &Client) -> (Duration, Duration) {
    let (mut stored, mut failed) = (Vec::new(), Vec::new());
    for id in (1001..=1014).cycle().take(280) {
        let started = Instant::now();
        let status = client.get(&format!("/en-us/news/content/{id}")).await.status;
        let (times, expected) = if id <= 1007 { (&mut stored, 200) } else { (&mut failed, 503) };
        times.push(started.elapsed());
        assert_eq!(status, expected, "{id}");
    }
    stored.sort_unstable();
    failed.sort_unstable();
    (p99(&stored), p99(&failed))
}

/// Waits until all reads of the stores respond with this status; returns the duration.
async fn until_reads_return(client: &Client, status: u16, what: &str) -> Duration {
    until(RECOVERY_TIMEOUT, what, async || {
        let mut statuses = Vec::new();
        for read in READS {
            statuses.push(timed(MAX_CALL_DURATION, read, client.get(read)).await.status);
        }
        statuses.iter().all(|actual| *actual == status)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_resume_when_a_standby_is_promoted_and_cached_pages_stay_fast() {
    fail_over(Plan { faults: true, ..Plan::default() }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_resume_behind_pgbouncer_when_a_standby_is_promoted() {
    fail_over(Plan { faults: true, pgbouncer: true, ..Plan::default() }).await;
}

/// The address of the database moves to a synchronous standby, as that of a managed database does.
async fn fail_over(plan: Plan) {
    const PAGES: [&str; 3] = ["/en-us", "/ar-sa/news", STORED];
    let (mut site, client) = start(plan).await;
    for path in PAGES {
        client.until_stored(path).await;
    }
    let load = || Load::of((0..4).map(|_| client.clone()), &PAGES);
    let before = load();
    let standby = site.postgres.as_ref().unwrap().start_standby().await.unwrap();
    let switch = SetSwitchRequest {
        feature: Feature::Uploads.into(),
        off: true,
        operator: "reem".to_owned(),
        reason: "R-1".to_owned(),
        ..SetSwitchRequest::default()
    };
    site.config_client().set_switch(switch).await.unwrap();
    let before = before.stop().await;

    let during = load();
    site.postgres.as_mut().unwrap().kill();
    until_reads_return(&client, 503, "the killed primary is noticed").await;
    site.postgres_fault().move_to(([127, 0, 0, 1], standby.port()).into());
    let readable = until_reads_return(&client, 200, "the standby is read").await;
    let login = timed(MAX_CALL_DURATION, "login", log_in(&client)).await;
    assert_eq!(login.status, 503, "a standby accepts no writes: {login:?}");
    let promoted = Instant::now();
    standby.promote().unwrap();
    assert_recovered(&client, "the promotion").await;
    let writable = promoted.elapsed();
    let during = during.stop().await;

    let switches = site.config_client().list_switches(ListSwitchesRequest {}).await.unwrap();
    let turned_off = switches.into_inner().turned_off;
    assert_eq!(turned_off.len(), 1, "an acknowledged write is lost: {turned_off:?}");
    let p99_before = p99(&before);
    let p99 = p99(&during);
    eprintln!(
        "Failover of PostgreSQL to a standby{}: {} cached pages, 99th percentile {p99:?} ({} pages, {p99_before:?} \
         before); reads work {readable:?} after the address has moved, writes {writable:?} after the promotion began.",
        if plan.pgbouncer { " behind PgBouncer" } else { "" },
        during.len(),
        before.len(),
    );
    assert!(p99 < MAX_FAILURE_DURATION, "{p99:?}");
}
