//! Compares a cached page with the bare server, which sends the same bytes with the same headers.

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use serde::Serialize;
use tempfile::TempDir;

use crate::{
    client::{self, Answer, BROWSER, Connection},
    cores::Cores,
    load::{self, Measured},
    process::{Server, Site},
    statistics::median,
};

/// The requested page.
pub(crate) const PAGE: &str = "/en-us/news";

/// The extent of a measurement.
pub(crate) struct Plan {
    /// Rounds per case. In each round both servers have a turn, in alternating order.
    rounds: usize,
    /// Connections and duration of a turn.
    loads: [(usize, Duration); 2],
}

impl Plan {
    pub(crate) fn with_rounds(rounds: usize) -> Plan {
        let loads = [(32, Duration::from_millis(800)), (1, Duration::from_millis(400))];
        Plan { rounds, loads }
    }
}

/// The result of one variant under one load. Ratios are the site's value divided by the peer's, as
/// medians over the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    /// `br`, `gzip`, `identity` or `304`.
    pub(crate) variant: &'static str,
    pub(crate) body_bytes: usize,
    pub(crate) connections: usize,
    pub(crate) ratio: Measured,
    /// Medians of the site's own values.
    pub(crate) site: Measured,
    /// Medians of the peer's own values.
    pub(crate) bare: Measured,
}

/// A request for the page, and its response.
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) request: Arc<[u8]>,
    pub(crate) answer: Answer,
}

/// Fills the cache, starts the bare server with the responses, and measures both in turns.
pub(crate) async fn measure(site: &Site, cores: &Cores, plan: &Plan) -> anyhow::Result<Vec<Case>> {
    let variants = variants(site).await?;
    let directory = TempDir::new()?;
    let bare = bare(&variants, directory.path(), cores)?;
    for variant in &variants {
        same_bytes(&bare, variant).await.with_context(|| format!("the peer, {}", variant.name))?;
    }

    let mut cases = Vec::new();
    for (connections, time) in plan.loads {
        for variant in &variants {
            cases.push(case(site, &bare, variant, connections, time, plan.rounds).await?);
        }
    }
    Ok(cases)
}

/// A bare server that sends these responses.
pub(crate) fn bare(variants: &[Variant], folder: &Path, cores: &Cores) -> anyhow::Result<Server> {
    let answers = folder.join("answers.json");
    let list: Vec<&Answer> = variants.iter().map(|variant| &variant.answer).collect();
    std::fs::write(&answers, serde_json::to_vec(&list)?)?;
    let mut command = cores.on_server_core(&std::env::current_exe()?);
    command.arg("bare").arg(&answers);
    Server::start(command, &folder.join("bare.log"))
}

/// The cached page in each encoding, and as 304.
pub(crate) async fn variants(site: &Site) -> anyhow::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    let mut etag = String::new();
    for name in ["br", "gzip", "identity"] {
        let request = client::get(PAGE, &[BROWSER, &[("accept-encoding", name)]]);
        let is_hit =
            |answer: &Answer| answer.status == 200 && answer.header("x-page-cache") == Some("hit");
        let mut answer =
            load::until(site.server.address, &request, Duration::from_secs(20), is_hit).await?;
        if name == "br" {
            // The smaller body, which the site compresses in the background for pages that are
            // requested often.
            answer = settled(site, &request, answer).await?;
            etag = answer.header("etag").context("a page without etag")?.to_owned();
        }
        variants.push(Variant { name, request: request.into(), answer });
    }
    let headers = [("accept-encoding", "br"), ("if-none-match", etag.as_str())];
    let request = client::get(PAGE, &[BROWSER, &headers]);
    let answer = Connection::open(site.server.address).await?.fetch(&request).await?;
    ensure!(answer.status == 304, "{} instead of 304", answer.status);
    variants.push(Variant { name: "304", request: request.into(), answer });
    Ok(variants)
}

/// Sends requests until the body has had the same size for a second, so that it does not change
/// during the rounds.
async fn settled(site: &Site, request: &[u8], first: Answer) -> anyhow::Result<Answer> {
    let mut connection = Connection::open(site.server.address).await?;
    let mut answer = first;
    let mut since = std::time::Instant::now();
    while since.elapsed() < Duration::from_secs(1) {
        let next = connection.fetch(request).await?;
        if next.body.len() != answer.body.len() {
            since = std::time::Instant::now();
        }
        answer = next;
    }
    Ok(answer)
}

async fn same_bytes(bare: &Server, variant: &Variant) -> anyhow::Result<()> {
    let answer = Connection::open(bare.address).await?.fetch(&variant.request).await?;
    ensure!(answer.status == variant.answer.status, "status {}", answer.status);
    ensure!(answer.body == variant.answer.body, "another body");
    for (name, value) in &variant.answer.headers {
        ensure!(name == "date" || answer.header(name).is_some(), "no {name}: {value}");
    }
    Ok(())
}

async fn case(
    site: &Site,
    bare: &Server,
    variant: &Variant,
    connections: usize,
    time: Duration,
    rounds: usize,
) -> anyhow::Result<Case> {
    let expected = variant.answer.status;
    let turn = |server| load::run(server, &variant.request, expected, connections, time);
    let ours = async || turn(&site.server).await;
    let pairs = load::in_turns(rounds, ours, async || turn(bare).await).await?;
    Ok(Case {
        variant: variant.name,
        body_bytes: variant.answer.body.len(),
        connections,
        ratio: medians(&pairs, |(site, bare), value| value(site) / value(bare)),
        site: medians(&pairs, |(site, _), value| value(site)),
        bare: medians(&pairs, |(_, bare), value| value(bare)),
    })
}

/// The median of each value over the rounds.
pub(crate) fn medians(
    pairs: &[(Measured, Measured)],
    of: impl Fn(&(Measured, Measured), fn(&Measured) -> f64) -> f64,
) -> Measured {
    let over = |value: fn(&Measured) -> f64| median(pairs.iter().map(|pair| of(pair, value)));
    Measured {
        per_second: over(|one| one.per_second),
        p50_us: over(|one| one.p50_us),
        p99_us: over(|one| one.p99_us),
        cpu_us: over(|one| one.cpu_us),
    }
}
