//! Clients of the stream of prices: each stays for one to two minutes, then reconnects.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::timeout;

use crate::{
    client::Request,
    event_stream::EventStream,
    traffic::{
        drive::Driven,
        mix::{Kind, Mix},
    },
};

/// Maximum silence of a stream, which sends a comment every 15 s.
const SILENCE: Duration = Duration::from_secs(20);
/// Duration of a connection, in seconds.
const STAY: std::ops::Range<f64> = 60.0..120.0;
/// The first clients connect at even intervals during this time.
const ARRIVAL: Duration = Duration::from_secs(2);

/// Open streams; closed when dropped.
pub(crate) struct Streams {
    seen: Arc<Mutex<Seen>>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

#[derive(Default)]
struct Seen {
    driven: Driven,
    events: u64,
}

impl Streams {
    /// Opens streams of `count` clients.
    pub(crate) fn listen(address: SocketAddr, mix: &Arc<Mix>, count: usize) -> Streams {
        let seen = Arc::<Mutex<Seen>>::default();
        let (mut tasks, began) = (Vec::new(), Instant::now());
        for number in 0..count {
            let (seen, mix) = (Arc::clone(&seen), Arc::clone(mix));
            tasks.push(tokio::spawn(async move {
                let mut random = StdRng::seed_from_u64(number as u64);
                tokio::time::sleep(ARRIVAL * number as u32 / count as u32).await;
                loop {
                    let (due, request) =
                        (began.elapsed(), mix.of(Kind::Stream, &mut random).request);
                    let stay = Duration::from_secs_f64(random.random_range(STAY));
                    if let Err(error) = stay_on(address, &request, stay, due, &seen).await {
                        lock(&seen).driven.fail(format!("a stream: {error:#}"));
                        // Browsers reconnect after this time (`retry: 3000`).
                        tokio::time::sleep(Duration::from_secs(3)).await;
                    }
                }
            }));
        }
        Streams { seen, tasks }
    }

    /// Number of open streams.
    pub(crate) fn count(&self) -> usize {
        self.tasks.len()
    }

    /// The openings, and the number of events, since the last call.
    pub(crate) fn take(&self) -> (Driven, u64) {
        let seen = std::mem::take(&mut *lock(&self.seen));
        (seen.driven, seen.events)
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

fn lock(seen: &Mutex<Seen>) -> std::sync::MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One connection.
///
/// # Errors
/// The stream does not open, is silent, or ends.
async fn stay_on(
    address: SocketAddr,
    request: &Request,
    stay: Duration,
    due: Duration,
    seen: &Mutex<Seen>,
) -> anyhow::Result<()> {
    let opened = Instant::now();
    let mut stream =
        timeout(SILENCE, EventStream::open(address, request)).await.context("is silent")??;
    let mut is_first = true;
    while opened.elapsed() < stay {
        let text = timeout(SILENCE, stream.events()).await.context("is silent")??;
        let events = text.matches("event: ").count() as u64;
        let mut seen = lock(seen);
        seen.events += events;
        if is_first && events > 0 {
            is_first = false;
            seen.driven.add(Kind::Stream, due, Ok((opened.elapsed(), text.len() as u32)));
        }
    }
    ensure!(!is_first, "has no event");
    Ok(())
}
