//! The processes under test: the site and its peers, each on the core for servers.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use crate::{client::Connection, cores::Cores};

/// A server under test.
pub(crate) trait Serving {
    /// Its address.
    fn address(&self) -> SocketAddr;

    /// CPU time of it and its children so far, to 10 ms.
    fn cpu(&self) -> anyhow::Result<Duration>;
}

/// A server in its own process; killed when dropped.
pub(crate) struct Server {
    child: Child,
    /// Kept open, so that later writes of the server to standard output do not fail.
    _output: BufReader<ChildStdout>,
    /// Its address.
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts the server and waits for its line `ready http://ADDRESS`.
    pub(crate) fn start(mut command: Command, log: &Path) -> anyhow::Result<Server> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(log)?)
            .spawn()
            .with_context(|| format!("cannot run {command:?}"))?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut line = String::new();
        loop {
            line.clear();
            if output.read_line(&mut line)? == 0 {
                let said = std::fs::read_to_string(log).unwrap_or_default();
                anyhow::bail!("{command:?} ended before it was ready: {said}");
            }
            if let Some(address) = line.trim_end().strip_prefix("ready http://") {
                return Ok(Server { address: address.parse()?, child, _output: output });
            }
        }
    }
}

impl Serving for Server {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn cpu(&self) -> anyhow::Result<Duration> {
        cpu_with_children(self.child.id())
    }
}

/// CPU time of this process.
pub(crate) fn own_cpu() -> anyhow::Result<Duration> {
    cpu_of("self")
}

fn cpu_of(pid: &str) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    Ok(TICK * ticks(&stat, 2).context("an unreadable /proc/PID/stat")?)
}

/// CPU time of a process and its children, including those that have ended.
fn cpu_with_children(pid: u32) -> anyhow::Result<Duration> {
    let own = pid.to_string();
    let stat = std::fs::read_to_string(format!("/proc/{own}/stat"))?;
    let mut sum = TICK * ticks(&stat, 4).context("an unreadable /proc/PID/stat")?;
    for process in std::fs::read_dir("/proc")?.flatten() {
        let Some(pid) = process.file_name().to_str().map(str::to_owned) else { continue };
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        if parent(&stat) == Some(own.as_str()) {
            sum += cpu_of(&pid)?;
        }
    }
    Ok(sum)
}

/// Time for a process to end by itself.
const STOP: Duration = Duration::from_secs(5);

/// A process that does not report when it is ready; ended when dropped.
pub(crate) struct Background {
    child: Child,
    log: std::path::PathBuf,
}

impl Background {
    pub(crate) fn start(mut command: Command, log: &Path) -> anyhow::Result<Background> {
        let file = File::create(log)?;
        let child = command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .with_context(|| format!("cannot run {command:?}"))?;
        Ok(Background { child, log: log.to_path_buf() })
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// # Errors
    /// It has ended; contains its output.
    pub(crate) fn lives(&mut self) -> anyhow::Result<()> {
        let Some(status) = self.child.try_wait()? else { return Ok(()) };
        let said = std::fs::read_to_string(&self.log).unwrap_or_default();
        anyhow::bail!("ended with {status}: {said}")
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // SIGTERM first: a master that is killed leaves its workers running.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let asked = Instant::now();
        while asked.elapsed() < STOP {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server at a given address that does not report when it is ready.
pub(crate) struct Peer {
    process: Background,
    address: SocketAddr,
}

/// Timeout of a peer's start.
const START: Duration = Duration::from_secs(20);

impl Peer {
    pub(crate) fn start(command: Command, log: &Path, address: SocketAddr) -> anyhow::Result<Peer> {
        Ok(Peer { process: Background::start(command, log)?, address })
    }

    /// Waits until it accepts connections.
    ///
    /// # Errors
    /// It has ended, or does not listen in time.
    pub(crate) async fn listening(&mut self) -> anyhow::Result<Connection> {
        let began = Instant::now();
        loop {
            if let Ok(connection) = Connection::open(self.address).await {
                return Ok(connection);
            }
            ensure!(began.elapsed() < START, "does not listen after {START:?}");
            self.process.lives()?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Serving for Peer {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn cpu(&self) -> anyhow::Result<Duration> {
        cpu_with_children(self.process.id())
    }
}

/// The Node program that the commands use.
pub(crate) fn node() -> PathBuf {
    std::env::var_os("SAHM_NODE").unwrap_or("node".into()).into()
}

/// Removes the settings of this process from a command's environment.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SAHM_") && name != "SAHM_NODE" {
            command.env_remove(name);
        }
    }
}

/// A program of the site with its own store and no settings of this process.
pub(crate) fn program(programs: &Path, name: &str, folder: &Path, cores: &Cores) -> Command {
    let mut command = cores.on_server_core(&programs.join(name));
    clean(&mut command);
    command
        .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
        .env("SAHM_DATA_DIR", folder.join("data"))
        .env("SAHM_RATE_LIMITS", "off");
    command
}

/// Linux reports CPU time in hundredths of a second, independent of the kernel's tick rate.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// User and system time of a `/proc/PID/stat` line; with a `count` of four also those of children
/// that have ended (proc(5): fields 14 to 17; field 2, the name, may contain blanks and ends with
/// the last bracket).
pub(crate) fn ticks(stat: &str, count: usize) -> Option<u32> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(count);
    let ticks = fields.map(|field| field.parse().ok()).collect::<Option<Vec<u32>>>()?;
    (ticks.len() == count).then(|| ticks.iter().sum())
}

/// The parent's id of a `/proc/PID/stat` line.
pub(crate) fn parent(stat: &str) -> Option<&str> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)
}

impl Drop for Server {
    fn drop(&mut self) {
        // The site's renderer ends by itself when the site has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The all-in-one site with its own data.
pub(crate) struct Site {
    pub(crate) server: Server,
    /// Address of its content service.
    pub(crate) content: SocketAddr,
    _data: TempDir,
}

impl Site {
    /// Starts `program` with default settings on free ports, without rate limits.
    pub(crate) fn start(program: &Path, cores: &Cores) -> anyhow::Result<Site> {
        let data = TempDir::new()?;
        let content = free_address()?;
        let mut command = cores.on_server_core(program);
        clean(&mut command);
        for service in ["QUOTES", "IDENTITY", "CONFIG", "ATTRIBUTION", "ACTIVITY"] {
            command.env(format!("SAHM_{service}_LISTEN"), "127.0.0.1:0");
        }
        command
            .env("SAHM_LISTEN", "127.0.0.1:0")
            .env("SAHM_ADMIN_LISTEN", "127.0.0.1:0")
            .env("SAHM_CONTENT_LISTEN", content.to_string())
            .env("SAHM_RENDERER_URL", "http://127.0.0.1:0")
            .env("SAHM_DATA_DIR", data.path().join("data"))
            .env("SAHM_RATE_LIMITS", "off");
        let server = Server::start(command, &data.path().join("site.log"))?;
        Ok(Site { server, content, _data: data })
    }
}

/// An address that was free just now.
pub(crate) fn free_address() -> std::io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

#[cfg(test)]
mod tests {
    #[test]
    fn processor_time_is_found_behind_any_name() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20";
        for name in ["sahm", "a b", "x) y"] {
            let stat = format!("7 ({name}) {rest}");
            assert_eq!(super::ticks(&stat, 2), Some(300), "{name}");
            assert_eq!(super::ticks(&stat, 4), Some(300), "{name}");
        }
        assert_eq!(super::ticks("7 (sahm) S 1", 2), None);
        assert_eq!(super::parent("7 (x) y) S 12 3"), Some("12"));
    }
}
