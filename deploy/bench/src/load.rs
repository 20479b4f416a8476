//! Load from a fixed number of connections with one request at a time: as fast as responses arrive (closed loop), or at
//! a fixed rate.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::ensure;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::{client::Connection, process::Serving, statistics::percentile};

/// The results of a run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Measured {
    /// Responses per second, over all connections.
    pub(crate) per_second: f64,
    /// Microseconds from the first byte of a request to the last byte of its response.
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// Processor time of the server per response, in microseconds.
    pub(crate) cpu_us: f64,
}

/// Sends the same request to `server` for a while; every response must have the status `expected`.
pub(crate) async fn run(
    server: &dyn Serving,
    request: &Arc<[u8]>,
    expected: u16,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Measured> {
    let mut open = Vec::new();
    for _ in 0..connections {
        open.push(Connection::open(server.address()).await?);
    }
    let cpu = server.cpu()?;
    let began = Instant::now();
    let mut running = JoinSet::new();
    for connection in open {
        running.spawn(one(connection, Arc::clone(request), expected, began + time));
    }
    let mut times = Vec::new();
    while let Some(done) = running.join_next().await {
        times.extend(done??);
    }
    let elapsed = began.elapsed();
    let cpu = server.cpu()? - cpu;
    ensure!(!times.is_empty(), "not one answer in {time:?}");
    times.sort_unstable();
    Ok(Measured {
        per_second: times.len() as f64 / elapsed.as_secs_f64(),
        p50_us: percentile(&times, 0.50) / 1e3,
        p99_us: percentile(&times, 0.99) / 1e3,
        cpu_us: cpu.as_secs_f64() * 1e6 / times.len() as f64,
    })
}

/// Measures two servers in turns, in alternating order; a first round warms them up and is discarded.
pub(crate) async fn in_turns<T>(
    rounds: usize,
    ours: impl AsyncFn() -> anyhow::Result<T>,
    theirs: impl AsyncFn() -> anyhow::Result<T>,
) -> anyhow::Result<Vec<(T, T)>> {
    let mut pairs = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let pair = if round % 2 == 0 {
            let first = ours().await?;
            (first, theirs().await?)
        } else {
            let first = theirs().await?;
            (ours().await?, first)
        };
        if round > 0 {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// Latencies of one connection, in nanoseconds.
async fn one(
    mut connection: Connection,
    request: Arc<[u8]>,
    expected: u16,
    until: Instant,
) -> anyhow::Result<Vec<u64>> {
    let mut times = Vec::with_capacity(1 << 14);
    let mut now = Instant::now();
    while now < until {
        let status = connection.exchange(&request).await?;
        ensure!(status == expected, "answered {status} instead of {expected}");
        let then = std::mem::replace(&mut now, Instant::now());
        times.push(u64::try_from((now - then).as_nanos())?);
    }
    Ok(times)
}

/// Sends requests at a fixed rate over several connections, whether or not earlier ones have been answered; returns the
/// sorted nanoseconds from when each request was due to the last byte of its response.
pub(crate) async fn paced(
    address: SocketAddr,
    request: &Arc<[u8]>,
    per_second: f64,
    connections: usize,
    time: Duration,
) -> anyhow::Result<Vec<u64>> {
    let mut open = Vec::new();
    for _ in 0..connections {
        open.push(Connection::open(address).await?);
    }
    let tickets = Arc::new(AtomicU32::new(0));
    let last = (per_second * time.as_secs_f64()) as u32;
    let began = Instant::now();
    let mut running = JoinSet::new();
    for mut connection in open {
        let (tickets, request) = (Arc::clone(&tickets), Arc::clone(request));
        running.spawn(async move {
            let mut times = Vec::new();
            loop {
                let ticket = tickets.fetch_add(1, Ordering::Relaxed);
                if ticket >= last {
                    return anyhow::Ok(times);
                }
                let due = began + Duration::from_secs_f64(f64::from(ticket) / per_second);
                // Spins, because a timer is too coarse and the core is not shared.
                while Instant::now() < due {
                    tokio::task::yield_now().await;
                }
                let status = connection.exchange(&request).await?;
                ensure!(status == 200, "answered {status}");
                times.push(u64::try_from(due.elapsed().as_nanos())?);
            }
        });
    }
    let mut times = Vec::new();
    while let Some(done) = running.join_next().await {
        times.extend(done??);
    }
    times.sort_unstable();
    Ok(times)
}

/// Repeats a request until a response satisfies the check.
pub(crate) async fn until(
    address: SocketAddr,
    request: &[u8],
    limit: Duration,
    satisfied: impl Fn(&crate::client::Answer) -> bool,
) -> anyhow::Result<crate::client::Answer> {
    let began = Instant::now();
    let mut connection = Connection::open(address).await?;
    loop {
        let answer = connection.fetch(request).await?;
        if satisfied(&answer) {
            return Ok(answer);
        }
        ensure!(
            began.elapsed() < limit,
            "after {limit:?} still status {} and x-page-cache {:?}",
            answer.status,
            answer.header("x-page-cache")
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
