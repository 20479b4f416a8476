//! The ready processes among replicas, as readiness probes of a cluster find them.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio_util::task::AbortOnDropHandle;

use crate::kit::{Client, until};

/// Interval and timeout of the probes.
const PROBE_INTERVAL: Duration = Duration::from_millis(250);
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// Timeout of a start.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The replicas behind one name. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Endpoints(Arc<Mutex<Vec<Endpoint>>>);

#[derive(Debug)]
struct Endpoint {
    address: SocketAddr,
    is_ready: bool,
    _probe: AbortOnDropHandle<()>,
}

impl Endpoints {
    /// Adds a process and starts to probe `/readyz` at its admin address.
    pub(crate) fn add(&self, address: SocketAddr, admin: SocketAddr) {
        let endpoints = self.clone();
        let task = tokio::spawn(async move {
            let client = Client::new(admin);
            loop {
                let probe = client.try_send("GET", "/readyz", &[], "");
                let response = tokio::time::timeout(PROBE_TIMEOUT, probe).await;
                let is_ready = response.is_ok_and(|it| it.is_ok_and(|it| it.status == 200));
                endpoints.set(address, is_ready);
                tokio::time::sleep(PROBE_INTERVAL).await;
            }
        });
        let probe = AbortOnDropHandle::new(task);
        self.0.lock().unwrap().push(Endpoint { address, is_ready: false, _probe: probe });
    }

    /// Removes a process.
    pub(crate) fn remove(&self, address: SocketAddr) {
        self.0.lock().unwrap().retain(|endpoint| endpoint.address != address);
    }

    fn set(&self, address: SocketAddr, is_ready: bool) {
        let mut endpoints = self.0.lock().unwrap();
        let found = endpoints.iter_mut().find(|endpoint| endpoint.address == address);
        if let Some(endpoint) = found {
            endpoint.is_ready = is_ready;
        }
    }

    /// The addresses of processes that were ready at their last probe.
    pub(crate) fn ready(&self) -> Vec<SocketAddr> {
        let endpoints = self.0.lock().unwrap();
        endpoints.iter().filter(|one| one.is_ready).map(|one| one.address).collect()
    }

    /// Waits until a process is known to be ready, or not ready.
    pub(crate) async fn until(&self, address: SocketAddr, is_ready: bool) {
        let what = format!("{address} ready: {is_ready}");
        until(START_TIMEOUT, &what, async || self.ready().contains(&address) == is_ready).await;
    }
}
