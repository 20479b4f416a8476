//! Runs the renderer as a supervised child process that restarts with exponential backoff.

use std::{net::SocketAddr, path::PathBuf, process::Stdio, time::Duration};

use anyhow::Context as _;
use sahm_chassis::{lifecycle::Lifecycle, settings::SETTINGS};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, ChildStdin, Command},
    time::Instant,
};

/// First delay before a restart; doubled up to [`MAX_RESTART_DELAY`].
const MIN_RESTART_DELAY: Duration = Duration::from_millis(100);
const MAX_RESTART_DELAY: Duration = Duration::from_secs(5);

/// A renderer that ran for this long resets the restart delay.
const MIN_HEALTHY_UPTIME: Duration = Duration::from_secs(30);

/// Timeout of a start.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// How long the renderer may take to exit before it is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum size in bytes of the metrics that are read from the renderer.
const MAX_METRICS_BYTES: u64 = 1 << 20;

/// How to run the renderer.
#[derive(Clone, Debug)]
pub struct RendererCommand {
    /// The Node program.
    pub node: PathBuf,
    /// The bundle: `{site_dir}/server/renderer.js`.
    pub script: PathBuf,
    /// Listen address; port 0 selects a free port at the first start; restarts reuse it.
    pub listen: SocketAddr,
}

/// A running child; its input is separate, because waiting for a child closes it.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
}

/// Starts the renderer and restarts it until the process has drained; returns its address once it
/// is ready.
///
/// The child's standard input is a pipe of this process: however this process dies, the pipe closes
/// and the child exits, so that it is never orphaned.
pub async fn supervise(
    command: RendererCommand,
    lifecycle: &Lifecycle,
) -> anyhow::Result<SocketAddr> {
    let (running, address) = start(&command, command.listen).await?;
    let watched = lifecycle.clone();
    // The renderer must outlive the last request.
    lifecycle.spawn_last("renderer", async move {
        watch(running, address, command, watched).await;
    });
    Ok(address)
}

async fn watch(
    mut running: Running,
    address: SocketAddr,
    command: RendererCommand,
    lifecycle: Lifecycle,
) {
    let drained = lifecycle.drained();
    tokio::pin!(drained);
    let mut pause = MIN_RESTART_DELAY;
    let mut started = Instant::now();
    loop {
        tokio::select! {
            status = running.child.wait() => {
                tracing::error!(status = ?status.ok(), "renderer ended");
            }
            () = &mut drained => {
                stop(running).await;
                return;
            }
        }
        if started.elapsed() > MIN_HEALTHY_UPTIME {
            pause = MIN_RESTART_DELAY;
        }
        running = loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = &mut drained => return,
            }
            pause = (pause * 2).min(MAX_RESTART_DELAY);
            match start(&command, address).await {
                Ok((running, _)) => break running,
                Err(error) => tracing::error!(error = format!("{error:#}"), "renderer not started"),
            }
        };
        started = Instant::now();
        tracing::info!(%address, "renderer started again");
    }
}

async fn start(
    command: &RendererCommand,
    listen: SocketAddr,
) -> anyhow::Result<(Running, SocketAddr)> {
    let mut renderer = Command::new(&command.node);
    // The renderer rejects unknown names, which the environment of tests may contain.
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| name.as_encoded_bytes().starts_with(b"SAHM_")) {
        if !SETTINGS.iter().any(|setting| name == setting.name) {
            renderer.env_remove(name);
        }
    }
    let mut child = renderer
        .arg(&command.script)
        .env("SAHM_RENDERER_LISTEN", listen.to_string())
        .env("SAHM_RENDERER_WATCH_STDIN", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        // A terminal sends SIGINT to the whole foreground group; the renderer must outlive the drain.
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot run {}", command.node.display()))?;
    let input = child.stdin.take();
    let output = child.stdout.take().context("the renderer has no standard output")?;
    let mut lines = BufReader::new(output).lines();
    let ready = async {
        while let Some(line) = lines.next_line().await? {
            if let Some(address) = ready_address(&line) {
                return Ok(address);
            }
        }
        anyhow::bail!("the renderer ended before it was ready")
    };
    let address = tokio::time::timeout(START_TIMEOUT, ready)
        .await
        .context("the renderer was not ready in time")??;
    // Keeps reading until the child exits, so that it never blocks on a full pipe.
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    Ok((Running { child, input }, address))
}

/// The renderer's metrics as Prometheus text; empty if it is unavailable.
pub(crate) async fn metrics(address: SocketAddr) -> String {
    let response = async {
        let mut stream = TcpStream::connect(address).await?;
        // HTTP/1.0, so that the connection closes after the response.
        stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").await?;
        let mut response = String::new();
        stream.take(MAX_METRICS_BYTES).read_to_string(&mut response).await?;
        std::io::Result::Ok(response)
    };
    let response = response.await.unwrap_or_default();
    match response.split_once("\r\n\r\n") {
        Some((head, text)) if head.starts_with("HTTP/1.1 200 ") => text.to_owned(),
        _ => String::new(),
    }
}

/// The line `{"ready":"127.0.0.1:7010"}`.
fn ready_address(line: &str) -> Option<SocketAddr> {
    let value = serde_json::from_str::<serde_json::Value>(line).ok()?;
    value.get("ready")?.as_str()?.parse().ok()
}

async fn stop(running: Running) {
    let Running { mut child, input } = running;
    drop(input);
    if tokio::time::timeout(STOP_TIMEOUT, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ready_line_names_an_address() {
        let address: Option<SocketAddr> = "127.0.0.1:7010".parse().ok();
        assert_eq!(ready_address("{\"ready\":\"127.0.0.1:7010\"}"), address);
        for line in ["", "listening", "{\"ready\":true}", "{\"ready\":\"x\"}"] {
            assert_eq!(ready_address(line), None, "{line}");
        }
    }
}
