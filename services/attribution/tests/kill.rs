//! The process is killed under load: nothing acknowledged is lost, nothing counts twice.
#![allow(clippy::unwrap_used)]

use std::{
    collections::HashSet,
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sahm_chassis::{
    lifecycle::Context,
    rpc::Transport,
    settings::{Process, Settings},
};
use sahm_proto::attribution::v1::{
    CountEventsRequest, ListEventsRequest, ReportEventRequest,
    event_service_client::EventServiceClient,
    event_statistics_service_client::EventStatisticsServiceClient,
};
use sahm_testkit::Postgres;

const REPORTERS: u32 = 8;

/// The process, ended with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path, port: u16, database: Option<&str>) -> Service {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-attribution"));
    command
        .env("SAHM_DATA_DIR", folder)
        .env("SAHM_ATTRIBUTION_LISTEN", format!("127.0.0.1:{port}"))
        .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
        .env("RUST_LOG", "error")
        .stdout(Stdio::null());
    if let Some(url) = database {
        command.env("SAHM_DATABASE_URL", url);
    }
    Service(command.spawn().unwrap())
}

fn rounds() -> u32 {
    if std::env::var_os("SAHM_PROOF").is_some() { 50 } else { 5 }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Reports until told to stop, each event again and again until it is acknowledged.
async fn report(
    transport: Transport,
    name: String,
    stop: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<Vec<String>>>,
) {
    let mut client = EventServiceClient::new(transport);
    for number in 0_u32.. {
        let id = format!("{name}-{number:06}");
        let event = ReportEventRequest {
            event_name: "open".into(),
            event_id: Some(id.clone()),
            ..ReportEventRequest::default()
        };
        loop {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            match client.report_event(event.clone()).await {
                Ok(_) => break,
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
        acknowledged.lock().unwrap().push(id);
    }
}

async fn all_ids(transport: &Transport) -> Vec<String> {
    let mut client = EventServiceClient::new(transport.clone());
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let asked = ListEventsRequest { size: 50, cursor, ..Default::default() };
        let page = client.list_events(asked).await.unwrap().into_inner();
        ids.extend(page.items.into_iter().map(|event| event.event_id));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            return ids;
        }
    }
}

async fn killed_under_load(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port();
    let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
    let transport =
        Transport::connect(&format!("http://127.0.0.1:{port}"), &Context::new(settings));
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    for round in 0..rounds() {
        let service = start(folder.path(), port, database);
        let stop = Arc::new(AtomicBool::new(false));
        let before = acknowledged.lock().unwrap().len();
        let reporters = (0..REPORTERS).map(|reporter| {
            let name = format!("round-{round}-{reporter}");
            let (stop, acknowledged) = (stop.clone(), acknowledged.clone());
            tokio::spawn(report(transport.clone(), name, stop, acknowledged))
        });
        let reporters = reporters.collect::<Vec<_>>();
        // Another moment of the writer's work each round.
        let enough = before + 100 + 37 * round as usize;
        let loaded = tokio::time::timeout(Duration::from_secs(120), async {
            while acknowledged.lock().unwrap().len() < enough {
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
        });
        loaded.await.expect("reports are acknowledged");
        drop(service);
        stop.store(true, Ordering::Relaxed);
        for reporter in reporters {
            reporter.await.unwrap();
        }
    }
    let _service = start(folder.path(), port, database);
    let mut statistics = EventStatisticsServiceClient::new(transport.clone());
    // From yesterday: the rounds may have begun before midnight.
    let now = sahm_chassis::clock::now_millis();
    let asked = CountEventsRequest {
        from_day: sahm_attribution::domain::day_of(now - 86_400_000),
        to_day: sahm_attribution::domain::day_of(now),
        ..CountEventsRequest::default()
    };
    let mut counted = None;
    while counted.is_none() {
        counted = statistics.count_events(asked.clone()).await.ok();
    }
    let ids = all_ids(&transport).await;
    let distinct = ids.iter().collect::<HashSet<_>>();
    assert_eq!(distinct.len(), ids.len(), "an event counts twice");
    assert_eq!(counted.unwrap().into_inner().total, ids.len() as u64);
    let acknowledged = acknowledged.lock().unwrap();
    let lost = acknowledged.iter().filter(|id| !distinct.contains(id)).count();
    assert_eq!(lost, 0, "of {} acknowledged", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_and_nothing_counts_twice_on_sqlite() {
    killed_under_load(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_acknowledged_is_lost_and_nothing_counts_twice_on_postgresql() {
    let url = Postgres::shared().await.unwrap().database().await.unwrap();
    killed_under_load(Some(&url)).await;
}
