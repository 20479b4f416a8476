//! Compares a cached page with nginx and Varnish, which have stored the same responses. Each server
//! runs on the same core, in turns.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use rustix::process::geteuid;
use serde::Serialize;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{
    client::{Connection, Exchange, Request, Response},
    cores::Cores,
    hits::{self, Variant},
    process::{Peer, Serving, Site, free_address},
    statistics::{median, percentile},
    turns::{Comparison, compare},
    wrk::Load,
};

const LOAD: Load = Load { connections: 32, seconds: 1 };
/// Duration of a server's turn at a fixed rate.
const PACED: Duration = Duration::from_secs(2);
const PACED_ROUNDS: usize = 5;
/// The fixed rate as a share of the slower server's maximum.
const PACE: f64 = 0.7;

/// The result of one peer and variant.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    pub(crate) peer: &'static str,
    /// Encoding of the response: `br`, `gzip` or `identity`.
    pub(crate) variant: &'static str,
    pub(crate) body_bytes: usize,
    #[serde(flatten)]
    pub(crate) comparison: Comparison,
    /// Both at the same fixed rate.
    pub(crate) paced: Option<Paced>,
}

/// Latencies from the scheduled time of a request, at 70 % of the slower server's maximum.
#[derive(Debug, Serialize)]
pub(crate) struct Paced {
    pub(crate) per_second: f64,
    pub(crate) site_p99_us: f64,
    pub(crate) their_p99_us: f64,
    /// The site's p99 divided by the peer's, as the median over rounds.
    pub(crate) p99_ratio: f64,
}

/// The results of all peers, and why some are missing.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Peers {
    pub(crate) cases: Vec<Case>,
    pub(crate) skipped: Vec<String>,
}

/// A peer and its configuration.
struct Kind {
    name: &'static str,
    variant: &'static str,
    start: fn(&Path, SocketAddr, &Cores) -> anyhow::Result<Peer>,
    /// Whether its bytes are the site's, because it stores responses unchanged.
    stores: bool,
    paced: bool,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "nginx, stored",
        variant: "br",
        start: |folder, origin, cores| nginx(folder, origin, cores, false),
        stores: true,
        paced: true,
    },
    Kind {
        name: "nginx, compressing",
        variant: "gzip",
        start: |folder, origin, cores| nginx(folder, origin, cores, true),
        stores: false,
        paced: false,
    },
    Kind {
        name: "nginx, stored",
        variant: "identity",
        start: |folder, origin, cores| nginx(folder, origin, cores, false),
        stores: true,
        paced: false,
    },
    Kind { name: "Varnish", variant: "gzip", start: varnish, stores: true, paced: false },
];

/// Starts the peers one after the other in front of a server that sends the site's responses.
pub(crate) async fn measure(site: &Site, cores: &Cores, rounds: usize) -> anyhow::Result<Peers> {
    let variants = hits::variants(site).await?;
    let folder = TempDir::new()?;
    let origin = hits::bare(&variants, folder.path(), cores)?;
    let mut peers = Peers::default();
    for (at, kind) in KINDS.iter().enumerate() {
        let own = folder.path().join(at.to_string());
        std::fs::create_dir(&own)?;
        let peer = match (kind.start)(&own, origin.address, cores) {
            Ok(peer) => peer,
            Err(error) => {
                peers.skipped.push(format!("{}: {error:#}", kind.name));
                continue;
            }
        };
        let variant = variants.iter().find(|variant| variant.name == kind.variant);
        let variant = variant.context("no such variant")?;
        let case = case(site, peer, variant, kind, rounds).await;
        peers.cases.push(case.with_context(|| format!("{}, {}", kind.name, kind.variant))?);
    }
    Ok(peers)
}

async fn case(
    site: &Site,
    mut peer: Peer,
    variant: &Variant,
    kind: &Kind,
    rounds: usize,
) -> anyhow::Result<Case> {
    let response = filled(&mut peer, &variant.exchange, kind.stores).await?;
    let theirs = Exchange { request: variant.exchange.request.clone(), response };
    let comparison =
        compare(rounds, LOAD, (&site.server, &variant.exchange), (&peer, &theirs)).await?;
    let pace = comparison.site.per_second.min(comparison.peer.per_second) * PACE;
    let addresses = [site.server.address, peer.address()];
    let paced = match kind.paced {
        true => Some(paced(addresses, &variant.exchange.request, pace).await?),
        false => None,
    };
    Ok(Case {
        peer: kind.name,
        variant: kind.variant,
        body_bytes: variant.exchange.response.body.len(),
        comparison,
        paced,
    })
}

/// Measures the site and a peer at the same fixed rate, in turns.
async fn paced(
    addresses: [SocketAddr; 2],
    request: &Request,
    per_second: f64,
) -> anyhow::Result<Paced> {
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..PACED_ROUNDS {
        let mut p99 = [0.0; 2];
        for at in [round % 2, (round + 1) % 2] {
            let times = latencies(addresses[at], request, per_second).await?;
            p99[at] = percentile(&times, 0.99) / 1e3;
        }
        ours.push(p99[0]);
        theirs.push(p99[1]);
        ratios.push(p99[0] / p99[1]);
    }
    Ok(Paced {
        per_second,
        site_p99_us: median(ours),
        their_p99_us: median(theirs),
        p99_ratio: median(ratios),
    })
}

/// Sends requests at a fixed rate over several connections, which wrk cannot, whether or not earlier requests have a
/// response; returns the sorted nanoseconds from when each request was due to the last byte of its response.
async fn latencies(
    address: SocketAddr,
    request: &Request,
    per_second: f64,
) -> anyhow::Result<Vec<u64>> {
    let mut open = Vec::new();
    for _ in 0..LOAD.connections {
        open.push(Connection::open(address).await?);
    }
    let next = Arc::new(AtomicU32::new(0));
    let count = (per_second * PACED.as_secs_f64()) as u32;
    let began = Instant::now();
    let mut running = JoinSet::new();
    for mut connection in open {
        let (next, request) = (Arc::clone(&next), request.clone());
        running.spawn(async move {
            let mut times = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return anyhow::Ok(times);
                }
                let due = began + Duration::from_secs_f64(f64::from(number) / per_second);
                // Spins, because a timer is too coarse and the core is not shared.
                while Instant::now() < due {
                    tokio::task::yield_now().await;
                }
                let (status, _) = connection.exchange(&request).await?;
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

/// Sends requests until the peer has stored the page: a peer that stores responses sends the site's
/// bytes and headers. Returns the stored page.
async fn filled(peer: &mut Peer, expected: &Exchange, stores: bool) -> anyhow::Result<Response> {
    let mut connection = peer.listening().await?;
    // Twice: the second response comes from the cache.
    connection.fetch(&expected.request).await?;
    let response = connection.fetch(&expected.request).await?;
    ensure!(response.status == 200, "status {}", response.status);
    ensure!(!stores || response.body == expected.response.body, "another body");
    for (name, value) in &expected.response.headers {
        let is_own = ["date", "content-length", "etag", "vary", "age"].contains(&&**name);
        ensure!(is_own || response.header(name) == Some(value), "no {name}: {value}");
    }
    Ok(response)
}

/// # Errors
/// The program is not installed.
fn installed(program: &'static str, package: &str) -> anyhow::Result<()> {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    });
    ensure!(found, "not measured, the Debian package {package} is not installed");
    Ok(())
}

/// nginx with a cache of responses: stored compressed, or stored plain and compressed per response.
fn nginx(
    folder: &Path,
    origin: SocketAddr,
    cores: &Cores,
    compresses: bool,
) -> anyhow::Result<Peer> {
    installed("nginx", "nginx")?;
    let address = free_address()?;
    let at = folder.display();
    let own = match compresses {
        true => {
            "proxy_set_header Accept-Encoding ''; gzip on; gzip_comp_level 5; gzip_proxied any;"
        }
        false => "",
    };
    // Workers of a master that runs as root would run as another user, who may not read the folder.
    let user = if geteuid().is_root() { "user root;" } else { "" };
    let config = format!(
        "daemon off; {user} worker_processes 1; pid {at}/pid; error_log {at}/error.log warn;
        events {{ worker_connections 1024; }}
        http {{
          access_log off; server_tokens off; sendfile on; tcp_nopush off; tcp_nodelay on;
          keepalive_requests 1000000000; open_file_cache max=100; types {{ }}
          client_body_temp_path {at}/body; proxy_temp_path {at}/temp; fastcgi_temp_path {at}/f;
          uwsgi_temp_path {at}/u; scgi_temp_path {at}/s;
          proxy_cache_path {at}/cache keys_zone=pages:1m;
          server {{
            listen {address};
            location / {{
              proxy_pass http://{origin}; proxy_http_version 1.1; proxy_set_header Connection '';
              proxy_cache pages; proxy_cache_valid 200 1h;
              proxy_cache_key $uri:$http_accept_encoding;
              proxy_ignore_headers Cache-Control Expires Set-Cookie Vary X-Accel-Expires;
              {own}
            }}
          }}
        }}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, config)?;
    let mut command = cores.on_server_core(Path::new("nginx"));
    command.arg("-p").arg(folder).arg("-e").arg(folder.join("error.log")).arg("-c").arg(&file);
    Peer::start(command, &folder.join("log"), address)
}

/// Varnish with its cache in memory.
fn varnish(folder: &Path, origin: SocketAddr, cores: &Cores) -> anyhow::Result<Peer> {
    installed("varnishd", "varnish")?;
    let address = free_address()?;
    let config = format!(
        "vcl 4.1;
        backend default {{ .host = \"{}\"; .port = \"{}\"; }}
        sub vcl_recv {{ unset req.http.cookie; return (hash); }}
        sub vcl_backend_response {{ set beresp.ttl = 1h; return (deliver); }}
        sub vcl_deliver {{ unset resp.http.x-varnish; unset resp.http.via; }}\n",
        origin.ip(),
        origin.port()
    );
    let file = folder.join("page.vcl");
    std::fs::write(&file, config)?;
    let mut command = cores.on_server_core(Path::new("varnishd"));
    command.args(["-F", "-j", "none", "-s", "malloc,64m", "-a", &address.to_string()]);
    command.arg("-n").arg(folder.join("work")).arg("-f").arg(&file);
    Peer::start(command, &folder.join("log"), address)
}
