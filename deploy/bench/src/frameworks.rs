//! Compares the page with Next.js and Nuxt apps that render the same page from the same data. Each
//! server runs on the same core, in turns. Cached pages are compared with hits, and pages rendered
//! per request with members' pages, which the site renders per request.
//!
//! Bodies are not compressed on either side. The apps have the page's data in memory; the site
//! calls its services for the data and the session each time.

use std::{path::Path, time::Duration};

use anyhow::{Context, ensure};
use serde::Serialize;
use tempfile::TempDir;

use crate::{
    client::{self, BROWSER, Connection, Exchange, Request, Response},
    cores::Cores,
    hits::{self, PAGE},
    markup, members,
    process::{Peer, Serving, Site, clean, free_address, node},
    turns::{Comparison, compare},
    wrk::Load,
};

/// Load for cached pages.
const STORED: Load = Load { connections: 32, seconds: 1 };
/// Load for rendered pages, of which only few are rendered per second.
const RENDERED: Load = Load { connections: 8, seconds: 2 };

/// The result of one route of an app.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    pub(crate) app: &'static str,
    /// `stored` or `rendered`.
    pub(crate) how: &'static str,
    /// The goal for the ratio of responses per second.
    pub(crate) goal: f64,
    pub(crate) body_bytes: usize,
    pub(crate) their_body_bytes: usize,
    #[serde(flatten)]
    pub(crate) comparison: Comparison,
}

/// The results of all apps, and why some are missing.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Frameworks {
    /// Number of links on the page.
    pub(crate) links: usize,
    pub(crate) cases: Vec<Case>,
    pub(crate) skipped: Vec<String>,
}

/// An app in a folder beside this crate.
struct App {
    name: &'static str,
    /// Built by `deploy/setup.sh apps`; relative to the repository's root.
    program: &'static str,
    routes: &'static [AppRoute],
}

/// A route of an app.
struct AppRoute {
    name: &'static str,
    path: &'static str,
    is_stored: bool,
    goal: f64,
    /// A response header that proves that the app serves the page as intended.
    mark: Option<(&'static str, &'static str)>,
}

const APPS: [App; 2] = [
    App {
        name: "Next.js",
        program: "deploy/bench/next/.next/standalone/next/server.js",
        routes: &[
            AppRoute {
                name: "Next.js",
                path: "/stored/news",
                is_stored: true,
                goal: 10.0,
                mark: Some(("x-nextjs-cache", "HIT")),
            },
            AppRoute {
                name: "Next.js",
                path: "/fresh/news",
                is_stored: false,
                goal: 8.0,
                mark: None,
            },
            AppRoute {
                name: "Next.js, its pages router",
                path: "/classic/news",
                is_stored: false,
                goal: 8.0,
                mark: None,
            },
        ],
    },
    App {
        name: "Nuxt",
        program: "deploy/bench/nuxt/.output/server/index.mjs",
        routes: &[
            AppRoute {
                name: "Nuxt",
                path: "/stored/news",
                is_stored: true,
                goal: 10.0,
                mark: Some(("cache-control", "s-maxage=3600, stale-while-revalidate")),
            },
            AppRoute {
                name: "Nuxt",
                path: "/fresh/news",
                is_stored: false,
                goal: 10.0,
                mark: None,
            },
        ],
    },
];

/// Starts the apps one after the other with the site's page and its data.
pub(crate) async fn measure(
    site: &Site,
    cores: &Cores,
    rounds: usize,
) -> anyhow::Result<Frameworks> {
    let folder = TempDir::new()?;
    let data = fetch(site, &client::get(&format!("/_data{PAGE}"), &[])).await?;
    std::fs::write(folder.path().join("document.json"), data.body)?;
    let stored = stored(site).await?;
    let rendered = rendered(site).await?;
    let page = std::str::from_utf8(&stored.response.body)?;
    std::fs::write(folder.path().join("page.html"), page)?;

    let mut frameworks = Frameworks { links: markup::links(page).len(), ..Frameworks::default() };
    for app in &APPS {
        let mut peer = match start(app, folder.path(), cores) {
            Ok(peer) => peer,
            Err(error) => {
                frameworks.skipped.push(format!("{}: {error:#}", app.name));
                continue;
            }
        };
        for route in app.routes {
            let ours = if route.is_stored { &stored } else { &rendered };
            let case = case(site, &mut peer, route, ours, page, rounds).await;
            frameworks.cases.push(case.with_context(|| format!("{} at {}", app.name, route.path))?);
        }
    }
    Ok(frameworks)
}

/// The cached page.
async fn stored(site: &Site) -> anyhow::Result<Exchange> {
    let variants = hits::variants(site).await?;
    let identity = variants.into_iter().find(|variant| variant.name == "identity");
    Ok(identity.context("no identity variant")?.exchange)
}

/// The page for a member, which is rendered for each request.
async fn rendered(site: &Site) -> anyhow::Result<Exchange> {
    let session = members::log_in(site.server.address, "500000006").await?;
    let headers = [("accept-encoding", "identity"), ("cookie", session.as_str())];
    let request = client::get(PAGE, &[BROWSER, &headers]);
    let response = fetch(site, &request).await?;
    let how = response.header("x-page-cache");
    ensure!(how == Some("bypass"), "x-page-cache of a member's page is {how:?}");
    Ok(Exchange { request, response })
}

async fn fetch(site: &Site, request: &Request) -> anyhow::Result<Response> {
    let response = Connection::open(site.server.address).await?.fetch(request).await?;
    ensure!(response.status == 200, "status {}", response.status);
    Ok(response)
}

/// # Errors
/// The app is not built.
fn start(app: &App, folder: &Path, cores: &Cores) -> anyhow::Result<Peer> {
    let program = std::env::current_dir()?.join(app.program);
    ensure!(program.is_file(), "not measured, {} is missing (deploy/setup.sh apps)", app.program);
    let address = free_address()?;
    let mut command = cores.on_server_core(&node());
    clean(&mut command);
    command
        .arg(program)
        .env("NODE_ENV", "production")
        .env("NEXT_TELEMETRY_DISABLED", "1")
        .env("NUXT_TELEMETRY_DISABLED", "1")
        .env("BENCH_DOCUMENT", folder.join("document.json"))
        .env("BENCH_PAGE", folder.join("page.html"))
        .env("HOST", address.ip().to_string())
        .env("HOSTNAME", address.ip().to_string())
        .env("PORT", address.port().to_string());
    Peer::start(command, &folder.join(format!("{}.log", app.name)), address)
}

async fn case(
    site: &Site,
    peer: &mut Peer,
    route: &AppRoute,
    ours: &Exchange,
    page: &str,
    rounds: usize,
) -> anyhow::Result<Case> {
    let request = client::get(route.path, &[BROWSER, &[("accept-encoding", "identity")]]);
    let response = warmed_up(peer, route, &request).await?;
    markup::same_page(page, std::str::from_utf8(&response.body)?).context("another page")?;
    let theirs = Exchange { request, response };
    let load = if route.is_stored { STORED } else { RENDERED };
    Ok(Case {
        app: route.name,
        how: if route.is_stored { "stored" } else { "rendered" },
        goal: route.goal,
        body_bytes: ours.response.body.len(),
        their_body_bytes: theirs.response.body.len(),
        comparison: compare(rounds, load, (&site.server, ours), (&*peer, &theirs)).await?,
    })
}

/// The app's response after its warm-up.
async fn warmed_up(
    peer: &mut Peer,
    route: &AppRoute,
    request: &Request,
) -> anyhow::Result<Response> {
    peer.listening().await?;
    let address = peer.address();
    let warm = Duration::from_secs(10);
    let response = client::until(address, request, warm, |response| response.status == 200).await?;
    let Some((name, value)) = route.mark else { return Ok(response) };
    // The first response fills the cache, or is stale if the app was built some time ago.
    client::until(address, request, warm, |response| {
        response.status == 200 && response.header(name) == Some(value)
    })
    .await
    .with_context(|| format!("{name} is not {value}"))
}
