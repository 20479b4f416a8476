//! Compares a cached page with the bare server, which sends the same bytes with the same headers.

use std::{path::Path, time::Duration};

use anyhow::{Context, ensure};
use serde::Serialize;
use tempfile::TempDir;

use crate::{
    client::{self, BROWSER, Connection, Exchange, Request, Response},
    cores::Cores,
    process::{Server, Site},
    turns::{Comparison, compare},
    wrk::Load,
};

/// The requested page.
pub(crate) const PAGE: &str = "/en-us/news";

const LOADS: [Load; 2] =
    [Load { connections: 32, seconds: 1 }, Load { connections: 1, seconds: 1 }];

/// The result of one variant under one load; the peer is the bare server.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    /// `br`, `gzip`, `identity` or `304`.
    pub(crate) variant: &'static str,
    pub(crate) body_bytes: usize,
    pub(crate) connections: usize,
    #[serde(flatten)]
    pub(crate) comparison: Comparison,
}

/// A request for the page, and its response.
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) exchange: Exchange,
}

/// Fills the cache, starts the bare server with the responses, and measures both in turns.
pub(crate) async fn measure(
    site: &Site,
    cores: &Cores,
    rounds: usize,
) -> anyhow::Result<Vec<Case>> {
    let variants = variants(site).await?;
    let directory = TempDir::new()?;
    let bare = bare(&variants, directory.path(), cores)?;
    for variant in &variants {
        same_bytes(&bare, variant).await.with_context(|| format!("the peer, {}", variant.name))?;
    }

    let mut cases = Vec::new();
    for load in LOADS {
        for Variant { name, exchange } in &variants {
            cases.push(Case {
                variant: name,
                body_bytes: exchange.response.body.len(),
                connections: load.connections,
                comparison: compare(rounds, load, (&site.server, exchange), (&bare, exchange))
                    .await
                    .with_context(|| format!("the page, {name}"))?,
            });
        }
    }
    Ok(cases)
}

/// A bare server that sends these responses.
pub(crate) fn bare(variants: &[Variant], folder: &Path, cores: &Cores) -> anyhow::Result<Server> {
    let file = folder.join("responses.json");
    let list: Vec<&Response> = variants.iter().map(|variant| &variant.exchange.response).collect();
    std::fs::write(&file, serde_json::to_vec(&list)?)?;
    let mut command = cores.on_server_core(&std::env::current_exe()?);
    command.arg("bare").arg(&file);
    Server::start(command, &folder.join("bare.log"))
}

/// The cached page in each encoding, and as 304.
pub(crate) async fn variants(site: &Site) -> anyhow::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    let mut etag = String::new();
    for name in ["br", "gzip", "identity"] {
        let request = client::get(PAGE, &[BROWSER, &[("accept-encoding", name)]]);
        let is_hit = |response: &Response| {
            response.status == 200 && response.header("x-page-cache") == Some("hit")
        };
        let mut response =
            client::until(site.server.address, &request, Duration::from_secs(20), is_hit).await?;
        if name == "br" {
            // The smaller body, which the site compresses in the background for pages that are
            // requested often.
            response = settled(site, &request, response).await?;
            etag = response.header("etag").context("a page without etag")?.to_owned();
        }
        variants.push(Variant { name, exchange: Exchange { request, response } });
    }
    let headers = [("accept-encoding", "br"), ("if-none-match", etag.as_str())];
    let request = client::get(PAGE, &[BROWSER, &headers]);
    let response = Connection::open(site.server.address).await?.fetch(&request).await?;
    ensure!(response.status == 304, "{} instead of 304", response.status);
    variants.push(Variant { name: "304", exchange: Exchange { request, response } });
    Ok(variants)
}

/// Sends requests until the body has had the same size for a second, so that it does not change
/// during the rounds.
async fn settled(site: &Site, request: &Request, first: Response) -> anyhow::Result<Response> {
    let mut connection = Connection::open(site.server.address).await?;
    let mut response = first;
    let mut since = std::time::Instant::now();
    while since.elapsed() < Duration::from_secs(1) {
        let next = connection.fetch(request).await?;
        if next.body.len() != response.body.len() {
            since = std::time::Instant::now();
        }
        response = next;
    }
    Ok(response)
}

async fn same_bytes(bare: &Server, variant: &Variant) -> anyhow::Result<()> {
    let Exchange { request, response: expected } = &variant.exchange;
    let response = Connection::open(bare.address).await?.fetch(request).await?;
    ensure!(response.status == expected.status, "status {}", response.status);
    ensure!(response.body == expected.body, "another body");
    for (name, value) in &expected.headers {
        ensure!(name == "date" || response.header(name).is_some(), "no {name}: {value}");
    }
    Ok(())
}
