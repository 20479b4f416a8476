//! Sends requests: in a closed loop, as fast as responses arrive; or in an open loop, on a schedule
//! that waits for no response, with latencies measured from the scheduled time.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rand::{SeedableRng, rngs::StdRng};
use tokio::{sync::mpsc, task::JoinSet, time::timeout};

use crate::{
    client::{Connection, Request},
    traffic::mix::{Kind, Mix, PlannedRequest},
};

/// Timeout of clients (docs/limits-and-timeouts.md).
const LIMIT: Duration = Duration::from_secs(10);
/// Requests per connection, because browsers close connections too.
const REQUESTS_EACH: u32 = 64;
/// Maximum idle time of a reused connection, because the server may be closing it.
const IDLE: Duration = Duration::from_secs(4);
/// Number of failures that are listed; all are counted.
const MAX_LISTED_FAILURES: usize = 20;

/// The traffic of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selection {
    Mix,
    Only(Kind),
}

/// One response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) kind: Kind,
    /// Scheduled time since the start of the run.
    pub(crate) due: Duration,
    pub(crate) took: Duration,
    pub(crate) bytes: u32,
}

/// The responses of a run.
#[derive(Debug, Default)]
pub(crate) struct Driven {
    pub(crate) samples: Vec<Sample>,
    pub(crate) wrong: u64,
    /// The first failures, each with its request.
    pub(crate) failures: Vec<String>,
    pub(crate) elapsed: Duration,
}

impl Driven {
    pub(crate) fn add(&mut self, kind: Kind, due: Duration, result: RequestResult) {
        match result {
            Ok((took, bytes)) => self.samples.push(Sample { kind, due, took, bytes }),
            Err(why) => self.fail(why),
        }
    }

    pub(crate) fn fail(&mut self, why: String) {
        self.wrong += 1;
        if self.failures.len() < MAX_LISTED_FAILURES {
            self.failures.push(why);
        }
    }

    pub(crate) fn append(&mut self, mut other: Driven) {
        self.samples.append(&mut other.samples);
        self.wrong += other.wrong;
        let room = MAX_LISTED_FAILURES.saturating_sub(self.failures.len());
        self.failures.extend(other.failures.into_iter().take(room));
    }
}

/// Duration and size of a response, or the error.
type RequestResult = Result<(Duration, u32), String>;

/// A closed loop: each client sends its next request as soon as it has a response.
pub(crate) async fn closed(
    address: SocketAddr,
    mix: &Arc<Mix>,
    selection: Selection,
    clients: usize,
    time: Duration,
) -> anyhow::Result<Driven> {
    let pool = Arc::new(Pool::new(address));
    let began = Instant::now();
    let mut running = JoinSet::new();
    for client in 0..clients {
        let (pool, mix) = (Arc::clone(&pool), Arc::clone(mix));
        running.spawn(async move {
            let mut random = StdRng::seed_from_u64(client as u64);
            let mut driven = Driven::default();
            while began.elapsed() < time {
                let (planned, due) = (draw(&mix, selection, &mut random), began.elapsed());
                let result = pool.send(&planned, Instant::now()).await;
                driven.add(planned.kind, due, result);
            }
            driven
        });
    }
    let mut all = Driven::default();
    while let Some(driven) = running.join_next().await {
        all.append(driven?);
    }
    all.elapsed = began.elapsed();
    Ok(all)
}

/// An open loop: a fixed rate of requests at even intervals, independent of responses.
pub(crate) async fn open(
    address: SocketAddr,
    mix: &Arc<Mix>,
    per_second: f64,
    time: Duration,
) -> anyhow::Result<Driven> {
    let pool = Arc::new(Pool::new(address));
    let mut random = StdRng::seed_from_u64(0);
    let mut all = Driven::default();
    let began = Instant::now();
    let mut schedule = schedule(began, per_second, (per_second * time.as_secs_f64()) as u32);
    let mut running = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            due = schedule.recv() => {
                let Some(due) = due else { break };
                let (planned, pool) = (mix.draw(&mut random), Arc::clone(&pool));
                running.spawn(async move {
                    (planned.kind, due - began, pool.send(&planned, due).await)
                });
            }
            Some(done) = running.join_next() => {
                let (kind, due, result) = done?;
                all.add(kind, due, result);
            }
        }
    }
    while let Some(done) = running.join_next().await {
        let (kind, due, result) = done?;
        all.add(kind, due, result);
    }
    all.elapsed = began.elapsed();
    Ok(all)
}

fn draw(mix: &Mix, selection: Selection, random: &mut StdRng) -> PlannedRequest {
    match selection {
        Selection::Mix => mix.draw(random),
        Selection::Only(kind) => mix.of(kind, random),
    }
}

/// Sends the times of requests: a thread wakes within 50 µs, the runtime's timer within a
/// millisecond.
fn schedule(began: Instant, per_second: f64, count: u32) -> mpsc::UnboundedReceiver<Instant> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for number in 0..count {
            let due = began + Duration::from_secs_f64(f64::from(number) / per_second);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if sender.send(due).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Idle connections, the most recently used first.
struct Pool {
    address: SocketAddr,
    idle: Mutex<Vec<IdleConnection>>,
}

struct IdleConnection {
    connection: Connection,
    requests: u32,
    since: Instant,
}

impl Pool {
    fn new(address: SocketAddr) -> Pool {
        Pool { address, idle: Mutex::default() }
    }

    async fn send(&self, planned: &PlannedRequest, due: Instant) -> RequestResult {
        let line = || planned.line();
        match timeout(LIMIT, self.exchange(&planned.request)).await {
            Err(_) => Err(format!("{}: no response after {LIMIT:?}", line())),
            Ok(Err(error)) => Err(format!("{}: {error:#}", line())),
            Ok(Ok((status, bytes))) if planned.is_expected(status) => Ok((due.elapsed(), bytes)),
            Ok(Ok((status, _))) => {
                Err(format!("{}: answered {status} after {:.0?}", line(), due.elapsed()))
            }
        }
    }

    async fn exchange(&self, request: &Request) -> anyhow::Result<(u16, u32)> {
        let mut idle = match self.take() {
            Some(idle) => idle,
            None => {
                let connection = Connection::open(self.address).await?;
                IdleConnection { connection, requests: 0, since: Instant::now() }
            }
        };
        let (status, bytes) = idle.connection.exchange(request).await?;
        idle.requests += 1;
        if idle.requests < REQUESTS_EACH {
            idle.since = Instant::now();
            self.idle().push(idle);
        }
        Ok((status, u32::try_from(bytes)?))
    }

    fn take(&self) -> Option<IdleConnection> {
        let mut idle = self.idle();
        idle.retain(|idle| idle.since.elapsed() < IDLE && !idle.connection.is_closed());
        idle.pop()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<IdleConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
