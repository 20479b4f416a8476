//! Latency of single requests, by cache status: miss, stale or hit.
//!
//! One request at a time, for each page and client profile: the first is a miss, the second a hit, and after a soft
//! purge of the articles the next one is stale until the page is rendered again.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use sahm_proto::changes::v1::{
    PurgeTagsRequest, change_log_service_client::ChangeLogServiceClient,
};
use serde::Serialize;
use tonic::transport::Endpoint;

use crate::{
    client::{self, BROWSER, Connection, Request, Response},
    process::Site,
    sitemap,
    statistics::percentile,
};

/// Latencies of responses of one kind, in microseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Cost {
    /// `miss`, `stale` or `hit`.
    pub(crate) how: &'static str,
    pub(crate) answers: usize,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
}

/// Client profiles with different copies of a page.
const LOOKS: &[&[(&str, &str)]] = &[
    &[],
    &[("sec-ch-prefers-color-scheme", "dark")],
    &[("sec-ch-prefers-color-scheme", "light")],
    &[(
        "user-agent",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    )],
];

/// Requests every article for every profile: first, again, and after a soft purge.
pub(crate) async fn measure(site: &Site) -> anyhow::Result<Vec<Cost>> {
    let articles = articles(site).await?;
    ensure!(!articles.is_empty(), "the sitemap names no article");
    let requests: Vec<Request> = LOOKS
        .iter()
        .flat_map(|look| {
            articles
                .iter()
                .map(move |path| client::get(path, &[BROWSER, &[("accept-encoding", "br")], look]))
        })
        .collect();
    let miss = timed(site, &requests, "miss").await?;
    let hit = timed(site, &requests, "hit").await?;
    purge_softly(site, &articles).await?;
    // The first profile shows when the purge has arrived; the others are measured.
    let is_stale = |response: &Response| response.header("x-page-cache") == Some("stale");
    let probe = requests.first().context("no request")?;
    client::until(site.server.address, probe, Duration::from_secs(5), is_stale).await?;
    let stale = timed(site, &requests[articles.len()..], "stale").await?;
    Ok(vec![miss, stale, hit])
}

/// The latencies of responses with this cache status; an error if too many have another one.
async fn timed(site: &Site, requests: &[Request], how: &'static str) -> anyhow::Result<Cost> {
    let mut connection = Connection::open(site.server.address).await?;
    let mut times = Vec::new();
    for request in requests {
        let began = Instant::now();
        let response = connection.fetch(request).await?;
        let time = began.elapsed();
        ensure!(response.status == 200, "status {}", response.status);
        if response.header("x-page-cache") == Some(how) {
            times.push(u64::try_from(time.as_nanos())?);
        }
    }
    ensure!(
        times.len() * 2 > requests.len(),
        "only {} of {} answers were of the kind {how}",
        times.len(),
        requests.len()
    );
    times.sort_unstable();
    Ok(Cost {
        how,
        answers: times.len(),
        p50_us: percentile(&times, 0.50) / 1e3,
        p99_us: percentile(&times, 0.99) / 1e3,
    })
}

/// The English articles' paths.
async fn articles(site: &Site) -> anyhow::Result<Vec<String>> {
    let mut paths = sitemap::paths(site.server.address).await?;
    paths.retain(|path| path.starts_with("/en-us/news/content/"));
    Ok(paths)
}

/// Purges the articles' pages softly, as an operator would.
async fn purge_softly(site: &Site, articles: &[String]) -> anyhow::Result<()> {
    let tags = articles
        .iter()
        .filter_map(|path| path.rsplit('/').next())
        .map(|id| format!("news:{id}"))
        .collect();
    let channel = Endpoint::try_from(format!("http://{}", site.content))?.connect().await?;
    ChangeLogServiceClient::new(channel).purge_tags(PurgeTagsRequest { tags, soft: true }).await?;
    Ok(())
}
