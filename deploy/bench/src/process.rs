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
use procfs::process::{Process, Stat, all_processes};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
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

/// CPU time of this process and its ended children.
pub(crate) fn own_cpu() -> anyhow::Result<Duration> {
    Ok(cpu_time(&Process::myself()?.stat()?))
}

/// CPU time of a process and its children, including those that have ended.
fn cpu_with_children(pid: u32) -> anyhow::Result<Duration> {
    let pid = pid.cast_signed();
    let own = Process::new(pid)?.stat()?;
    let stats = all_processes()?.flatten().filter_map(|process| process.stat().ok());
    let children = stats.filter(|stat| stat.ppid == pid).map(|stat| cpu_time(&stat));
    Ok(cpu_time(&own) + children.sum::<Duration>())
}

/// CPU time of a process and its ended children. The kernel's unit is 10 ms.
pub(crate) fn cpu_time(stat: &Stat) -> Duration {
    let ticks = stat.utime + stat.stime + (stat.cutime + stat.cstime).unsigned_abs();
    Duration::from_secs(ticks) / procfs::ticks_per_second() as u32
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
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
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

/// Raises the limit of open files for this process and its children.
///
/// # Errors
/// The system refuses.
pub(crate) fn allow_files(count: usize) -> anyhow::Result<()> {
    let (Rlimit { current, maximum }, count) = (getrlimit(Resource::Nofile), count as u64);
    if current.is_none_or(|current| current >= count) {
        return Ok(());
    }
    let maximum = maximum.map(|maximum| maximum.max(count));
    setrlimit(Resource::Nofile, Rlimit { current: Some(count), maximum })
        .with_context(|| format!("{current:?} open files are allowed here, {count} are needed"))
}
