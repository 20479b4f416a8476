//! Compares the renderer process, called over HTTP as by the gateway, with a bare loop of React's
//! `renderToString` over the same page on the same Node, in renders per second.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
    time::Duration,
};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    client::{self, Connection, Exchange},
    cores::Cores,
    hits::PAGE,
    process::{Peer, Site, clean, free_address, node},
    statistics::median,
    turns::in_turns,
    wrk::{self, Load},
};

/// Built by `deploy/setup.sh renders`; relative to the repository's root.
const LOOP: &str = "target/bench-renders/loop.js";
const RENDERER: &str = "frontend/dist/server/renderer.js";
/// Concurrent renders, as many as the gateway's.
const LOAD: Load = Load { connections: 4, seconds: 2 };

/// The largest page, about 100 KB with its data, and the page of the other benchmarks.
const PAGES: [&str; 2] = ["/en-us", PAGE];

/// The results of a page: medians over the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Renders {
    pub(crate) page: &'static str,
    /// Size of the HTML, equal for both.
    pub(crate) html_bytes: usize,
    pub(crate) per_second: f64,
    pub(crate) bare_per_second: f64,
    pub(crate) ratio: f64,
}

/// Measures the renderer and the loop in turns, page by page.
pub(crate) async fn measure(
    site: &Site,
    cores: &Cores,
    rounds: usize,
) -> anyhow::Result<Vec<Renders>> {
    let mut renders = Vec::new();
    for page in PAGES {
        renders.push(of_page(page, site, cores, rounds).await.context(page)?);
    }
    Ok(renders)
}

async fn of_page(
    page: &'static str,
    site: &Site,
    cores: &Cores,
    rounds: usize,
) -> anyhow::Result<Renders> {
    let folder = TempDir::new()?;
    let payload = serde_json::to_vec(&payload(site, page).await?)?;
    let file = folder.path().join("payload.json");
    std::fs::write(&file, &payload)?;

    let mut renderer = start(folder.path(), cores)?;
    let request = client::post("/render", &[], &payload);
    let mut connection = renderer.listening().await?;
    let response = connection.fetch(&request).await?;
    ensure!(response.status == 200, "the renderer answers {}", response.status);
    let bare = Bare::start(&file, cores)?;
    ensure!(bare.html_bytes == response.body.len(), "the loop renders another page");

    let expected = Exchange { request, response };
    let ours = async || Ok(wrk::run(&renderer, &expected, LOAD).await?.per_second);
    let time = Duration::from_secs(LOAD.seconds);
    let pairs = in_turns(rounds, ours, async || bare.turn(time)).await?;
    Ok(Renders {
        page,
        html_bytes: bare.html_bytes,
        per_second: median(pairs.iter().map(|pair| pair.0)),
        bare_per_second: median(pairs.iter().map(|pair| pair.1)),
        ratio: median(pairs.iter().map(|pair| pair.0 / pair.1)),
    })
}

/// The gateway's request to the renderer.
async fn payload(site: &Site, page: &str) -> anyhow::Result<Value> {
    let request = client::get(&format!("/_data{page}"), &[]);
    let response = Connection::open(site.server.address).await?.fetch(&request).await?;
    ensure!(response.status == 200, "/_data answers {}", response.status);
    let mut payload: Value = serde_json::from_slice(&response.body)?;
    payload["visitor"] = json!({"locale": "en-us", "platform": "pc", "theme": "auto"});
    payload["url"] = json!(page);
    Ok(payload)
}

/// Starts the site's renderer alone.
fn start(folder: &Path, cores: &Cores) -> anyhow::Result<Peer> {
    let address = free_address()?;
    let mut command = cores.on_server_core(&node());
    clean(&mut command);
    command.arg(RENDERER).env("SAHM_RENDERER_LISTEN", address.to_string());
    Peer::start(command, &folder.join("renderer.log"), address)
}

/// The loop. It reads a line with milliseconds, renders for this time, and writes the number of
/// renders.
struct Bare {
    child: Child,
    /// One turn at a time.
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    html_bytes: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ready {
    html_bytes: usize,
}

#[derive(Deserialize)]
struct Turn {
    renders: f64,
    milliseconds: f64,
}

impl Bare {
    fn start(payload: &Path, cores: &Cores) -> anyhow::Result<Bare> {
        ensure!(Path::new(LOOP).is_file(), "{LOOP} is missing (deploy/setup.sh renders)");
        let mut command: Command = cores.on_server_core(&node());
        clean(&mut command);
        command.arg(LOOP).arg(payload).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let input = child.stdin.take().context("no standard input")?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let Ready { html_bytes } = line(&mut output)?;
        Ok(Bare { child, pipes: Mutex::new((input, output)), html_bytes })
    }

    /// Renders per second. Nothing else runs on the core meanwhile.
    fn turn(&self, time: Duration) -> anyhow::Result<f64> {
        let Ok(mut pipes) = self.pipes.lock() else { anyhow::bail!("an earlier turn failed") };
        let (input, output) = &mut *pipes;
        writeln!(input, "{}", time.as_millis())?;
        let Turn { renders, milliseconds } = line(output)?;
        Ok(renders * 1e3 / milliseconds)
    }
}

fn line<T: for<'a> Deserialize<'a>>(output: &mut impl BufRead) -> anyhow::Result<T> {
    let mut line = String::new();
    ensure!(output.read_line(&mut line)? > 0, "the loop has ended");
    Ok(serde_json::from_str(&line)?)
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
