//! Runs a real process from its arguments to its exit code, with its telemetry sent to a collector.
//! This binary is both test and process: a variable in its environment makes it the process.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
#[path = "process/audit.rs"]
mod audit;
#[path = "process/settings.rs"]
mod settings;

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read},
    net::TcpListener as StdListener,
    path::PathBuf,
    process::{Child, Command, ExitCode, Output, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use futures_util::StreamExt;
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sahm_chassis::{
    BoxFuture, Context, Process, ServiceName, Settings,
    changes::{self, ChangeLog},
    clock::Clock,
    lifecycle,
    outbound::Outbound,
    rpc::{self, Transport},
    service::{self, NoCommand, Service},
    settings::{DatabaseUrl, Endpoint},
    store::Store,
    telemetry,
};
use sahm_proto::changes::v1::{
    PurgeTagsRequest, WatchChangesRequest, change_log_service_client::ChangeLogServiceClient,
};
use sahm_testkit::Certificates;
use serde_json::Value;
use tonic::{Code, Request};

const PROBE: &str = "PROBE_OF_THE_CHASSIS";
/// The URL of a service: the process calls it and reports by its exit code whether it responded.
const CALLED: &str = "CALLED_BY_THE_CHASSIS";
/// The URL of a provider: the process calls it and prints the error of a failed call.
const PROVIDER: &str = "PROVIDER_OF_THE_CHASSIS";
const NAME: ServiceName = ServiceName::Config;
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// A service that has only a change log.
struct Probe;

impl Service for Probe {
    const NAME: ServiceName = NAME;
    const ABOUT: &'static str = "A service of the tests";
    type Store = Store;
    type Command = NoCommand;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, sahm_chassis::Result<Store>> {
        Box::pin(Store::open(url, NAME.as_str(), &[changes::MIGRATION]))
    }

    fn database(store: &Store) -> &Store {
        store
    }

    fn serve(
        store: Store,
        context: &Context,
        _: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let log = ChangeLog::start(store, &context.lifecycle).await?;
            Ok(rpc::Builder::new(NAME, context).add(log.service()).build())
        })
    }

    fn run(
        command: NoCommand,
        _: Store,
    ) -> sahm_chassis::LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        match command {}
    }
}

fn main() -> ExitCode {
    if let Ok(url) = std::env::var(CALLED) {
        return call(&url);
    }
    if let Ok(url) = std::env::var(PROVIDER) {
        return call_provider(url);
    }
    if std::env::var_os(PROBE).is_some() {
        return service::main::<Probe>();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    type Case = (&'static str, fn(&tokio::runtime::Runtime));
    let cases: [Case; 22] = [
        ("arguments print and exit", |_| settings::arguments_print_and_exit()),
        ("commands print their outcome", |_| settings::commands_print_their_outcome()),
        ("invalid setting is reported in one line", |_| {
            settings::invalid_setting_is_reported_in_one_line()
        }),
        ("check-config reports every invalid setting", |_| {
            settings::check_config_reports_every_invalid_setting()
        }),
        ("plaintext database connection is warned about", |_| {
            settings::plaintext_database_connection_is_warned_about()
        }),
        ("failed start reports its cause", |_| failed_start_reports_its_cause()),
        ("process is ready last and drains in time", |rt| {
            rt.block_on(process_is_ready_last_and_drains_in_time())
        }),
        ("descriptor limit is raised", |rt| rt.block_on(descriptor_limit_is_raised())),
        ("huge pages are disabled", |rt| rt.block_on(huge_pages_are_disabled())),
        ("unread log drops lines", |rt| rt.block_on(unread_log_drops_lines())),
        ("log read late is complete", |rt| rt.block_on(log_read_late_is_complete())),
        ("log level changes at runtime", |rt| rt.block_on(log_level_changes_at_runtime())),
        ("writes of teams have one audit line each", |rt| {
            rt.block_on(audit::writes_of_teams_have_one_audit_line_each())
        }),
        ("otlp over http", |rt| rt.block_on(telemetry_reaches_a_collector("http/protobuf", false))),
        ("otlp over grpc", |rt| rt.block_on(telemetry_reaches_a_collector("grpc", false))),
        ("otlp over https", |rt| rt.block_on(telemetry_reaches_a_collector("http/protobuf", true))),
        ("otlp over grpc with tls", |rt| rt.block_on(telemetry_reaches_a_collector("grpc", true))),
        ("the environment replaces resource attributes", |rt| {
            rt.block_on(the_environment_replaces_resource_attributes())
        }),
        ("signals are exported as their variables say", |rt| {
            rt.block_on(signals_are_exported_as_their_variables_say())
        }),
        ("a failed export is logged", |rt| rt.block_on(a_failed_export_is_logged())),
        ("service behind tls is called", |rt| rt.block_on(service_behind_tls_is_called())),
        ("provider certificate is verified", |rt| rt.block_on(provider_certificate_is_verified())),
    ];
    for (name, case) in cases {
        case(&runtime);
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

fn command(pairs: &[(&str, &str)]) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env_clear().env(PROBE, "1").envs(pairs.iter().copied());
    command
}

fn run(arguments: &[&str], pairs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command(pairs).args(arguments).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn failed_start_reports_its_cause() {
    let taken = StdListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let free = free_address();
    let folder = tempfile::tempdir().unwrap();
    let data = ("SAHM_DATA_DIR", folder.path().to_str().unwrap());
    let pairs = [data, ("SAHM_CONFIG_LISTEN", &*address), ("SAHM_ADMIN_LISTEN", &*free)];
    let (code, _, err) = run(&[], &pairs);
    assert_eq!(code, Some(1));
    assert!(err.lines().last().unwrap().contains(&address), "{err}");
    let tokens = folder.path().join("caller-tokens");
    assert!(std::fs::read_to_string(&tokens).unwrap().starts_with("gateway="), "made at the start");
    std::fs::write(&tokens, "gateway=hidden").unwrap();
    let (code, _, err) = run(&[], &pairs);
    assert_eq!((code, err.lines().count()), (Some(1), 1), "{err}");
    assert!(err.contains("caller-tokens") && !err.contains("hidden"), "{err}");
}

fn free_address() -> String {
    format!("127.0.0.1:{}", sahm_testkit::free_port().unwrap())
}

/// A started process; killed if a test fails.
struct Running {
    child: Child,
    admin: String,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    async fn start(pairs: &[(&str, &str)]) -> Running {
        Self::logging_to(Stdio::piped(), pairs).await
    }

    async fn logging_to(log: Stdio, pairs: &[(&str, &str)]) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let (admin, listen) = (free_address(), free_address());
        let mut command = command(pairs);
        command
            .env("SAHM_ADMIN_LISTEN", &admin)
            .env("SAHM_CONFIG_LISTEN", &listen)
            .env("SAHM_DATA_DIR", folder.path())
            .stderr(log);
        let child = command.spawn().unwrap();
        let running = Running { child, admin, url: format!("http://{listen}"), _folder: folder };
        let started = Instant::now();
        while running.get("/readyz").await.is_none_or(|response| response.0 != StatusCode::OK) {
            assert!(started.elapsed() < Duration::from_secs(10), "not ready");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        running
    }

    async fn get(&self, path: &str) -> Option<(StatusCode, String)> {
        self.send(http::Request::get(path), "").await
    }

    async fn send(
        &self,
        request: http::request::Builder,
        body: &'static str,
    ) -> Option<(StatusCode, String)> {
        let stream = tokio::net::TcpStream::connect(&self.admin).await.ok()?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.ok()?;
        tokio::spawn(connection);
        let request =
            request.header(header::HOST, "admin").body(Full::<Bytes>::from(body)).unwrap();
        let response = sender.send_request(request).await.ok()?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.ok()?.to_bytes();
        Some((parts.status, String::from_utf8(body.to_vec()).unwrap()))
    }

    /// How many batches of each exported signal were not exported.
    async fn export_failures(&self) -> BTreeMap<String, u64> {
        let (_, metrics) = self.get("/metrics").await.unwrap();
        let name = "otel_export_failures_total{signal=\"";
        let failures =
            metrics.lines().filter_map(|line| line.strip_prefix(name)?.split_once("\"} "));
        failures.map(|(signal, count)| (signal.to_owned(), count.parse().unwrap())).collect()
    }

    /// The attributes of the process's OpenTelemetry resource.
    async fn resource(&self) -> BTreeMap<String, String> {
        let (_, metrics) = self.get("/metrics").await.unwrap();
        let line = metrics.lines().find_map(|line| line.strip_prefix("target_info{"));
        let labels = line.unwrap_or_else(|| panic!("{metrics}")).trim_end_matches("\"} 1");
        let pairs = labels.split("\",").map(|pair| pair.split_once("=\"").unwrap());
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    fn client(&self) -> ChangeLogServiceClient<Transport> {
        let ctx = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
        ChangeLogServiceClient::new(Transport::connect(&self.url, &ctx))
    }

    /// Sends SIGTERM and returns exit code, duration and log.
    async fn terminate(mut self) -> (Option<i32>, Duration, String) {
        let began = Instant::now();
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        let code = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
            assert!(began.elapsed() < Duration::from_secs(20), "does not end");
        };
        let mut log = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut log).unwrap();
        }
        (code, began.elapsed(), log)
    }
}

async fn process_is_ready_last_and_drains_in_time() {
    let token = "gateway=a-token-of-16-chars";
    for (environment, wait) in [("dev", 0), ("feature", 3)] {
        let pairs = [("SAHM_ENV", environment), ("SAHM_CALLER_TOKENS", token)];
        let running = Running::start(&pairs).await;
        assert_eq!(running.get("/livez").await.unwrap().0, StatusCode::OK);
        let mut stream = running
            .client()
            .watch_changes(WatchChangesRequest::default())
            .await
            .unwrap()
            .into_inner();
        stream.next().await.unwrap().unwrap();
        let streamed = tokio::spawn(async move {
            loop {
                match stream.next().await {
                    Some(Ok(_)) => {}
                    end => return end.and_then(Result::err).map(|status| status.code()),
                }
            }
        });
        let (code, took, log) = running.terminate().await;
        assert_eq!(code, Some(0), "{log}");
        assert!(
            took >= Duration::from_secs(wait) && took < Duration::from_secs(wait + 4),
            "{took:?}"
        );
        assert_eq!(streamed.await.unwrap(), Some(Code::Unavailable));
        assert!(log.contains("draining") && log.contains("stopped"), "{log}");
        assert!(!log.contains('\u{1b}'), "colours in a pipe: {log}");
        // Only outside dev the process still serves until load balancers have removed it.
        assert_eq!(log.contains("shutting down"), environment != "dev", "{log}");
        if environment != "dev" {
            for line in log.lines() {
                assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
            }
        }
    }
}

/// Shells start processes with a soft limit below the hard one.
async fn descriptor_limit_is_raised() {
    let ours = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(256), ..ours }).unwrap();
    let running = Running::start(&[]).await;
    setrlimit(Resource::Nofile, ours).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", running.child.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let columns: Vec<_> = line["Max open files".len()..].split_whitespace().collect();
    assert_eq!(columns[0], columns[1], "{line}");
    assert_ne!(columns[0], "256", "{line}");
}

async fn huge_pages_are_disabled() {
    let running = Running::start(&[]).await;
    let status = std::fs::read_to_string(format!("/proc/{}/status", running.child.id())).unwrap();
    assert!(status.contains("THP_enabled:\t0\n"), "{status}");
}

/// Makes the process write this many lines.
async fn make_lines(running: &Running, count: usize) {
    let client = running.client();
    futures_util::stream::iter(0..count)
        .for_each_concurrent(16, async |_| {
            let refused = client.clone().purge_tags(PurgeTagsRequest::default()).await;
            assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
        })
        .await;
}

async fn dropped_lines(running: &Running) -> usize {
    let (_, metrics) = running.get("/metrics").await.unwrap();
    let dropped = metrics.lines().find_map(|line| line.strip_prefix("log_dropped_total "));
    dropped.unwrap_or_else(|| panic!("{metrics}")).parse().unwrap()
}

/// Writes more lines than the pipe and the process can hold while nobody reads the pipe.
async fn unread_log_drops_lines() {
    const LINES: usize = 10_000;
    let running = Running::start(&[]).await;
    make_lines(&running, LINES).await;
    let dropped = dropped_lines(&running).await;
    assert!(dropped > 0 && dropped < LINES / 2, "{dropped}");
    let (code, took, log) = running.terminate().await;
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert!(log.contains("PurgeTags"), "{log}");
}

/// Writes more lines than the pipe can hold, also if it is non-blocking, as a Node process makes a
/// pipe that it shares.
async fn log_read_late_is_complete() {
    const LINES: usize = 2_000;
    let (mut reader, writer) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&writer, true).unwrap();
    let running = Running::logging_to(writer.into(), &[]).await;
    make_lines(&running, LINES).await;
    assert_eq!(dropped_lines(&running).await, 0);
    let read = tokio::task::spawn_blocking(move || {
        let mut log = String::new();
        reader.read_to_string(&mut log).unwrap();
        log
    });
    assert_eq!(running.terminate().await.0, Some(0));
    let log = read.await.unwrap();
    assert_eq!(log.lines().filter(|line| line.contains("PurgeTags")).count(), LINES);
}

/// A successful request logs a debug line: of three requests, only the one during level debug.
async fn log_level_changes_at_runtime() {
    struct Audit {
        operator: &'static str,
        details: Option<&'static str>,
        status: u64,
    }
    const TOKEN: &str = "the-token-of-alice";
    const CALLERS: (&str, &str) = ("SAHM_CALLER_TOKENS", "gateway=a-token-of-16-chars");
    let operators = ("SAHM_ADMIN_TOKENS", "alice=the-token-of-alice");
    let running = Running::start(&[("SAHM_ENV", "feature"), CALLERS, operators]).await;
    let set = async |query: &str, directives: &'static str, token: &str| {
        let request = http::Request::post(format!("/log-level{query}"));
        let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        let (status, body) = running.send(request, directives).await.unwrap();
        (status.as_u16(), serde_json::from_str::<Value>(&body).unwrap())
    };
    let gateway = [(CALLERS.0.to_owned(), CALLERS.1.to_owned())];
    let gateway = Context::new(Settings::from_pairs(Process::Gateway, gateway).unwrap());
    let mut client = ChangeLogServiceClient::new(Transport::connect(&running.url, &gateway));
    let mut purge = async || {
        let request = PurgeTagsRequest { tags: vec!["a".into()], soft: false };
        client.purge_tags(request).await.unwrap();
    };

    purge().await;
    assert_eq!(set("", "sahm=debug", "the-token-of-nobody").await.0, 401);
    for (query, directives, why) in [
        ("", "warn,sahm=loud", "sahm=loud"),
        ("", "", "missing"),
        ("?minutes=0", "warn", "minutes"),
        ("?minutes=1441", "warn", "minutes"),
        ("?hours=1", "warn", "minutes"),
    ] {
        let (status, body) = set(query, directives, TOKEN).await;
        assert_eq!(status, 400, "{query} {directives}");
        assert!(body["error"].as_str().unwrap().contains(why), "{body}");
    }
    let (status, shown) = running.get("/log-level").await.unwrap();
    let shown = serde_json::from_str::<Value>(&shown).unwrap();
    assert_eq!((status, shown["start"].as_str()), (StatusCode::OK, Some("warn,sahm=info")));
    assert!(shown["endsAt"].is_null(), "{shown}");

    let in_15_minutes = || sahm_chassis::clock::now_millis() + 15 * 60_000;
    let earliest = in_15_minutes();
    let (status, body) = set("?minutes=15", "warn,sahm=debug", TOKEN).await;
    assert_eq!((status, body["directives"].as_str()), (200, Some("sahm=debug,warn")));
    let ends_at = body["endsAt"].as_u64().unwrap();
    assert!((earliest..=in_15_minutes()).contains(&ends_at), "{body}");
    purge().await;
    assert_eq!(set("", "off", TOKEN).await.0, 200);
    purge().await;

    let (code, _, log) = running.terminate().await;
    assert_eq!(code, Some(0), "{log}");
    assert!(!log.contains("the-token-of"), "{log}");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<_> = lines.collect();
    let is_purge = |line: &Value| {
        line["level"] == "DEBUG" && line["path"] == "/sahm.changes.v1.ChangeLogService/PurgeTags"
    };
    assert_eq!(lines.iter().filter(|line| is_purge(line)).count(), 1, "{log}");

    let alice = |details, status| Audit { operator: "alice", details, status };
    let expected = [
        Audit { operator: "unauthenticated", details: None, status: 401 },
        alice(Some("warn,sahm=loud"), 400),
        alice(Some(""), 400),
        alice(None, 400),
        alice(None, 400),
        alice(None, 400),
        alice(Some("warn,sahm=debug for 15 minutes"), 200),
        alice(Some("off"), 200),
    ];
    let audit: Vec<_> = lines.iter().filter(|line| line["target"] == "sahm::audit").collect();
    assert_eq!(audit.len(), expected.len(), "{log}");
    for (line, Audit { operator, details, status }) in audit.into_iter().zip(expected) {
        let text = |name: &str| line[name].as_str();
        assert_eq!((text("operator"), text("details")), (Some(operator), details), "{line}");
        assert_eq!((text("method"), text("path")), (Some("POST"), Some("/log-level")), "{line}");
        assert_eq!((text("address"), line["status"].as_u64()), (Some("127.0.0.1"), Some(status)));
    }
}

type Received = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// Receives OTLP over both protocols and keeps the payloads by path.
async fn collect(
    State(received): State<Received>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    received.lock().unwrap().entry(uri.path().to_owned()).or_default().extend_from_slice(&body);
    let content_type = headers.get(header::CONTENT_TYPE).unwrap().to_str().unwrap();
    if content_type.starts_with("application/grpc") {
        let headers = [(header::CONTENT_TYPE.as_str(), "application/grpc"), ("grpc-status", "0")];
        // A response of headers alone is enough; an empty message would need trailers.
        return (headers, Bytes::new()).into_response();
    }
    ([(header::CONTENT_TYPE, "application/x-protobuf")], Bytes::new()).into_response()
}

async fn telemetry_reaches_a_collector(protocol: &str, is_tls: bool) {
    let received = Received::default();
    let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let certificates = Certificates::make().unwrap();
    let (mut scheme, mut address) = ("http", listener.local_addr().unwrap());
    if is_tls {
        (scheme, address) = ("https", certificates.proxy(address).await.unwrap());
    }
    let endpoint = format!("{scheme}://{address}");
    let collector = Router::new().fallback(collect).with_state(received.clone());
    tokio::spawn(async move { axum::serve(listener, collector).await });
    let running = Running::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
        ("SSL_CERT_FILE", certificates.authority().to_str().unwrap()),
        ("OTEL_RESOURCE_ATTRIBUTES", "team=site"),
        ("RUST_LOG", "warn,sahm=info,sahm::request=debug"),
    ])
    .await;
    let mut request = Request::new(PurgeTagsRequest { tags: vec!["a".into()], soft: false });
    let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    running.client().purge_tags(request).await.unwrap();
    let (_, metrics) = running.get("/metrics").await.unwrap();
    assert!(metrics.contains("rpc_server_call_duration_seconds_bucket"), "{metrics}");
    assert!(
        metrics.contains("rpc_method=\"sahm.changes.v1.ChangeLogService/PurgeTags\""),
        "{metrics}"
    );
    let (code, took, log) = running.terminate().await;
    assert_eq!(code, Some(0), "{log}");
    assert!(took < Duration::from_secs(6), "{took:?}");
    assert!(log.contains(TRACE), "the request's line names its trace: {log}");

    let received = received.lock().unwrap();
    let trace: Vec<u8> =
        (0..16).map(|at| u8::from_str_radix(&TRACE[2 * at..2 * at + 2], 16).unwrap()).collect();
    // The call's transaction is a part of its trace.
    let cases: [(&str, &[&[u8]]); 3] = [
        ("trace", &[&trace, b"db.query.summary"]),
        ("logs", &[&trace]),
        ("metrics", &[b"rpc.server.call.duration"]),
    ];
    for (signal, expected) in cases {
        let paths: Vec<_> = received.keys().collect();
        let (_, bytes) = received
            .iter()
            .find(|(path, _)| path.to_lowercase().contains(signal))
            .unwrap_or_else(|| panic!("no {signal} in {paths:?}\n{log}"));
        for needle in expected.iter().copied().chain([&b"sahm-config"[..], b"team"]) {
            let found = bytes.windows(needle.len()).any(|window| window == needle);
            assert!(found, "{signal} lacks {:?}", String::from_utf8_lossy(needle));
        }
    }
}

async fn the_environment_replaces_resource_attributes() {
    let first = Running::start(&[]).await.resource().await;
    let second = Running::start(&[]).await.resource().await;
    for resource in [&first, &second] {
        assert_eq!(resource["service_namespace"], "sahm");
        assert_eq!(resource["service_name"], "sahm-config");
        assert_eq!(resource["service_version"], telemetry::VERSION);
        assert_eq!(resource["deployment_environment_name"], "dev");
        assert_eq!(resource["service_instance_id"].len(), 36, "a UUID: {resource:?}");
    }
    assert_ne!(first["service_instance_id"], second["service_instance_id"]);

    let attributes = "service.namespace=a,service.name=b,service.version=c,\
                      service.instance.id=d,deployment.environment.name=e,k8s.pod.name=f";
    struct Case {
        service_name: &'static str,
        expected: &'static str,
    }
    for Case { service_name, expected } in
        [Case { service_name: "", expected: "b" }, Case { service_name: "g", expected: "g" }]
    {
        let running = Running::start(&[
            ("OTEL_RESOURCE_ATTRIBUTES", attributes),
            ("OTEL_SERVICE_NAME", service_name),
        ])
        .await;
        let resource = running.resource().await;
        for (name, value) in [
            ("service_namespace", "a"),
            ("service_name", expected),
            ("service_version", "c"),
            ("service_instance_id", "d"),
            ("deployment_environment_name", "e"),
            ("k8s_pod_name", "f"),
        ] {
            assert_eq!(resource[name], value, "{resource:?}");
        }
    }
}

/// The metrics contain the failures of each exported signal from the start.
async fn signals_are_exported_as_their_variables_say() {
    struct Case {
        pairs: &'static [(&'static str, &'static str)],
        exported: &'static [&'static str],
    }
    const ENDPOINT: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    for Case { pairs, exported } in [
        Case { pairs: &[], exported: &[] },
        Case { pairs: &[ENDPOINT], exported: &["logs", "metrics", "traces"] },
        Case {
            pairs: &[ENDPOINT, ("OTEL_TRACES_EXPORTER", "none")],
            exported: &["logs", "metrics"],
        },
        Case {
            pairs: &[ENDPOINT, ("OTEL_METRICS_EXPORTER", "none")],
            exported: &["logs", "traces"],
        },
        Case {
            pairs: &[("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://127.0.0.1:9/v1/logs")],
            exported: &["logs"],
        },
    ] {
        let failures = Running::start(pairs).await.export_failures().await;
        assert_eq!(failures.keys().collect::<Vec<_>>(), exported, "{pairs:?}");
    }
}

async fn a_failed_export_is_logged() {
    let collector = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let trusted_by_nobody = Certificates::make().unwrap();
    let address = trusted_by_nobody.proxy(collector.local_addr().unwrap()).await.unwrap();
    let endpoint = format!("https://{address}");
    for protocol in ["http/protobuf", "grpc"] {
        let running = Running::start(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "500"),
            ("OTEL_BSP_SCHEDULE_DELAY", "50"),
            ("OTEL_BLRP_SCHEDULE_DELAY", "50"),
        ])
        .await;
        let request = PurgeTagsRequest { tags: vec!["a".into()], soft: false };
        running.client().purge_tags(request).await.unwrap();
        // The call's span, and the line about its arrival or a later one.
        for signal in ["traces", "logs"] {
            let started = Instant::now();
            while running.export_failures().await[signal] == 0 {
                assert!(started.elapsed() < Duration::from_secs(10), "no failure of {signal}");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        assert_eq!(running.export_failures().await["metrics"], 0, "not due for a minute");
        let (code, _, log) = running.terminate().await;
        assert_eq!(code, Some(0), "{log}");
        for signal in ["traces", "metrics", "logs"] {
            let signal = format!("signal=\"{signal}\"");
            let is_report =
                |line: &&str| line.contains("telemetry not exported") && line.contains(&signal);
            // One line, however many batches fail within a minute; the SDK itself reports none.
            assert_eq!(log.lines().filter(is_report).count(), 1, "{protocol} {signal}: {log}");
        }
        assert!(!log.contains("Export.Failed") && !log.contains("ExportError"), "{log}");
    }
}

fn call(url: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let context = Context::new(Settings::from_pairs(Process::Gateway, []).unwrap());
        let mut client = ChangeLogServiceClient::new(Transport::connect(url, &context));
        match client.watch_changes(WatchChangesRequest::default()).await {
            Ok(_) => ExitCode::SUCCESS,
            Err(status) => {
                eprintln!("{status:?}");
                ExitCode::FAILURE
            }
        }
    })
}

async fn service_behind_tls_is_called() {
    let running = Running::start(&[]).await;
    let plain = running.url.trim_start_matches("http://").parse().unwrap();
    let certificates = Certificates::make().unwrap();
    let port = certificates.proxy(plain).await.unwrap().port();
    let url = format!("https://localhost:{port}");
    let authority = certificates.authority();
    let trusting = [(CALLED, url.as_str()), ("SSL_CERT_FILE", authority.to_str().unwrap())];
    let (code, _, err) = run(&[], &trusting);
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) = run(&[], &[(CALLED, &url)]);
    assert_eq!(code, Some(1), "called over a certificate that is not trusted: {err}");
    let (code, _, err) = run(&[], &[(CALLED, &format!("http://localhost:{port}"))]);
    assert_eq!(code, Some(1), "called without TLS: {err}");
}

fn call_provider(url: String) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let outbound = Outbound::new("provider", Duration::from_secs(5)).unwrap();
        let endpoint = Endpoint { url, token: None };
        match outbound.post_json(&endpoint, &Value::Null).await {
            Ok(response) => {
                assert_eq!(response.status, StatusCode::OK);
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error:#}");
                ExitCode::FAILURE
            }
        }
    })
}

/// Providers and sinks share this client.
async fn provider_certificate_is_verified() {
    let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let certificates = Certificates::make().unwrap();
    let behind = listener.local_addr().unwrap();
    let port = certificates.proxy(behind).await.unwrap().port();
    // The certificate names 127.0.0.1 and not this address.
    let misnamed = certificates.proxy_at("127.0.0.2", behind).await.unwrap();
    let provider = Router::new().fallback(async || "{}");
    tokio::spawn(async move { axum::serve(listener, provider).await });
    let other = Certificates::make().unwrap();
    struct Case<'a> {
        name: &'a str,
        /// `SSL_CERT_FILE`.
        trusts: PathBuf,
        address: String,
        failure: Option<&'a str>,
    }
    let cases = [
        Case {
            name: "trusted",
            trusts: certificates.authority(),
            address: format!("localhost:{port}"),
            failure: None,
        },
        Case {
            name: "the authority is unknown",
            trusts: other.authority(),
            address: format!("localhost:{port}"),
            // Both authorities have the same name.
            failure: Some("invalid peer certificate: BadSignature"),
        },
        Case {
            name: "the certificate is for another name",
            trusts: certificates.authority(),
            address: misnamed.to_string(),
            failure: Some("certificate not valid for name"),
        },
    ];
    for Case { name, trusts, address, failure } in cases {
        let url = format!("https://user:hidden@{address}/path?key=hidden");
        let pairs = [(PROVIDER, &*url), ("SSL_CERT_FILE", trusts.to_str().unwrap())];
        let (code, _, error) = run(&[], &pairs);
        assert_eq!(code, Some(i32::from(failure.is_some())), "{name}: {error}");
        if let Some(failure) = failure {
            assert!(error.starts_with(&format!("{address}: ")), "{name}: {error}");
            assert!(error.contains(failure) && !error.contains("hidden"), "{name}: {error}");
        }
    }
}
