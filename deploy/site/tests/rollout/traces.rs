//! A trace from the browser's request through gateway, services, renderer and SQL, read from a collector. Each span has
//! its parent; names and attributes follow OpenTelemetry's semantic conventions and contain no personal data.

use std::{collections::BTreeMap, time::Duration};

use serde_json::json;

use crate::{
    alone,
    collector::{Collector, Span},
    fleet::{Fleet, Part},
    kit::{pairs, until},
};

/// Time until all batches are exported.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);

const SERVER: i64 = 2;
const CLIENT: i64 = 3;

/// The browser's span id in `traceparent`.
const BROWSER: &str = "b7ad6b7169203331";

/// Headers of a proxy that terminates TLS.
const ADDRESS: (&str, &str) = ("x-forwarded-for", "203.0.113.77");
const SCHEME: (&str, &str) = ("x-forwarded-proto", "https");

/// All allowed attributes; their values are names and numbers of the site.
const ATTRIBUTES: [&str; 19] = [
    "db.collection.name",
    "db.namespace",
    "db.operation.name",
    "db.query.summary",
    "db.stored_procedure.name",
    "db.system.name",
    "error.type",
    "http.request.method",
    "http.response.status_code",
    "http.route",
    "rpc.method",
    "rpc.response.status_code",
    "rpc.system.name",
    "server.address",
    "server.port",
    "url.full",
    "url.path",
    "url.scheme",
    "url.template",
];

fn assert_conventional(span: &Span) {
    let get = |name: &str| span.attributes.get(name).map_or("", String::as_str);
    let name = match (get("rpc.system.name"), get("db.system.name"), get("http.request.method")) {
        ("grpc", "", "") => get("rpc.method").to_owned(),
        ("", "postgresql" | "redis", "") => get("db.query.summary").to_owned(),
        ("", "", method) if !method.is_empty() => {
            let target = if span.kind == SERVER { "http.route" } else { "url.template" };
            format!("{method} {}", get(target))
        }
        _ => panic!("of no convention: {span:?}"),
    };
    assert_eq!(span.name, name, "{span:?}");
    assert!([SERVER, CLIENT].contains(&span.kind), "{span:?}");
    assert!(span.times[0] <= span.times[1], "{span:?}");
    for attribute in span.attributes.keys() {
        assert!(ATTRIBUTES.contains(&attribute.as_str()), "{attribute} in {span:?}");
    }
}

/// Asserts that each span has its parent; returns the number of spans per process and kind.
fn assert_unbroken(spans: &[Span]) -> BTreeMap<(String, i64), usize> {
    let by_id: BTreeMap<_, _> = spans.iter().map(|span| (span.id.as_str(), span)).collect();
    assert_eq!(by_id.len(), spans.len(), "ids are of one span each");
    let mut counts = BTreeMap::new();
    let mut roots = 0;
    for span in spans {
        assert_conventional(span);
        if span.parent == BROWSER {
            assert_eq!((span.service.as_str(), span.kind), ("sahm-gateway", SERVER), "{span:?}");
            roots += 1;
        } else {
            let parent = by_id.get(span.parent.as_str());
            let parent = parent.unwrap_or_else(|| panic!("no parent of {span:?}\n{spans:#?}"));
            // The parent of a server span in another process is a client span.
            if parent.service != span.service {
                assert_eq!((parent.kind, span.kind), (CLIENT, SERVER), "{span:?} {parent:?}");
            }
        }
        *counts.entry((span.service.clone(), span.kind)).or_default() += 1;
    }
    assert_eq!(roots, 1, "{spans:#?}");
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trace_is_complete_from_browser_to_sql() {
    let _alone = alone().await;
    let collector = Collector::start().await;
    let more = pairs([
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &*format!("http://{}", collector.address)),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_METRICS_EXPORTER", "none"),
        ("OTEL_LOGS_EXPORTER", "none"),
        ("OTEL_BSP_SCHEDULE_DELAY", "100"),
        // Without them the browser's trace would only be linked.
        ("SAHM_TRUSTED_PROXIES", "127.0.0.0/8"),
        ("SAHM_TRUST_TRACE_CONTEXT", "on"),
    ]);
    let fleet = Fleet::start(|_| 1, more).await;
    let client = fleet.client();
    let phone = "512340099";

    // A rendered page: session, page data, HTML.
    let (mut page, mut attempt) = (String::new(), 0);
    until(
        EXPORT_TIMEOUT,
        "processes that have just started build a page within its timeout",
        async || {
            attempt += 1;
            page = format!("{attempt:02x}f7651916cd43dd8448eb211c80319c");
            let parent = format!("00-{page}-{BROWSER}-01");
            let cookie = ("cookie", "vid=personal-0123456789");
            let headers = [("traceparent", &*parent), cookie, ADDRESS, SCHEME];
            let path = format!("/en-us/news/content/{}?_scnl=77", 1_000 + attempt);
            let response = client.get_with(&path, &headers).await;
            (response.status, response.cache_status()) == (200, "miss")
        },
    )
    .await;
    let page = page.as_str();
    // A writing call with personal data in its body.
    let call = "aaf7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{call}-{BROWSER}-01");
    let content_type = ("content-type", "application/json");
    let headers = [("traceparent", &*parent), content_type, ADDRESS, SCHEME];
    let body = json!({ "telCode": "966", "phone": phone, "scene": 1 }).to_string();
    let sent = client.send("POST", "/api/passport/auth-code/send", &headers, body).await;
    assert_eq!(sent.status, 200, "{sent:?}");
    // A trace that is not sampled.
    let quiet = "bbf7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{quiet}-{BROWSER}-00");
    client.get_with("/ar-sa/news/content/1002", &[("traceparent", &parent)]).await;

    let all_of = |trace: &str, wanted: &[(&str, i64)]| {
        let spans = collector.trace(trace);
        wanted.iter().all(|wanted| spans.iter().any(|it| (&*it.service, it.kind) == *wanted))
    };
    let of_page = [
        ("sahm-gateway", SERVER),
        ("sahm-gateway", CLIENT),
        ("sahm-content", SERVER),
        ("sahm-content", CLIENT),
        ("sahm-config", SERVER),
        ("sahm-renderer", SERVER),
    ];
    let of_call = [
        ("sahm-gateway", SERVER),
        ("sahm-gateway", CLIENT),
        ("sahm-identity", SERVER),
        ("sahm-identity", CLIENT),
    ];
    until(EXPORT_TIMEOUT, "all parts have sent their spans", async || {
        all_of(page, &of_page) && all_of(call, &of_call)
    })
    .await;
    // Spans of the same batches have arrived, too; a missing parent may be in a later batch.
    let mut before = 0;
    until(EXPORT_TIMEOUT, "no more spans come", async || {
        let now = collector.trace(page).len() + collector.trace(call).len();
        tokio::time::sleep(Duration::from_millis(300)).await;
        std::mem::replace(&mut before, now) == now
    })
    .await;

    for (trace, wanted) in [(page, &of_page[..]), (call, &of_call[..])] {
        let spans = collector.trace(trace);
        let counts = assert_unbroken(&spans);
        for (service, kind) in wanted {
            assert!(counts.contains_key(&((*service).to_owned(), *kind)), "{service} {kind}");
        }
        let contents = spans.iter().map(|span| (&span.name, &span.attributes, &span.events));
        let text = format!("{:?}", contents.collect::<Vec<_>>());
        for personal in [phone, "personal-0123456789", ADDRESS.1, "_scnl"] {
            assert!(!text.contains(personal), "{personal} in {text}");
        }
        let root = spans.iter().find(|span| span.parent == BROWSER).unwrap();
        assert_eq!(root.attributes["url.scheme"], "https", "{root:?}");
    }
    let names: Vec<_> = collector.trace(page).into_iter().map(|span| span.name).collect();
    for name in
        ["GET /news/content/{id?}", "sahm.content.v1.NewsService/GetArticle", "POST /render"]
    {
        assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
    }
    assert!(names.iter().any(|name| name.starts_with("SELECT ")), "{names:?}");
    assert!(names.iter().any(|name| name == "EVALSHA get_or_lease"), "{names:?}");
    assert!(collector.trace(quiet).is_empty(), "what is not sampled is not sent");
    // Polls and other background tasks begin no traces.
    let root =
        collector.spans().into_iter().find(|span| span.parent.is_empty() && span.kind != SERVER);
    assert_eq!(root.map(|span| span.name), None);
    hit_calls_neither_redis_nor_a_service(&fleet, &collector).await;
}

/// A hit of the page cache is one span, and records no call of Redis.
async fn hit_calls_neither_redis_nor_a_service(fleet: &Fleet, collector: &Collector) {
    const PATH: &str = "/en-us/news/content/1001";
    let client = fleet.client();
    client.until_stored(PATH).await;
    let lookups = async || {
        let metrics = fleet.metrics(Part::Gateway).await.concat();
        let lookup = "db_stored_procedure_name=\"get_or_lease\"";
        let is_count = |line: &&str| {
            line.starts_with("db_client_operation_duration_seconds_count{") && line.contains(lookup)
        };
        let counts = metrics.lines().filter(is_count).filter_map(|line| line.rsplit(' ').next());
        counts.map(|count| count.parse::<u64>().unwrap()).sum::<u64>()
    };
    let before = lookups().await;
    assert!(before > 0, "the miss was looked up in Redis");
    let trace = "ccf7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-{BROWSER}-01");
    let hit = client.get_with(PATH, &[("traceparent", &*parent), ADDRESS, SCHEME]).await;
    assert_eq!(hit.cache_status(), "hit");
    assert_eq!(lookups().await, before);
    until(EXPORT_TIMEOUT, "the span is sent", async || !collector.trace(trace).is_empty()).await;
    let names: Vec<_> = collector.trace(trace).into_iter().map(|span| span.name).collect();
    assert_eq!(names, ["GET /news/content/{id?}"]);
}
