//! Durably acknowledged event reports per second on one core with SQLite, compared with a bare group commit on the same
//! file system, and their latency at half of this rate.

use std::{
    net::SocketAddr,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use sahm_proto::attribution::v1::{ReportEventRequest, event_service_client::EventServiceClient};
use serde::Serialize;
use tempfile::TempDir;
use tokio::task::JoinSet;
use tonic::transport::{Channel, Endpoint};

use crate::{
    cores::Cores,
    process::{Peer, Server, Serving, free_address, own_cpu, program},
    statistics::{median, percentile},
    turns::in_turns,
};

/// Concurrent reporters, and the connections that they share.
const REPORTERS: usize = 128;
const CONNECTIONS: usize = 4;
/// Duration of a turn of each server.
const TURN: Duration = Duration::from_secs(2);
/// Duration of the measurement at half of the maximum rate.
const PACED: Duration = Duration::from_secs(10);

/// The results.
#[derive(Debug, Serialize)]
pub(crate) struct Events {
    /// Acknowledged reports per second, medians over rounds.
    pub(crate) per_second: f64,
    pub(crate) bare_per_second: f64,
    /// Median of the ratios of rounds.
    pub(crate) ratio: f64,
    /// Processor time of the server per report, in microseconds.
    pub(crate) cpu_us: f64,
    pub(crate) bare_cpu_us: f64,
    /// Utilisation of the load's core; near 1, the load is the bottleneck.
    pub(crate) load_share: f64,
    pub(crate) bare_load_share: f64,
    /// Rate of the latency measurement: half of `per_second`.
    pub(crate) paced_per_second: f64,
    /// Milliseconds from when a report was due to its acknowledgement.
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

/// Measures the attribution service by itself, `rounds` times in turns with the bare one.
pub(crate) async fn measure(
    programs: &Path,
    cores: &Cores,
    rounds: usize,
) -> anyhow::Result<Events> {
    // On the file system of the site's data, not in memory.
    let folder = TempDir::new()?;
    let mut command = cores.on_server_core(&std::env::current_exe()?);
    command.arg("bare-events").arg(folder.path());
    let bare = Server::start(command, &folder.path().join("bare.log"))?;

    let address = free_address()?;
    let mut service = program(programs, "sahm-attribution", folder.path(), cores);
    service.env("SAHM_ATTRIBUTION_LISTEN", address.to_string());
    let mut service = Peer::start(service, &folder.path().join("attribution.log"), address)?;
    service.listening().await?;

    let ours = Reporters::connect(address).await?;
    let theirs = Reporters::connect(bare.address).await?;
    let closed = async || ours.closed(&service).await;
    let pairs = in_turns(rounds, closed, async || theirs.closed(&bare).await).await?;
    let over = |of: fn(&(Turn, Turn)) -> f64| median(pairs.iter().map(of));
    let per_second = over(|pair| pair.0.per_second);
    let pace = per_second / 2.0;
    let times = ours.paced(pace, PACED).await?;
    Ok(Events {
        per_second,
        bare_per_second: over(|pair| pair.1.per_second),
        ratio: over(|pair| pair.0.per_second / pair.1.per_second),
        cpu_us: over(|pair| pair.0.cpu_us),
        bare_cpu_us: over(|pair| pair.1.cpu_us),
        load_share: over(|pair| pair.0.load_share),
        bare_load_share: over(|pair| pair.1.load_share),
        paced_per_second: pace,
        p50_ms: percentile(&times, 0.50) / 1e6,
        p99_ms: percentile(&times, 0.99) / 1e6,
        max_ms: percentile(&times, 1.0) / 1e6,
    })
}

struct Turn {
    per_second: f64,
    cpu_us: f64,
    load_share: f64,
}

type Client = EventServiceClient<Channel>;

struct Reporters {
    clients: Vec<Client>,
}

impl Reporters {
    async fn connect(address: SocketAddr) -> anyhow::Result<Reporters> {
        let mut clients = Vec::new();
        for _ in 0..CONNECTIONS {
            let endpoint = Endpoint::try_from(format!("http://{address}"))?.tcp_nodelay(true);
            clients.push(Client::new(endpoint.connect().await.context("cannot connect")?));
        }
        Ok(Reporters { clients })
    }

    /// Closed loop: each reporter sends its next report when the last one is acknowledged.
    async fn closed(&self, server: &impl Serving) -> anyhow::Result<Turn> {
        let (cpu, own) = (server.cpu()?, own_cpu()?);
        let began = Instant::now();
        let until = began + TURN;
        let mut running = JoinSet::new();
        for at in 0..REPORTERS {
            let mut client = self.clients[at % CONNECTIONS].clone();
            running.spawn(async move {
                let mut acknowledged = 0_u64;
                while Instant::now() < until {
                    report(&mut client).await?;
                    acknowledged += 1;
                }
                anyhow::Ok(acknowledged)
            });
        }
        let mut acknowledged = 0;
        while let Some(done) = running.join_next().await {
            acknowledged += done??;
        }
        let elapsed = began.elapsed().as_secs_f64();
        ensure!(acknowledged > 0, "no report was acknowledged");
        let cpu = (server.cpu()? - cpu).as_secs_f64();
        Ok(Turn {
            per_second: acknowledged as f64 / elapsed,
            cpu_us: cpu * 1e6 / acknowledged as f64,
            load_share: (own_cpu()? - own).as_secs_f64() / elapsed,
        })
    }

    /// Open loop: sends reports at a fixed rate; returns the sorted nanoseconds from when each was due to its
    /// acknowledgement.
    async fn paced(&self, per_second: f64, during: Duration) -> anyhow::Result<Vec<u64>> {
        let reports = (per_second * during.as_secs_f64()) as u32;
        let began = Instant::now();
        let mut running = JoinSet::new();
        let mut times = Vec::with_capacity(reports as usize);
        for number in 0..reports {
            let due = began + Duration::from_secs_f64(f64::from(number) / per_second);
            // The timer's tick is a millisecond: what is due within one goes out together, and its
            // wait counts.
            if due > Instant::now() {
                tokio::time::sleep_until(due.into()).await;
            }
            let mut client = self.clients[number as usize % CONNECTIONS].clone();
            running.spawn(async move {
                report(&mut client).await?;
                anyhow::Ok(u64::try_from(due.elapsed().as_nanos())?)
            });
            while let Some(done) = running.try_join_next() {
                times.push(done??);
            }
        }
        while let Some(done) = running.join_next().await {
            times.push(done??);
        }
        times.sort_unstable();
        Ok(times)
    }
}

/// Sends a report of an event with a new id.
async fn report(client: &mut Client) -> anyhow::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let event = ReportEventRequest {
        event_name: "footer_exposure".into(),
        event_value: format!(r#"{{"page":"/en-us/news","c":"{}","scnl":"1110317"}}"#, number % 50),
        event_id: Some(uuid::Uuid::now_v7().to_string()),
        ..ReportEventRequest::default()
    };
    let response = client.report_event(event).await.context("a report is not acknowledged")?;
    ensure!(response.into_inner().accepted, "a report is not accepted");
    Ok(())
}
