//! The rpcs and deliveries of the service, in process.

use std::{
    collections::HashSet,
    future::{Future, IntoFuture},
    pin::pin,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Json, Router, http::StatusCode, routing::post};
use sahm_attribution::{
    domain::{Draft, checked},
    metrics,
    spool::Spool,
    store::EventStore,
};
use sahm_chassis::{
    clock::Clock,
    error::Error,
    lifecycle::{self, Context},
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
    telemetry,
};
use sahm_proto::attribution::v1::{
    BatchReportEventsRequest, CountBy, CountEventsRequest, GetEventRequest, ListDeadLettersRequest,
    ListEventsRequest, ListSinksRequest, ReplayDeadLettersRequest, ReportEventRequest, Sink,
    event_service_client::EventServiceClient,
    event_statistics_service_client::EventStatisticsServiceClient,
    sink_service_client::SinkServiceClient,
};
use sahm_testkit::Certificates;
use serde_json::Value;
use tokio::sync::watch;
use tonic::Code;

struct Running {
    transport: Transport,
    context: Context,
    _folder: tempfile::TempDir,
}

async fn running(pairs: &[(&str, &str)]) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let own = [("SAHM_DATA_DIR", folder.path().to_str().unwrap())];
    let pairs = own.iter().chain(pairs).map(|(name, value)| (name.to_string(), value.to_string()));
    let process = Process::Service(ServiceName::Attribution);
    let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
    let service = sahm_attribution::Attribution::start(&context, Clock::system()).await.unwrap();
    Running { transport: Transport::local(service.routes), context, _folder: folder }
}

impl Running {
    fn events(&self) -> EventServiceClient<Transport> {
        EventServiceClient::new(self.transport.clone())
    }

    fn sinks(&self) -> SinkServiceClient<Transport> {
        SinkServiceClient::new(self.transport.clone())
    }

    async fn sink(&self) -> Sink {
        let sinks = self.sinks().list_sinks(ListSinksRequest {}).await.unwrap().into_inner().items;
        let [sink] = sinks.try_into().unwrap();
        sink
    }
}

/// Waits until the condition holds.
async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let waited = tokio::time::timeout(Duration::from_secs(60), async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waited.await.unwrap_or_else(|_| panic!("{what}"));
}

fn report(id: &str, name: &str) -> ReportEventRequest {
    ReportEventRequest {
        event_name: name.to_owned(),
        event_value: r#"{"c":"eid","scnl":"1110619"}"#.to_owned(),
        event_id: Some(id.to_owned()),
        ..ReportEventRequest::default()
    }
}

#[tokio::test]
async fn acknowledged_report_is_stored_and_counts_once() {
    let site = running(&[]).await;
    let mut events = site.events();
    for _ in 0..2 {
        let response =
            events.report_event(report("event-0001", "open")).await.unwrap().into_inner();
        assert_eq!((response.accepted, response.event_id.as_str()), (true, "event-0001"));
    }
    let request = ReportEventRequest { event_name: "open".into(), ..Default::default() };
    let response = events.report_event(request).await.unwrap().into_inner();
    assert_eq!(response.event_id.len(), 36);
    let request = GetEventRequest { event_id: "event-0001".into() };
    let event = events.get_event(request).await.unwrap().into_inner().event.unwrap();
    assert_eq!(
        (event.id.as_str(), event.campaign.as_str(), event.channel.as_str(), event.sell_client),
        ("event-0001", "eid", "1110619", 10)
    );
    let missing = events.get_event(GetEventRequest { event_id: "nothing-here".into() }).await;
    assert_eq!(missing.unwrap_err().code(), Code::NotFound);

    let batch = vec![report("event-0001", "open"), report("event-0002", "close")];
    let batch = BatchReportEventsRequest { events: batch };
    let items = events.batch_report_events(batch).await.unwrap().into_inner().items;
    assert_eq!(items.iter().map(|item| item.counted).collect::<Vec<_>>(), [false, true]);

    let mut statistics = EventStatisticsServiceClient::new(site.transport.clone());
    let request = CountEventsRequest {
        from_day: event.day.clone(),
        to_day: event.day,
        by: vec![CountBy::EventName as i32],
        ..Default::default()
    };
    let counts = statistics.count_events(request).await.unwrap().into_inner();
    let rows = counts.items.iter().map(|row| (row.event_name.as_str(), row.count));
    assert_eq!((rows.collect::<Vec<_>>(), counts.total), (vec![("open", 2), ("close", 1)], 3));
}

#[tokio::test]
async fn lists_are_paged() {
    let site = running(&[]).await;
    let reports = (0..9).map(|number| report(&format!("event-{number:04}"), "open"));
    let batch = BatchReportEventsRequest { events: reports.collect() };
    site.events().batch_report_events(batch).await.unwrap();
    let (mut cursor, mut listed) = (String::new(), Vec::new());
    loop {
        let request = ListEventsRequest { size: 4, cursor: cursor.clone(), ..Default::default() };
        let page = site.events().list_events(request).await.unwrap().into_inner();
        assert!(page.items.len() <= 4);
        listed.extend(page.items.into_iter().map(|event| event.sequence));
        if page.next_cursor.is_empty() {
            break;
        }
        cursor = page.next_cursor;
    }
    let other = ListEventsRequest { event_name: "open".into(), cursor, ..Default::default() };
    let error = Error::from(&site.events().list_events(other).await.unwrap_err());
    assert_eq!(error.fields()[0].field, "cursor", "of the list with another filter");
    assert_eq!(listed, (1..=9).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn invalid_parameters_are_reported() {
    let site = running(&[]).await;
    let field = |status: tonic::Status| {
        assert_eq!(status.code(), Code::InvalidArgument);
        Error::from(&status).fields()[0].field.clone()
    };
    let invalid = ReportEventRequest { event_value: "[]".into(), ..report("event-0001", "a") };
    assert_eq!(
        field(site.events().report_event(invalid.clone()).await.unwrap_err()),
        "event_value"
    );
    let batch = BatchReportEventsRequest { events: vec![report("event-0001", "a"), invalid] };
    let status = site.events().batch_report_events(batch).await.unwrap_err();
    assert_eq!(field(status), "events[1].event_value");
    for (request, name) in [
        (ListEventsRequest { size: 101, ..Default::default() }, "size"),
        (ListEventsRequest { cursor: "x".into(), ..Default::default() }, "cursor"),
        (ListEventsRequest { cursor: "5".into(), ..Default::default() }, "cursor"),
    ] {
        assert_eq!(field(site.events().list_events(request).await.unwrap_err()), name);
    }
}

/// A sink that rejects events named `poison` on demand, and fails every third call.
#[derive(Clone, Default)]
struct Receiver {
    received: Arc<Mutex<Vec<String>>>,
    calls: Arc<Mutex<u32>>,
    takes_poison: Arc<Mutex<bool>>,
}

impl Receiver {
    async fn start(&self) -> String {
        let receiver = self.clone();
        let take = move |Json(body): Json<Value>| {
            let receiver = receiver.clone();
            async move { receiver.take(&body) }
        };
        start_sink(Router::new().route("/events", post(take))).await
    }

    fn take(&self, body: &Value) -> StatusCode {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        if *calls % 3 == 1 {
            return StatusCode::SERVICE_UNAVAILABLE;
        }
        let events = body["events"].as_array().unwrap();
        let poisoned = events.iter().any(|event| event["eventName"] == "poison");
        if poisoned && !*self.takes_poison.lock().unwrap() {
            return StatusCode::UNPROCESSABLE_ENTITY;
        }
        let ids = events.iter().map(|event| event["eventId"].as_str().unwrap().to_owned());
        self.received.lock().unwrap().extend(ids);
        StatusCode::OK
    }
}

#[tokio::test]
async fn failing_sink_receives_events_in_order_and_replays() {
    let receiver = Receiver::default();
    let sinks = format!("crm={}", receiver.start().await);
    let site = running(&[("SAHM_ATTRIBUTION_SINKS", &sinks)]).await;
    let mut expected = Vec::new();
    for number in 0..40 {
        let id = format!("event-{number:04}");
        let name = if number % 10 == 3 { "poison" } else { "open" };
        site.events().report_event(report(&id, name)).await.unwrap();
        expected.push((id, name));
    }
    until("the sink is done", async || site.sink().await.waiting == 0).await;
    let sink = site.sink().await;
    assert_eq!((sink.accepted, sink.delivered, sink.dead, sink.configured), (40, 36, 4, true));
    let good = expected.iter().filter(|(_, name)| *name == "open").map(|(id, _)| id.clone());
    assert_eq!(*receiver.received.lock().unwrap(), good.collect::<Vec<_>>());

    let request = ListDeadLettersRequest { sink: "crm".into(), size: 3, ..Default::default() };
    let is_exported = async || {
        let text = telemetry::prometheus_text();
        ["waiting 0", "dead 4", "delivered_total 36"].iter().all(|figure| {
            let (name, value) = figure.split_once(' ').unwrap();
            text.contains(&format!("attribution_sink_{name}{{sink=\"crm\"}} {value}\n"))
        })
    };
    until("it is exported", is_exported).await;
    let page = site.sinks().list_dead_letters(request).await.unwrap().into_inner();
    assert_eq!((page.items.len(), page.next_cursor.is_empty()), (3, false));
    let request = |sink: &str| ListDeadLettersRequest {
        sink: sink.into(),
        cursor: page.next_cursor.clone(),
        ..Default::default()
    };
    let last = site.sinks().list_dead_letters(request("crm")).await.unwrap().into_inner();
    assert_eq!((last.items.len(), last.next_cursor.as_str()), (1, ""));
    let other = site.sinks().list_dead_letters(request("other")).await.unwrap_err();
    assert_eq!(Error::from(&other).fields()[0].field, "cursor");
    assert!(page.items[0].reason.starts_with("422"), "{}", page.items[0].reason);
    *receiver.takes_poison.lock().unwrap() = true;
    let one = ReplayDeadLettersRequest { sink: "crm".into(), ids: vec![page.items[1].id.clone()] };
    assert_eq!(site.sinks().replay_dead_letters(one).await.unwrap().into_inner().replayed, 1);
    let all = ReplayDeadLettersRequest { sink: "crm".into(), ids: Vec::new() };
    assert_eq!(site.sinks().replay_dead_letters(all).await.unwrap().into_inner().replayed, 3);
    until("the dead letters are sent", async || site.sink().await.delivered == 40).await;
    let sink = site.sink().await;
    assert_eq!((sink.waiting, sink.dead), (0, 0));
    let received = receiver.received.lock().unwrap().clone();
    assert_eq!(received.iter().collect::<HashSet<_>>().len(), 40);
    let none = ReplayDeadLettersRequest { sink: "nobody".into(), ids: Vec::new() };
    assert_eq!(site.sinks().replay_dead_letters(none).await.unwrap_err().code(), Code::NotFound);
    site.context.lifecycle.drain();
    site.context.lifecycle.wait().await;
}

/// Serves a sink and returns its URL.
async fn start_sink(app: Router) -> String {
    let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let url = format!("http://{}/events", listener.local_addr().unwrap());
    tokio::spawn(axum::serve(listener, app).into_future());
    url
}

/// A sink that responds with 500 may fail because of the event. With any other error status it is
/// unavailable, and the replay continues.
#[tokio::test]
async fn replayed_event_becomes_a_dead_letter_again_only_if_the_sink_responds_with_500() {
    for (status, is_dead) in
        [(StatusCode::INTERNAL_SERVER_ERROR, true), (StatusCode::BAD_GATEWAY, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_str().unwrap();
        let take = move |Json(body): Json<Value>| async move {
            let is_poison = body["events"][0]["eventName"] == "poison";
            if is_poison { status } else { StatusCode::OK }
        };
        let url = start_sink(Router::new().route("/events", post(take))).await;
        let before = running(&[("SAHM_DATA_DIR", data)]).await;
        let database = before.context.settings.database_url(ServiceName::Attribution);
        let store = EventStore::open(&database).await.unwrap();
        store.add_sink("crm").await.unwrap();
        for (id, name) in [("event-0001", "poison"), ("event-0002", "open")] {
            before.events().report_event(report(id, name)).await.unwrap();
        }
        let lease = store.lease("crm", "test", 1, u64::MAX).await.unwrap().unwrap();
        let refused = [(1, "422: no".to_owned())];
        assert!(store.advance(&lease, 1, 0, &refused, 0).await.unwrap());
        assert_eq!(store.replay("crm", &[]).await.unwrap(), Some(1));
        for _ in 0..20 {
            store.failed(&lease, "500").await.unwrap();
        }
        store.release("crm", "test").await.unwrap();

        let sinks = format!("crm={url}");
        let site = running(&[("SAHM_DATA_DIR", data), ("SAHM_ATTRIBUTION_SINKS", &sinks)]).await;
        until("a delivery", async || site.sink().await.failed_attempts != 20).await;
        if is_dead {
            until("the next event", async || site.sink().await.delivered == 1).await;
            let dead = store.dead_letters("crm", 0, 10).await.unwrap();
            let dead = dead.iter().map(|one| (one.event.sequence, one.reason.as_str()));
            assert_eq!(dead.collect::<Vec<_>>(), [(1, "500: ")]);
        } else {
            let sink = site.sink().await;
            assert_eq!((sink.failed_attempts, sink.delivered, sink.dead), (21, 0, 0));
            assert_eq!(store.replaying("crm", 10).await.unwrap().len(), 1);
        }
        for running in [before, site] {
            running.context.lifecycle.drain();
            running.context.lifecycle.wait().await;
        }
    }
}

/// A sink that holds each request until it is opened.
struct HeldSink {
    received: Mutex<Vec<String>>,
    is_open: watch::Sender<bool>,
}

impl HeldSink {
    async fn start(self: &Arc<Self>) -> String {
        let sink = self.clone();
        let take = move |Json(body): Json<Value>| {
            let sink = sink.clone();
            async move {
                let events = body["events"].as_array().unwrap().iter();
                let ids = events.map(|event| event["eventId"].as_str().unwrap().to_owned());
                sink.received.lock().unwrap().extend(ids);
                sink.is_open.subscribe().wait_for(|is_open| *is_open).await.unwrap();
            }
        };
        start_sink(Router::new().route("/events", post(take))).await
    }

    fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sink_with_an_untrusted_certificate_gets_no_event_and_its_error_names_the_address() {
    let receiver = Receiver::default();
    let behind = receiver.start().await;
    let behind = behind.strip_prefix("http://").unwrap().strip_suffix("/events").unwrap();
    let certificates = Certificates::make().unwrap();
    let address = certificates.proxy(behind.parse().unwrap()).await.unwrap();
    let sinks = format!("crm=https://{address}/events");
    let site = running(&[("SAHM_ATTRIBUTION_SINKS", &sinks)]).await;
    site.events().report_event(report("event-0001", "open")).await.unwrap();
    until("a failed delivery", async || site.sink().await.failed_attempts > 0).await;
    let sink = site.sink().await;
    assert_eq!((sink.delivered, sink.waiting), (0, 1), "{sink:?}");
    assert!(sink.last_error.starts_with(&format!("{address}: ")), "{sink:?}");
    assert!(sink.last_error.contains("invalid peer certificate: UnknownIssuer"), "{sink:?}");
    assert_eq!(*receiver.calls.lock().unwrap(), 0);
}

#[tokio::test]
async fn shutdown_finishes_the_delivery_in_flight_and_releases_the_sink() {
    let sink =
        Arc::new(HeldSink { received: Mutex::default(), is_open: watch::Sender::new(false) });
    let sinks = format!("crm={}", sink.start().await);
    let first = running(&[("SAHM_ATTRIBUTION_SINKS", &sinks)]).await;
    first.events().report_event(report("event-0001", "open")).await.unwrap();
    until("a delivery is in flight", async || sink.received().len() == 1).await;
    let data = first._folder.path().to_str().unwrap();
    let second = running(&[("SAHM_ATTRIBUTION_SINKS", &sinks), ("SAHM_DATA_DIR", data)]).await;

    first.context.lifecycle.drain();
    let mut stopped = pin!(first.context.lifecycle.wait());
    second.events().report_event(report("event-0002", "open")).await.unwrap();
    let polled = tokio::time::timeout(Duration::ZERO, &mut stopped).await;
    assert!(polled.is_err(), "the drain waits for the delivery");

    sink.is_open.send_replace(true);
    stopped.await;
    let released = Instant::now();
    until("the second replica delivers", async || second.sink().await.waiting == 0).await;
    // A lease that was not released would last for up to 30 s.
    assert!(released.elapsed() < Duration::from_secs(5), "{:?}", released.elapsed());
    // Without the response to the first request the second replica would repeat it.
    assert_eq!(sink.received(), ["event-0001", "event-0002"]);
    second.context.lifecycle.drain();
    second.context.lifecycle.wait().await;
}

#[tokio::test]
async fn spooled_events_are_stored_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = sahm_chassis::settings::DatabaseUrl::file(folder.path().join("a.sqlite"));
    let store = EventStore::open(&url).await.unwrap();
    let spool = Arc::new(Spool::open(folder.path()).unwrap());
    let event = |number: u32| {
        let id = Some(format!("event-{number:04}"));
        let draft = Draft { name: "open".into(), event_id: id, ..Draft::default() };
        checked(draft, 1_795_208_400_000).unwrap()
    };
    assert!(spool.is_empty());
    metrics::export_spool(&spool);
    let is_empty_in_metrics =
        || telemetry::prometheus_text().contains("attribution_spool_size_bytes 0\n");
    assert!(is_empty_in_metrics());
    spool.append(&[event(1), event(2)]).await.unwrap();
    assert!(!is_empty_in_metrics());
    // A crash in the middle of a line.
    let path = folder.path().join("attribution-spool.jsonl");
    let mut text = std::fs::read(&path).unwrap();
    text.extend_from_slice(b"{\"event_id\":\"event-00");
    std::fs::write(&path, text).unwrap();
    spool.append(&[event(2), event(3)]).await.unwrap();
    // A crash after the events were stored and before they were removed: they are stored again.
    let again = std::fs::read(&path).unwrap();
    assert_eq!(spool.drain_into(&store).await.unwrap(), 4);
    assert!(spool.is_empty());
    std::fs::write(folder.path().join("attribution-spool.leaving.jsonl"), again).unwrap();
    assert_eq!(Spool::open(folder.path()).unwrap().drain_into(&store).await.unwrap(), 4);
    assert_eq!(store.last_sequence().await.unwrap(), 3);
}
