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

use crate::process;

/// Upper bound on the time until a server responds after its start.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Starts the server, prints its process id, and ends it once standard input closes: on drop, or by
/// the kernel when the test is killed. Its own process group shields it from Ctrl-C.
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

/// How a server is started and ended.
pub(crate) struct Plan {
    pub(crate) command: Vec<String>,
    /// The signal that ends it: `KILL`, `QUIT`.
    pub(crate) signal: &'static str,
    pub(crate) log: PathBuf,
    /// Removed after the server has ended, unless it contains a file `keep`.
    pub(crate) folder: PathBuf,
}

/// A running server, ended on drop.
#[derive(Debug)]
pub(crate) struct Server {
    holder: Child,
    pid: u32,
    log: PathBuf,
}

impl Server {
    pub(crate) fn start(plan: &Plan) -> anyhow::Result<Server> {
        let mut holder = Command::new("sh")
            .args(["-c", HOLDER, "sh"])
            .arg(&plan.log)
            .arg(plan.signal)
            .arg(&plan.folder)
            .args(&plan.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("cannot run sh")?;
        let _ = std::fs::remove_file(plan.folder.join("keep"));
        let mut line = String::new();
        if let Some(output) = holder.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let pid = line.trim().parse().context("the server did not start")?;
        Ok(Server { holder, pid, log: plan.log.clone() })
    }

    /// Stops the server and its children with SIGSTOP: connections stay open, and nothing responds.
    pub(crate) fn pause(&self) {
        // The server itself comes first, so that it starts no more children.
        process::pause(self.pid);
        self.children().into_iter().for_each(process::pause);
    }

    /// Resumes a paused server and its children.
    pub(crate) fn resume(&self) {
        for pid in self.children().into_iter().chain([self.pid]) {
            process::signal("CONT", pid);
        }
    }

    pub(crate) fn children(&self) -> Vec<u32> {
        process::children(self.pid)
    }

    /// Waits until `is_ready` returns true.
    pub(crate) async fn wait_until(
        &mut self,
        mut is_ready: impl AsyncFnMut() -> bool,
    ) -> anyhow::Result<()> {
        let started = Instant::now();
        while !is_ready().await {
            if !self.is_alive() || started.elapsed() > START_TIMEOUT {
                let log = std::fs::read_to_string(&self.log).unwrap_or_default();
                bail!("the server did not come up:\n{log}");
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Whether the server runs. A killed server stays a zombie until its shell ends, and counts as
    /// ended.
    pub(crate) fn is_alive(&self) -> bool {
        process::runs(self.pid)
    }

    /// Kills the server as a crash would and waits until it has ended. Its folder stays.
    pub(crate) fn kill(self, folder: &Path) {
        // If the file cannot be written, the folder is removed and the next start reports it.
        let _ = std::fs::write(folder.join("keep"), "");
        // Stopped child processes would not notice that the server has ended.
        self.resume();
        process::signal("KILL", self.pid);
        let started = Instant::now();
        while self.is_alive() && started.elapsed() < START_TIMEOUT {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.resume();
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

pub(crate) fn accepts(port: u16) -> bool {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
}
