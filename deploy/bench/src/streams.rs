//! 10,000 clients of `/api/hq/stream`: the gateway's memory for each, and the time from the
//! market-data provider's response until the last client has the new price.
//!
//! Gateway and quotes service are separate processes on the core for servers. The provider is in
//! this process and responds with increasing prices, so that each event identifies its response.
//! The service calls it once a second.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use procfs::{WithCurrentSystemInfo, process::Process};
use serde::Serialize;
use tempfile::TempDir;
use tokio::sync::mpsc;

use crate::{
    client::{self, BROWSER, Connection},
    cores::Cores,
    event_stream::EventStream,
    process::{Peer, Serving, allow_files, free_address, own_cpu, program},
    provider::Provider,
    statistics::percentile,
};

const CLIENTS: usize = 10_000;
/// Clients before the first look at the memory, so that one-time allocations do not count.
const FIRST: usize = 200;
/// Clients that connect at once; the gateway admits 4,096.
const AT_ONCE: usize = 256;
/// Sockets and files in addition to the clients'.
const OTHER_FILES: usize = 500;
/// Watched securities. Each client watches three of them, as pages do.
const CODES: [&str; 12] = [
    "1010", "1020", "1030", "1050", "1060", "1080", "1120", "1150", "1180", "2010", "2222", "AAPL",
];
const CODES_EACH: usize = 3;
/// Duration of the measurement of updates.
const TIMED: Duration = Duration::from_secs(20);
const START: Duration = Duration::from_secs(30);

/// The results.
#[derive(Debug, Serialize)]
pub(crate) struct Streams {
    pub(crate) clients: usize,
    pub(crate) codes_each: usize,
    /// Growth of the gateway's resident memory per client.
    pub(crate) bytes_each: f64,
    /// Events received during the measurement.
    pub(crate) events: usize,
    /// Time from the provider's response to the event's arrival.
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    /// Utilisation of the cores of gateway and load; a value near 1 is the limit.
    pub(crate) gateway_share: f64,
    pub(crate) load_share: f64,
}

/// Measures, or returns the reason why this machine cannot hold as many connections.
pub(crate) async fn measure(
    programs: &Path,
    cores: &Cores,
) -> anyhow::Result<Result<Streams, String>> {
    if let Err(error) = allow_files(CLIENTS + OTHER_FILES) {
        return Ok(Err(format!("{error:#}")));
    }
    let provider = Provider::start().await?;
    let folder = TempDir::new()?;
    let quotes_address = free_address()?;
    let mut quotes = program(programs, "sahm-quotes", folder.path(), cores);
    quotes.env("SAHM_QUOTES_LISTEN", quotes_address.to_string());
    quotes.env("SAHM_QUOTES_PROVIDER_URL", format!("http://{}", provider.address));
    let mut quotes = Peer::start(quotes, &folder.path().join("quotes.log"), quotes_address)?;
    quotes.listening().await?;

    let address = free_address()?;
    let mut gateway = program(programs, "sahm-gateway", folder.path(), cores);
    gateway.env("SAHM_LISTEN", address.to_string());
    gateway.env("SAHM_QUOTES_URL", format!("http://{quotes_address}"));
    for service in ["CONTENT", "IDENTITY", "CONFIG", "ACTIVITY", "ATTRIBUTION"] {
        // Nothing listens there.
        gateway.env(format!("SAHM_{service}_URL"), "http://127.0.0.1:9");
    }
    let mut gateway = Peer::start(gateway, &folder.path().join("gateway.log"), address)?;
    gateway.listening().await?;
    accepted(address).await?;

    let shared =
        Arc::new(Shared { provider, timing: AtomicBool::new(false), times: Mutex::default() });
    let mut clients = Clients { address, shared: Arc::clone(&shared), tasks: Vec::new() };
    clients.grow_to(FIRST).await?;
    let before = resident(gateway.id())?;
    clients.grow_to(CLIENTS).await?;

    let (began, cpu, own) = (Instant::now(), gateway.cpu()?, own_cpu()?);
    shared.timing.store(true, Ordering::Relaxed);
    tokio::time::sleep(TIMED).await;
    shared.timing.store(false, Ordering::Relaxed);
    let elapsed = began.elapsed().as_secs_f64();
    let gateway_share = (gateway.cpu()? - cpu).as_secs_f64() / elapsed;
    let load_share = (own_cpu()? - own).as_secs_f64() / elapsed;
    // After updates were sent on every stream.
    let grown = resident(gateway.id())?.saturating_sub(before);
    ensure!(clients.tasks.iter().all(|task| !task.is_finished()), "a stream has ended");

    let mut times = std::mem::take(&mut *shared.times());
    times.sort_unstable();
    let least = CLIENTS * (TIMED.as_secs() as usize / 2);
    ensure!(times.len() >= least, "only {} events in {TIMED:?}", times.len());
    Ok(Ok(Streams {
        clients: CLIENTS,
        codes_each: CODES_EACH,
        bytes_each: grown as f64 / (CLIENTS - FIRST) as f64,
        events: times.len(),
        p50_ms: percentile(&times, 0.50) / 1e6,
        p99_ms: percentile(&times, 0.99) / 1e6,
        max_ms: percentile(&times, 1.0) / 1e6,
        gateway_share,
        load_share,
    }))
}

/// Waits until the gateway opens streams, because it may have to connect to the quotes service
/// first.
async fn accepted(address: SocketAddr) -> anyhow::Result<()> {
    let path = format!("/api/hq/querySimpleBySecurityCodes?securityCodes={}", CODES[0]);
    let request = client::get(&path, &[]);
    let began = Instant::now();
    loop {
        let response = Connection::open(address).await?.fetch(&request).await?;
        if response.status == 200 {
            return Ok(());
        }
        ensure!(began.elapsed() < START, "quotes answers {} after {START:?}", response.status);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// State that all clients share.
struct Shared {
    provider: Provider,
    timing: AtomicBool,
    /// Nanoseconds from the provider's response to the arrival of each event.
    times: Mutex<Vec<u64>>,
}

impl Shared {
    fn times(&self) -> std::sync::MutexGuard<'_, Vec<u64>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an event.
    fn arrived(&self, event: &str) {
        if !self.timing.load(Ordering::Relaxed) || !event.contains("event: quote\n") {
            return;
        }
        let since = price(event).and_then(|number| self.provider.responded(number));
        if let Some(time) = since.and_then(|since| u64::try_from(since.elapsed().as_nanos()).ok()) {
            self.times().push(time);
        }
    }
}

/// The number in an event's price, `12.00`.
fn price(event: &str) -> Option<usize> {
    let (_, rest) = event.split_once("\"lastPrice\":\"")?;
    rest.split_once('.')?.0.parse().ok()
}

/// Clients with open streams; closed when dropped.
struct Clients {
    address: SocketAddr,
    shared: Arc<Shared>,
    tasks: Vec<tokio::task::JoinHandle<anyhow::Result<()>>>,
}

impl Clients {
    /// Opens streams up to a number of clients, and waits for their snapshots.
    async fn grow_to(&mut self, count: usize) -> anyhow::Result<()> {
        while self.tasks.len() < count {
            let (opened, mut openings) = mpsc::channel(AT_ONCE);
            let next = (self.tasks.len() + AT_ONCE).min(count);
            let opening = next - self.tasks.len();
            for number in self.tasks.len()..next {
                let (shared, opened) = (Arc::clone(&self.shared), opened.clone());
                self.tasks.push(tokio::spawn(watch(self.address, number, shared, opened)));
            }
            drop(opened);
            for at in 0..opening {
                let opened = tokio::time::timeout(START, openings.recv()).await;
                let opened = opened.context("a stream does not begin")?;
                ensure!(opened.is_some(), "{} of {opening} streams have failed", opening - at);
            }
        }
        Ok(())
    }
}

impl Drop for Clients {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

/// One client: reports its snapshot, then records every event.
async fn watch(
    address: SocketAddr,
    number: usize,
    shared: Arc<Shared>,
    opened: mpsc::Sender<()>,
) -> anyhow::Result<()> {
    let codes = (0..CODES_EACH).map(|at| CODES[(number + at) % CODES.len()]).collect::<Vec<_>>();
    let path = format!("/api/hq/stream?codes={}", codes.join(","));
    let accept = [("accept", "text/event-stream"), ("sec-fetch-dest", "empty")];
    let request = client::get(&path, &[BROWSER, &accept]);
    let mut stream = EventStream::open(address, &request).await?;
    let mut opened = Some(opened);
    loop {
        let events = stream.events().await?;
        if events.contains("event: snapshot\n")
            && let Some(opened) = opened.take()
        {
            opened.send(()).await?;
        }
        events.split("\n\n").for_each(|event| shared.arrived(event));
    }
}

/// Resident memory of a process, in bytes.
fn resident(pid: u32) -> anyhow::Result<u64> {
    Ok(Process::new(pid.cast_signed())?.stat()?.rss_bytes().get())
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_event_tells_its_price() {
        let event = "event: quote\nid: 1-2\ndata: {\"id\":\"A\",\"lastPrice\":\"17.00\",\"x\":1}";
        assert_eq!(super::price(event), Some(17));
        for wrong in ["", ":", "data: {\"lastPrice\":\"\"}", "data: {\"lastPrice\":\"x.00\"}"] {
            assert_eq!(super::price(wrong), None, "{wrong}");
        }
    }
}
