//! Error reports of browsers (`/api/log/report`): limited, counted, and exported to the collector by the gateway's
//! program.

use std::{
    net::SocketAddr,
    process::Command,
    sync::{Arc, Mutex},
};

use axum::body::Body;
use http_body_util::BodyExt;
use sahm_chassis::settings::ServiceName;
use sahm_testkit::{free_port, kill::Program};
use serde_json::json;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    rules::kit::{self, Http, send},
    wait::until,
};

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// The gateway's program, with a collector of logs and traces.
struct Gateway {
    site: String,
    admin: String,
    http: Http,
    logs: Arc<Mutex<Vec<u8>>>,
    traces: Arc<Mutex<Vec<u8>>>,
    program: Program,
    _collector: AbortOnDropHandle<()>,
    _folder: tempfile::TempDir,
}

impl Gateway {
    async fn start(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        kit::build(folder.path());
        let (logs, traces) = <(Arc<Mutex<Vec<u8>>>, Arc<Mutex<Vec<u8>>>)>::default();
        let stores = (logs.clone(), traces.clone());
        let (collector, server) = kit::serve(move |request| {
            let store = match request.uri().path() {
                "/v1/logs" => stores.0.clone(),
                "/v1/traces" => stores.1.clone(),
                path => panic!("unexpected path {path}"),
            };
            async move {
                let sent = request.into_body().collect().await.unwrap().to_bytes();
                store.lock().unwrap().extend_from_slice(&sent);
                http::Response::builder()
                    .header("content-type", "application/x-protobuf")
                    .body(Body::empty())
                    .unwrap()
            }
        })
        .await;
        let [site, admin] =
            [(); 2].map(|()| SocketAddr::from(([127, 0, 0, 1], free_port().unwrap())));
        let mut command = Command::new(env!("CARGO_BIN_EXE_sahm-gateway"));
        command
            .env("SAHM_LISTEN", site.to_string())
            .env("SAHM_ADMIN_LISTEN", admin.to_string())
            .env("SAHM_DATA_DIR", folder.path().join("data"))
            .env("SAHM_SITE_DIR", folder.path())
            // As in the manifests (k8s/components/telemetry).
            .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{collector}"))
            .env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
            .env("OTEL_METRICS_EXPORTER", "none")
            .env("SAHM_OTLP_LOGS", "sahm_client=warn")
            .env("OTEL_TRACES_EXPORTER", "none")
            .envs(settings.iter().copied());
        for service in ServiceName::ALL {
            let name = format!("SAHM_{}_URL", service.as_str().to_ascii_uppercase());
            command.env(name, "http://127.0.0.1:9");
        }
        let program = Program::start(&mut command).unwrap();
        let gateway = Self {
            site: format!("http://{site}"),
            admin: format!("http://{admin}"),
            http: kit::http(),
            logs,
            traces,
            program,
            _collector: server,
            _folder: folder,
        };
        until("the gateway is ready", async || gateway.operator("/readyz").await.is_some()).await;
        gateway
    }

    /// Reads a path of the admin server.
    async fn operator(&self, path: &str) -> Option<String> {
        let uri = format!("{}{path}", self.admin);
        let response = send(&self.http, "GET", &uri, &[], "").await?;
        (response.status == 200).then(|| String::from_utf8(response.body.to_vec()).unwrap())
    }

    async fn has_counted(&self, count: u64) -> bool {
        let line = format!("\ngateway_client_errors_total {count}\n");
        self.operator("/metrics").await.unwrap().contains(&line)
    }

    async fn report(&self, report: serde_json::Value) -> u16 {
        let uri = format!("{}/api/log/report", self.site);
        send(&self.http, "POST", &uri, &JSON, report.to_string()).await.unwrap().status
    }

    fn collector_has(&self, text: &str) -> bool {
        let logs = self.logs.lock().unwrap();
        logs.windows(text.len()).any(|window| window == text.as_bytes())
    }
}

#[tokio::test]
async fn only_truncated_reports_reach_the_collector() {
    let gateway = Gateway::start(&[]).await;
    assert!(gateway.has_counted(0).await, "a counter from the start");
    let long = json!({
        "message": "m".repeat(3_000),
        "stack": "s".repeat(9_000),
        "url": "/en-us/news?ticket=hidden",
        "build": "b".repeat(200),
    });
    assert_eq!(gateway.report(long).await, 200);
    until("the report", async || gateway.collector_has("sahm_client")).await;
    for (letter, bound) in [("m", 2_000), ("s", 8_000), ("b", 80)] {
        assert!(gateway.collector_has(&letter.repeat(bound)), "{letter} is exported");
        assert!(!gateway.collector_has(&letter.repeat(bound + 1)), "{letter} is truncated");
    }
    assert!(gateway.collector_has("/en-us/news?…") && !gateway.collector_has("hidden"));
    assert!(gateway.collector_has("sahm-gateway"), "the name of the service");

    assert_eq!(gateway.report(json!({ "stack": "without a message" })).await, 400);
    assert_eq!(gateway.report(json!({ "message": "of a bad address", "url": {} })).await, 400);
    assert_eq!(gateway.report(json!({ "message": "the next one", "url": null })).await, 200);
    until("the next report", async || gateway.collector_has("the next one")).await;
    assert!(!gateway.collector_has("without a message"));
    assert!(!gateway.collector_has("of a bad address"));
    assert!(!gateway.collector_has("sahm::") && !gateway.collector_has("sahm_gateway"), "others");
    assert!(gateway.has_counted(2).await);
}

/// Visitors decide neither the trace id nor the sampling of a request, also behind a proxy that forwards their header;
/// a parent-based sampler would record whatever they request.
#[tokio::test]
async fn traces_are_continued_only_from_proxies_that_write_their_context() {
    struct Case {
        proxies: &'static str,
        trust: &'static str,
        is_recorded: bool,
    }
    for Case { proxies, trust, is_recorded } in [
        Case { proxies: "", trust: "on", is_recorded: false },
        Case { proxies: "127.0.0.0/8", trust: "off", is_recorded: false },
        Case { proxies: "127.0.0.0/8", trust: "on", is_recorded: true },
    ] {
        let gateway = Gateway::start(&[
            ("OTEL_TRACES_EXPORTER", "otlp"),
            ("OTEL_TRACES_SAMPLER", "parentbased_always_off"),
            ("SAHM_TRUSTED_PROXIES", proxies),
            ("SAHM_TRUST_TRACE_CONTEXT", trust),
        ])
        .await;
        let sampled = [("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")];
        let uri = format!("{}/en-us/news", gateway.site);
        assert!(send(&gateway.http, "GET", &uri, &sampled, "").await.is_some());
        // A process exports its remaining traces before it exits.
        let Gateway { program, traces, _collector: collector, .. } = gateway;
        let exited = tokio::task::spawn_blocking(|| program.terminate()).await.unwrap().unwrap();
        assert!(exited.success());
        drop(collector);
        assert_eq!(!traces.lock().unwrap().is_empty(), is_recorded, "'{proxies}' {trust}");
    }
}
