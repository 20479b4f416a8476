//! A constant load of page requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::{Client, Site};

/// Pause between two requests of a client.
const PAUSE: Duration = Duration::from_millis(2);

/// Clients that request pages in turn; no request may fail.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    tasks: Vec<tokio::task::JoinHandle<Vec<Duration>>>,
}

impl Load {
    /// Starts two clients per gateway.
    pub(crate) fn start(site: &Site, pages: &[&str]) -> Self {
        let clients = site.gateways.iter().flat_map(|gateway| [gateway.client(), gateway.client()]);
        Self::of(clients, pages)
    }

    /// Starts these clients.
    pub(crate) fn of(clients: impl IntoIterator<Item = Client>, pages: &[&str]) -> Self {
        let (stop, requests) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let pages = pages.iter().map(|page| (*page).to_owned()).collect::<Arc<[String]>>();
        let visitor = |client: Client, at: usize| {
            let (stop, requests, pages) = (stop.clone(), requests.clone(), pages.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    let turn = requests.fetch_add(1, Ordering::Relaxed) as usize;
                    let began = Instant::now();
                    let response = client.get(&pages[(at + turn) % pages.len()]).await;
                    assert_eq!(response.status, 200, "{response:?}");
                    times.push(began.elapsed());
                    tokio::time::sleep(PAUSE).await;
                }
                times
            })
        };
        let clients = clients.into_iter().enumerate();
        let tasks = clients.map(|(at, client)| visitor(client, at)).collect();
        Self { stop, tasks }
    }

    /// Stops the load; returns the durations of all responses, in ascending order.
    pub(crate) async fn stop(self) -> Vec<Duration> {
        self.stop.store(true, Ordering::Relaxed);
        let mut times = Vec::new();
        for task in self.tasks {
            times.extend(task.await.unwrap());
        }
        times.sort_unstable();
        times
    }
}
