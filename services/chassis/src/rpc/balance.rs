//! Client-side load balancing over the addresses of a name; addresses that failed recently are
//! avoided.
use std::{
    io,
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

use crate::{lifecycle::DEREGISTRATION_DELAY, tls::ClientTls};

/// Interval between two resolutions of a name: shorter than a process's shutdown, so that callers
/// use other addresses before it ends.
pub const REFRESH_INTERVAL: Duration = Duration::from_secs(2);
const _: () = assert!(REFRESH_INTERVAL.as_secs() < DEREGISTRATION_DELAY.as_secs());
/// Shortest interval between two resolutions, however many calls find no reachable address.
const MIN_REFRESH_INTERVAL: Duration = Duration::from_millis(100);
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(2);
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long an address that could not be reached is avoided while there are others.
const EJECTION_DURATION: Duration = Duration::from_secs(1);
/// Calls in flight at which [`Policy::PickFirst`] uses the next address: far more than a healthy
/// replica has, so that one that hangs blocks few calls.
const MAX_IN_FLIGHT: usize = 32;

/// How calls are balanced over the addresses of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Over all addresses, to the one with fewer calls in flight.
    #[default]
    LeastLoaded,
    /// To the lowest address that is reachable and not overloaded. Callers that resolve the same
    /// name choose the same replica; the others are standbys.
    PickFirst,
}

/// Resolves a host name to addresses.
#[tonic::async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of `host`, with the port.
    ///
    /// # Errors
    /// The name does not resolve.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The system's resolver: `/etc/hosts`, then DNS.
pub(super) struct SystemResolver;

#[tonic::async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}

/// One address.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    pub(super) channel: Channel,
    /// Shared with the calls in flight.
    in_flight: Arc<()>,
    /// Milliseconds after the balancer started.
    ejected_until: AtomicU64,
}

impl Peer {
    /// Counts a call as in flight until the value is dropped.
    pub(super) fn run(&self) -> Arc<()> {
        self.in_flight.clone()
    }
}

/// The addresses behind a URL.
pub(super) struct Balance {
    origin: Uri,
    host: String,
    port: u16,
    resolver: Arc<dyn Resolve>,
    tls: Option<Arc<ClientTls>>,
    policy: Policy,
    peers: ArcSwap<Vec<Arc<Peer>>>,
    next: AtomicUsize,
    started: Instant,
    /// When the name was last resolved.
    resolving: Mutex<Option<Instant>>,
}

impl Balance {
    /// Resolves the name periodically until the balancer is dropped. An invalid URL never has an
    /// address.
    pub(super) fn start(
        url: &str,
        resolver: Arc<dyn Resolve>,
        refresh: Duration,
        tls: Option<Arc<ClientTls>>,
        policy: Policy,
    ) -> Arc<Balance> {
        let origin: Uri = url.parse().unwrap_or_default();
        let balance = Arc::new(Balance {
            host: origin.host().unwrap_or_default().to_owned(),
            port: origin.port_u16().unwrap_or(if is_tls(&origin) { 443 } else { 80 }),
            origin,
            resolver,
            tls,
            policy,
            peers: ArcSwap::default(),
            next: AtomicUsize::new(0),
            started: Instant::now(),
            resolving: Mutex::default(),
        });
        tokio::spawn(refresh_periodically(Arc::downgrade(&balance), refresh));
        balance
    }

    /// Chooses a peer, not one of `tried` if there is another; `None` if the name has never been
    /// resolved.
    pub(super) async fn pick(&self, tried: &[SocketAddr]) -> Option<Arc<Peer>> {
        if !self.has_other_than(tried) {
            self.refresh_soon(tried).await;
        }
        let peers = self.peers.load();
        let now = self.millis();
        let is_healthy = |peer: &&Arc<Peer>| peer.ejected_until.load(Ordering::Relaxed) <= now;
        let untried = |peer: &&Arc<Peer>| !tried.contains(&peer.address);
        let best: Vec<_> = peers.iter().filter(is_healthy).filter(untried).collect();
        let chosen = if best.is_empty() { peers.iter().filter(untried).collect() } else { best };
        let chosen = if chosen.is_empty() { peers.iter().collect() } else { chosen };
        let load = |peer: &Arc<Peer>| Arc::strong_count(&peer.in_flight) - 1;
        if self.policy == Policy::PickFirst {
            // `refresh` sorts the addresses.
            let first = chosen.iter().find(|peer| load(peer) < MAX_IN_FLIGHT);
            return first.or_else(|| chosen.iter().min_by_key(|peer| load(peer))).cloned().cloned();
        }
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        // Of two neighbours, the one with fewer calls in flight: balances uneven load, and is fair
        // under even load.
        let first = chosen.get(turn % chosen.len().max(1))?;
        let second = chosen.get((turn + 1) % chosen.len())?;
        Some(Arc::clone(if load(second) < load(first) { second } else { first }))
    }

    /// The host and port of the URL.
    pub(super) fn server(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// Number of addresses of the name.
    pub(super) fn addresses(&self) -> u32 {
        u32::try_from(self.peers.load().len()).unwrap_or(u32::MAX)
    }

    fn has_other_than(&self, tried: &[SocketAddr]) -> bool {
        self.peers.load().iter().any(|peer| !tried.contains(&peer.address))
    }

    /// Resolves early, when all known addresses have been tried: a replica may have been replaced
    /// by one that is not known yet.
    async fn refresh_soon(&self, tried: &[SocketAddr]) {
        if !tried.is_empty() && is_address(&self.host) {
            return;
        }
        let mut resolved = self.resolving.lock().await;
        let is_old = resolved.is_none_or(|at| at.elapsed() >= MIN_REFRESH_INTERVAL);
        if is_old && !self.has_other_than(tried) {
            self.refresh().await;
            *resolved = Some(Instant::now());
        }
    }

    /// Records that the peer could not be reached.
    pub(super) fn failed(&self, peer: &Peer) {
        let until = self.millis() + u64::try_from(EJECTION_DURATION.as_millis()).unwrap_or(0);
        peer.ejected_until.store(until, Ordering::Relaxed);
    }

    /// Records that the peer responded.
    pub(super) fn responded(&self, peer: &Peer) {
        if peer.ejected_until.load(Ordering::Relaxed) != 0 {
            peer.ejected_until.store(0, Ordering::Relaxed);
        }
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// Replaces the addresses with those that the name resolves to now; keeps the last ones if it
    /// does not resolve.
    async fn refresh(&self) {
        let found = timeout(RESOLVE_TIMEOUT, self.resolver.resolve(&self.host, self.port)).await;
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
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT)
            .keep_alive_while_idle(true);
        let channel = if is_tls(&self.origin) {
            // The certificate is for the name in the settings, not for the address.
            let host = self.host.trim_start_matches('[').trim_end_matches(']');
            let host = ServerName::try_from(host.to_owned()).ok()?;
            let tls = self.tls.clone()?;
            // tonic's own TLS would not reload its certificates.
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
        let (in_flight, ejected_until) = (Arc::default(), AtomicU64::new(0));
        Some(Arc::new(Peer { address, channel, in_flight, ejected_until }))
    }
}

async fn refresh_periodically(balance: Weak<Balance>, refresh: Duration) {
    loop {
        match balance.upgrade() {
            // A literal address is resolved only once.
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

#[cfg(test)]
mod tests;
