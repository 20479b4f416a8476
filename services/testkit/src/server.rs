//! A server process under a shell, which ends it when the test's end of a pipe closes.
use std::{
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use tempfile::TempDir;

use crate::{port::free_port, process};

/// Upper bound on the time until a server responds after its start.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Another process may take the port after [`free_port`] has found it free.
const PORT_ATTEMPTS: usize = 5;

/// Starts the server, prints its process id, and ends it once standard input closes.
const HOLDER: &str = r#"
log=$1 signal=$2 remove=$3; shift 3
"$@" >>"$log" 2>&1 </dev/null &
server=$!
echo "$server"
cat >/dev/null
kill -s CONT "$server" 2>/dev/null
kill -s "$signal" "$server" 2>/dev/null
wait "$server"
[ -e "$remove/keep" ] || rm -rf "$remove"
"#;

/// A shell script that ends what it started once its standard input closes: on drop, or by the
/// kernel when the test is killed.
#[derive(Debug)]
pub(crate) struct Holder(Child);

impl Holder {
    /// Runs the script and returns its first line of output. Its own process group shields it from
    /// Ctrl-C.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<(Holder, String)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut holder = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let mut line = String::new();
        if let Some(output) = holder.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        Ok((Holder(holder), line.trim().to_owned()))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// A server with a temporary folder, both ended on drop.
#[derive(Debug)]
pub(crate) struct Server {
    // Dropped before its folder. `None` before the start and after a kill.
    process: Option<ServerProcess>,
    /// Removed after the server has ended, unless it contains a file `keep`.
    folder: TempDir,
    /// The signal that ends it: `KILL`, `QUIT`.
    signal: &'static str,
}

#[derive(Debug)]
struct ServerProcess {
    pid: u32,
    _holder: Holder,
}

impl Server {
    /// A server that is not started yet; `name` is part of its folder's name.
    pub(crate) fn new(name: &str, signal: &'static str) -> std::io::Result<Server> {
        let folder = tempfile::Builder::new().prefix(&format!("sahm-{name}-")).tempdir()?;
        Ok(Server { process: None, folder, signal })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the folder, as an argument of a command.
    pub(crate) fn path(&self, file: &str) -> String {
        self.folder().join(file).to_string_lossy().into_owned()
    }

    /// Starts the server; a running one is killed first.
    pub(crate) fn start(&mut self, command: &[String]) -> anyhow::Result<()> {
        self.kill();
        let mut shell = Command::new("sh");
        shell.args(["-c", HOLDER, "sh"]).arg(self.log()).arg(self.signal).arg(self.folder());
        let (holder, line) = Holder::start(shell.args(command))?;
        let _ = std::fs::remove_file(self.folder().join("keep"));
        let pid = line.parse().context("the server did not start")?;
        self.process = Some(ServerProcess { pid, _holder: holder });
        Ok(())
    }

    fn log(&self) -> PathBuf {
        self.folder().join("log")
    }

    /// Waits until `is_ready` returns true; kills the server if that takes too long.
    pub(crate) async fn wait_until(
        &mut self,
        mut is_ready: impl AsyncFnMut() -> bool,
    ) -> anyhow::Result<()> {
        let started = Instant::now();
        while !is_ready().await {
            let is_alive = self.process.as_ref().is_some_and(ServerProcess::is_alive);
            if !is_alive || started.elapsed() > START_TIMEOUT {
                self.kill();
                bail!(
                    "the server did not come up:\n{}",
                    std::fs::read_to_string(self.log()).unwrap_or_default()
                );
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Stops the server and its children with SIGSTOP: connections stay open, and nothing responds.
    pub(crate) fn pause(&self) {
        if let Some(server) = &self.process {
            // The server itself comes first, so that it starts no more children.
            process::pause(server.pid);
            server.children().into_iter().for_each(process::pause);
        }
    }

    /// Resumes a paused server and its children.
    pub(crate) fn resume(&self) {
        self.process.iter().for_each(ServerProcess::resume);
    }

    #[cfg(test)]
    pub(crate) fn children(&self) -> Vec<u32> {
        self.process.iter().flat_map(ServerProcess::children).collect()
    }

    /// Kills the server as a crash would and waits until it has ended. Its folder stays.
    pub(crate) fn kill(&mut self) {
        let Some(server) = self.process.take() else { return };
        // If the file cannot be written, the folder is removed and the next start reports it.
        let _ = std::fs::write(self.folder().join("keep"), "");
        // Stopped child processes would not notice that the server has ended.
        server.resume();
        process::signal("KILL", server.pid);
        let started = Instant::now();
        while server.is_alive() && started.elapsed() < START_TIMEOUT {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

impl ServerProcess {
    fn children(&self) -> Vec<u32> {
        process::children(self.pid)
    }

    fn resume(&self) {
        for pid in self.children().into_iter().chain([self.pid]) {
            process::signal("CONT", pid);
        }
    }

    /// Whether the server runs. A killed server stays a zombie until its shell ends, and counts as
    /// ended.
    fn is_alive(&self) -> bool {
        process::runs(self.pid)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.resume();
    }
}

/// Starts a server on a free port, with another one if the first was taken meanwhile.
pub(crate) async fn on_free_port(
    mut start: impl AsyncFnMut(u16) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for _ in 1..PORT_ATTEMPTS {
        if start(free_port()?).await.is_ok() {
            return Ok(());
        }
    }
    start(free_port()?).await
}

pub(crate) fn accepts(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
}
