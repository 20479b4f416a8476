//! The process is killed under load: no acknowledged event is lost, and none counts twice.

use std::{collections::HashSet, path::Path, process::Command};

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
use sahm_testkit::{
    Postgres, free_port,
    kill::{Load, Program, kill_rounds},
};

const REPORTERS: u32 = 8;

fn start(folder: &Path, port: u16, database: Option<&str>) -> anyhow::Result<Program> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-attribution"));
    command
        .env("SAHM_DATA_DIR", folder)
        .env("SAHM_ATTRIBUTION_LISTEN", format!("127.0.0.1:{port}"))
        .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
        .env("RUST_LOG", "error");
    if let Some(url) = database {
        command.env("SAHM_DATABASE_URL", url);
    }
    Program::start(&mut command)
}

/// Reports events until the round is over, each until it is acknowledged.
async fn report(transport: Transport, name: String, load: Load<String>) {
    let client = EventServiceClient::new(transport);
    for number in 0_u32.. {
        let id = format!("{name}-{number:06}");
        let event = ReportEventRequest {
            event_name: "open".into(),
            event_id: Some(id.clone()),
            ..ReportEventRequest::default()
        };
        let acknowledged = load.until_successful(|| {
            let (mut client, event) = (client.clone(), event.clone());
            async move { client.report_event(event).await }
        });
        if acknowledged.await.is_none() {
            return;
        }
        load.acknowledge(id);
    }
}

async fn all_ids(transport: &Transport) -> Vec<String> {
    let mut client = EventServiceClient::new(transport.clone());
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = ListEventsRequest { size: 50, cursor, ..Default::default() };
        let page = client.list_events(request).await.unwrap().into_inner();
        ids.extend(page.items.into_iter().map(|event| event.event_id));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            return ids;
        }
    }
}

async fn killed_under_load(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let port = free_port().unwrap();
    let settings = Settings::from_pairs(Process::Gateway, []).unwrap();
    let transport =
        Transport::connect(&format!("http://127.0.0.1:{port}"), &Context::new(settings));
    let started = || start(folder.path(), port, database);
    let rounds = kill_rounds(started, REPORTERS, |load, round, reporter| {
        report(transport.clone(), format!("round-{round}-{reporter}"), load)
    });
    let acknowledged = rounds.await.unwrap();
    let _service = started().unwrap();
    let mut statistics = EventStatisticsServiceClient::new(transport.clone());
    // From yesterday, because the rounds may have begun before midnight.
    let now = sahm_chassis::clock::now_millis();
    let request = CountEventsRequest {
        from_day: sahm_attribution::domain::day_of(now - 86_400_000),
        to_day: sahm_attribution::domain::day_of(now),
        ..CountEventsRequest::default()
    };
    let mut counted = None;
    while counted.is_none() {
        counted = statistics.count_events(request.clone()).await.ok();
    }
    let ids = all_ids(&transport).await;
    let distinct = ids.iter().collect::<HashSet<_>>();
    assert_eq!(distinct.len(), ids.len(), "an event counts twice");
    assert_eq!(counted.unwrap().into_inner().total, ids.len() as u64);
    let lost = acknowledged.iter().filter(|id| !distinct.contains(id)).count();
    assert_eq!(lost, 0, "of {} acknowledged", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_events_survive_kills_once_on_sqlite() {
    killed_under_load(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_events_survive_kills_once_on_postgresql() {
    let url = Postgres::shared().await.unwrap().database().await.unwrap();
    killed_under_load(Some(&url)).await;
}
