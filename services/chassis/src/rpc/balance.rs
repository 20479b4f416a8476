//! One name, several addresses: every call goes to one that is thought to be well.
use std::{
    net::SocketAddr,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::{
    net::TcpStream,
    sync::Mutex,
    time::{Instant, timeout},
};
use tonic::transport::{Channel, Endpoint, Uri};
use tower::service_fn;

use super::resolve::Resolve;
use crate::tls::ClientTls;

/// Interval at which names are resolved again: shorter than a process's shutdown, so that callers
/// have moved to other addresses by its end.
pub const REFRESH: Duration = Duration::from_secs(2);
/// Names are not resolved more often, however many calls find no known address reachable.
const SOONEST: Duration = Duration::from_millis(100);
const RESOLVE_LIMIT: Duration = Duration::from_secs(2);
const CONNECT_LIMIT: Duration = Duration::from_millis(500);
const KEEPALIVE: Duration = Duration::from_secs(10);
const KEEPALIVE_LIMIT: Duration = Duration::from_secs(4);
/// How long an address that could not be reached is passed over while others can be.
const REST: Duration = Duration::from_secs(1);

/// One address.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    pub(super) channel: Channel,
    running: AtomicUsize,
    /// Milliseconds after the balance was made.
    rests_until: AtomicU64,
}

/// A call that a peer has not answered yet.
pub(super) struct Running(Arc<Peer>);

impl Peer {
    pub(super) fn run(self: &Arc<Peer>) -> Running {
        self.running.fetch_add(1, Ordering::Relaxed);
        Running(self.clone())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The addresses behind a URL.
pub(super) struct Balance {
    origin: Uri,
    host: String,
    port: u16,
    resolver: Arc<dyn Resolve>,
    tls: Option<Arc<ClientTls>>,
    peers: ArcSwap<Vec<Arc<Peer>>>,
    next: AtomicUsize,
    started: Instant,
    /// When the name was resolved last.
    resolving: Mutex<Option<Instant>>,
}

impl Balance {
    /// Resolves again and again until the balance is dropped; a wrong URL has no address ever.
    pub(super) fn start(
        url: &str,
        resolver: Arc<dyn Resolve>,
        refresh: Duration,
        tls: Option<Arc<ClientTls>>,
    ) -> Arc<Balance> {
        let origin: Uri = url.parse().unwrap_or_default();
        let balance = Arc::new(Balance {
            host: origin.host().unwrap_or_default().to_owned(),
            port: origin.port_u16().unwrap_or(if is_tls(&origin) { 443 } else { 80 }),
            origin,
            resolver,
            tls,
            peers: ArcSwap::default(),
            next: AtomicUsize::new(0),
            started: Instant::now(),
            resolving: Mutex::default(),
        });
        tokio::spawn(keep_fresh(Arc::downgrade(&balance), refresh));
        balance
    }

    /// The peer to ask, not one of `tried` if there is another; `None` while the name has never
    /// been resolved.
    pub(super) async fn pick(&self, tried: &[SocketAddr]) -> Option<Arc<Peer>> {
        if !self.has_other_than(tried) {
            self.refresh_soon(tried).await;
        }
        let peers = self.peers.load();
        let now = self.millis();
        let well = |peer: &&Arc<Peer>| peer.rests_until.load(Ordering::Relaxed) <= now;
        let untried = |peer: &&Arc<Peer>| !tried.contains(&peer.address);
        let best: Vec<_> = peers.iter().filter(well).filter(untried).collect();
        let chosen = if best.is_empty() { peers.iter().filter(untried).collect() } else { best };
        let chosen = if chosen.is_empty() { peers.iter().collect() } else { chosen };
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        // Of two neighbours the one with less to do: even under uneven load, fair under even.
        let one = chosen.get(turn % chosen.len().max(1))?;
        let other = chosen.get((turn + 1) % chosen.len())?;
        let load = |peer: &Arc<Peer>| peer.running.load(Ordering::Relaxed);
        Some(Arc::clone(if load(other) < load(one) { other } else { one }))
    }

    /// How many addresses the name has.
    pub(super) fn addresses(&self) -> u32 {
        u32::try_from(self.peers.load().len()).unwrap_or(u32::MAX)
    }

    fn has_other_than(&self, tried: &[SocketAddr]) -> bool {
        self.peers.load().iter().any(|peer| !tried.contains(&peer.address))
    }

    /// Resolves ahead of time: all that are known have been tried, as when a replica goes and the
    /// ones that took its place are not known yet.
    async fn refresh_soon(&self, tried: &[SocketAddr]) {
        if !tried.is_empty() && is_address(&self.host) {
            return;
        }
        let mut resolved = self.resolving.lock().await;
        let is_old = resolved.is_none_or(|at| at.elapsed() >= SOONEST);
        if is_old && !self.has_other_than(tried) {
            self.refresh().await;
            *resolved = Some(Instant::now());
        }
    }

    /// The peer could not be reached.
    pub(super) fn failed(&self, peer: &Peer) {
        let until = self.millis() + u64::try_from(REST.as_millis()).unwrap_or(0);
        peer.rests_until.store(until, Ordering::Relaxed);
    }

    /// The peer answered.
    pub(super) fn answered(&self, peer: &Peer) {
        if peer.rests_until.load(Ordering::Relaxed) != 0 {
            peer.rests_until.store(0, Ordering::Relaxed);
        }
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// Takes over what the name resolves to now; keeps the last good set when it does not.
    async fn refresh(&self) {
        let found = timeout(RESOLVE_LIMIT, self.resolver.resolve(&self.host, self.port)).await;
        let mut addresses = match found {
            Ok(Ok(addresses)) if !addresses.is_empty() => addresses,
            Ok(Ok(_)) => return tracing::warn!(host = self.host, "name has no address"),
            Ok(Err(error)) => {
                return tracing::warn!(host = self.host, error = %error, "name does not resolve");
            }
            Err(_) => return tracing::warn!(host = self.host, "name does not resolve in time"),
        };
        addresses.sort_unstable();
        addresses.dedup();
        let known = self.peers.load_full();
        if known.iter().map(|peer| peer.address).eq(addresses.iter().copied()) {
            return;
        }
        tracing::info!(host = self.host, addresses = addresses.len(), "addresses changed");
        let peers = addresses.into_iter().filter_map(|address| {
            let same = known.iter().find(|peer| peer.address == address);
            same.cloned().or_else(|| self.connect(address))
        });
        self.peers.store(Arc::new(peers.collect()));
    }

    fn connect(&self, address: SocketAddr) -> Option<Arc<Peer>> {
        let endpoint = Endpoint::from_shared(format!("http://{address}"))
            .ok()?
            .origin(self.origin.clone())
            .connect_timeout(CONNECT_LIMIT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEPALIVE)
            .keep_alive_timeout(KEEPALIVE_LIMIT)
            .keep_alive_while_idle(true);
        let channel = if is_tls(&self.origin) {
            // The certificate is for the name that the settings give, not for the address.
            let host = self.host.trim_start_matches('[').trim_end_matches(']');
            let host = ServerName::try_from(host.to_owned()).ok()?;
            let tls = self.tls.clone()?;
            // The channel's own TLS would not read its certificates again.
            endpoint.connect_with_connector_lazy(service_fn(move |_: Uri| {
                let (tls, host) = (tls.clone(), host.clone());
                async move {
                    let stream = TcpStream::connect(address).await?;
                    stream.set_nodelay(true)?;
                    std::io::Result::Ok(TokioIo::new(tls.connect(host, stream).await?))
                }
            }))
        } else {
            endpoint.connect_lazy()
        };
        let (running, rests_until) = (AtomicUsize::new(0), AtomicU64::new(0));
        Some(Arc::new(Peer { address, channel, running, rests_until }))
    }
}

async fn keep_fresh(balance: Weak<Balance>, refresh: Duration) {
    loop {
        match balance.upgrade() {
            // An address needs no resolving after the first time.
            Some(balance) if balance.peers.load().is_empty() || !is_address(&balance.host) => {
                let mut resolved = balance.resolving.lock().await;
                balance.refresh().await;
                *resolved = Some(Instant::now());
            }
            Some(_) => {}
            None => return,
        }
        tokio::time::sleep(refresh).await;
    }
}

fn is_tls(origin: &Uri) -> bool {
    origin.scheme_str() == Some("https")
}

fn is_address(host: &str) -> bool {
    host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>().is_ok()
}
