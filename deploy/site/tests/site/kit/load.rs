//! A constant load of page requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{Client, Site};

/// Pause between two requests of a client.
const PAUSE: Duration = Duration::from_millis(2);

/// Two clients per gateway that request pages in turn; no request may fail.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    asked: Arc<AtomicU64>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    pub(crate) fn start(site: &Site, pages: &[&str]) -> Self {
        let (stop, asked) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let pages = pages.iter().map(|page| (*page).to_owned()).collect::<Arc<[String]>>();
        let visitor = |client: Client, at: usize| {
            let (stop, asked, pages) = (stop.clone(), asked.clone(), pages.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let turn = asked.fetch_add(1, Ordering::Relaxed) as usize;
                    let answer = client.get(&pages[(at + turn) % pages.len()]).await;
                    assert_eq!(answer.status, 200, "{answer:?}");
                    tokio::time::sleep(PAUSE).await;
                }
            })
        };
        let clients = site.gateways.iter().flat_map(|gateway| [gateway.client(), gateway.client()]);
        let tasks = clients.enumerate().map(|(at, client)| visitor(client, at)).collect();
        Self { stop, asked, tasks }
    }

    /// Stops the load; returns the number of responses.
    pub(crate) async fn stop(self) -> u64 {
        self.stop.store(true, Ordering::Relaxed);
        for task in self.tasks {
            task.await.unwrap();
        }
        self.asked.load(Ordering::Relaxed)
    }
}
