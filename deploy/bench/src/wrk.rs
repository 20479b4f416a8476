//! Closed-loop load by [wrk](https://github.com/wg/wrk): a fixed number of connections with one request at a time, as
//! fast as responses arrive.
//!
//! wrk counts responses with an error status, but does not compare other properties. A request before and one after the
//! run must have the expected status and `x-page-cache`, and the number of received bytes must match the size of the
//! expected response.

use std::{collections::BTreeMap, io::Write};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use tokio::process::Command;

use crate::{
    client::{Connection, Exchange},
    process::{Serving, own_cpu},
};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/wrk.lua");
/// Tolerated difference between the mean size of bodies and the expected one. The request id and the member's data may
/// differ in length.
const SIZE_TOLERANCE: f64 = 0.05;
/// Maximum size of a response's head.
const MAX_HEAD_BYTES: f64 = 4096.0;

/// Connections and duration of a run; wrk accepts whole seconds.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) connections: usize,
    pub(crate) seconds: u64,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Measured {
    /// Responses per second, over all connections.
    pub(crate) per_second: f64,
    /// Microseconds from the first byte of a request to the last byte of its response.
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// CPU time of the server per response, in microseconds.
    pub(crate) cpu_us: f64,
    /// Utilisation of the load's core; near 1, the load is the bottleneck.
    pub(crate) load_share: f64,
}

/// What the script prints.
#[derive(Deserialize)]
struct Summary {
    requests: u64,
    bytes: u64,
    seconds: f64,
    p50_us: f64,
    p99_us: f64,
    errors: BTreeMap<String, u64>,
}

/// Sends the request to `server` for some seconds.
///
/// # Errors
/// wrk is not installed; a response differs from the expected one; a connection fails.
pub(crate) async fn run(
    server: &dyn Serving,
    expected: &Exchange,
    load: Load,
) -> anyhow::Result<Measured> {
    probe(server, expected).await.context("before the run")?;
    let (cpu, own) = (server.cpu()?, own_cpu()?);
    let summary = send(server, expected, load).await?;
    let (cpu, own) = (server.cpu()? - cpu, own_cpu()? - own);
    summary.check(expected.response.body.len(), load.connections)?;
    probe(server, expected).await.context("after the run")?;
    Ok(Measured {
        per_second: summary.requests as f64 / summary.seconds,
        p50_us: summary.p50_us,
        p99_us: summary.p99_us,
        cpu_us: cpu.as_secs_f64() * 1e6 / summary.requests as f64,
        load_share: own.as_secs_f64() / summary.seconds,
    })
}

/// Runs wrk on the core of this process.
async fn send(server: &dyn Serving, expected: &Exchange, load: Load) -> anyhow::Result<Summary> {
    let request = &expected.request;
    let mut command = Command::new("wrk");
    command.args(["--threads", "1", "--timeout", "10s", "--script", SCRIPT]);
    command.args(["--connections", &load.connections.to_string()]);
    command.args(["--duration", &format!("{}s", load.seconds)]);
    for (name, value) in request.headers() {
        // wrk adds its own header unless this name is capitalised.
        let name = if name == "host" { "Host" } else { name.as_str() };
        command.args(["--header", &format!("{name}: {}", value.to_str()?)]);
    }
    command.arg(format!("http://{}{}", server.address(), request.uri()));
    let mut body = NamedTempFile::new()?;
    if !request.body().is_empty() {
        body.write_all(request.body())?;
        command.arg(body.path());
    }
    let output = command.output().await.context("cannot run wrk (deploy/setup.sh wrk)")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let json = text.lines().find(|line| line.starts_with('{'));
    let error = || format!("wrk: {text}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(json.with_context(error)?).with_context(error)
}

impl Summary {
    fn check(&self, body_bytes: usize, connections: usize) -> anyhow::Result<()> {
        ensure!(self.requests > 0, "no response in {} s", self.seconds);
        ensure!(self.errors.values().all(|count| *count == 0), "errors: {:?}", self.errors);
        let (requests, body) = (self.requests as f64, body_bytes as f64);
        let least = requests * body * (1.0 - SIZE_TOLERANCE);
        // The last response of each connection may be incomplete.
        let most =
            (requests + connections as f64) * (body * (1.0 + SIZE_TOLERANCE) + MAX_HEAD_BYTES);
        ensure!(
            (least..=most).contains(&(self.bytes as f64)),
            "{} bytes of {} responses with a body of {body_bytes} bytes",
            self.bytes,
            self.requests
        );
        Ok(())
    }
}

async fn probe(server: &dyn Serving, expected: &Exchange) -> anyhow::Result<()> {
    let response = Connection::open(server.address()).await?.fetch(&expected.request).await?;
    let Exchange { response: expected, .. } = expected;
    ensure!(
        response.status == expected.status,
        "{} instead of {}",
        response.status,
        expected.status
    );
    let [cached, expected] = [&response, expected].map(|response| response.header("x-page-cache"));
    ensure!(cached == expected, "x-page-cache is {cached:?} instead of {expected:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{
        net::SocketAddr,
        sync::atomic::{AtomicBool, Ordering},
    };

    use axum::{Router, http::StatusCode, routing};
    use tokio::net::TcpListener;

    use super::*;
    use crate::client::{self, Request, Response};

    /// A server in this process.
    struct Local(SocketAddr);

    impl Serving for Local {
        fn address(&self) -> SocketAddr {
            self.0
        }

        fn cpu(&self) -> anyhow::Result<std::time::Duration> {
            own_cpu()
        }
    }

    #[tokio::test]
    async fn run_sends_requests_and_rejects_wrong_responses() {
        static HAS_FAILED: AtomicBool = AtomicBool::new(false);
        let page = "x".repeat(5_000);
        let body = page.clone();
        let router = Router::new()
            .route("/page", routing::get(async || body))
            .route("/echo", routing::post(async |body: String| body))
            .route(
                "/failing",
                routing::get(async || match HAS_FAILED.swap(true, Ordering::Relaxed) {
                    false => StatusCode::OK,
                    true => StatusCode::INTERNAL_SERVER_ERROR,
                }),
            );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Local(listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, router).into_future());
        let run = async |request: Request, body: &str| {
            let response = Response { status: 200, headers: Vec::new(), body: body.into() };
            let load = Load { connections: 2, seconds: 1 };
            run(&server, &Exchange { request, response }, load).await
        };

        let measured = run(client::get("/page", &[]), &page).await.unwrap();
        assert!(measured.per_second > 10.0 && measured.p50_us > 0.0, "{measured:?}");
        assert!(measured.p99_us >= measured.p50_us && measured.load_share > 0.0, "{measured:?}");
        run(client::post("/echo", &[], page.as_bytes()), &page).await.unwrap();
        let error = run(client::get("/page", &[]), &page.repeat(2)).await.unwrap_err();
        assert!(error.to_string().contains("bytes of"), "{error:#}");
        let error = run(client::get("/missing", &[]), "").await.unwrap_err();
        assert!(format!("{error:#}").contains("404"), "{error:#}");
        let error = run(client::get("/failing", &[]), "").await.unwrap_err();
        assert!(error.to_string().contains("\"status\": "), "{error:#}");
    }

    #[test]
    fn responses_with_errors_or_another_size_fail_the_run() {
        let check = |requests, bytes, timeouts| {
            let errors = BTreeMap::from([("connect".into(), 0), ("timeout".into(), timeouts)]);
            let summary =
                Summary { requests, bytes, seconds: 1.0, p50_us: 1.0, p99_us: 1.0, errors };
            summary.check(10_000, 32)
        };
        assert!(check(1_000, 10_500_000, 0).is_ok());
        assert!(check(0, 0, 0).is_err(), "no response");
        assert!(check(1_000, 10_500_000, 1).is_err(), "a timeout");
        assert!(check(1_000, 500_000, 0).is_err(), "304 instead of the page");
        assert!(check(1_000, 20_000_000, 0).is_err(), "another page");
    }
}
