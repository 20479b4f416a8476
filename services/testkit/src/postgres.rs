//! A PostgreSQL server for tests.
use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use tokio::sync::OnceCell;

use crate::{
    server::{Server, on_free_port},
    tls::Certificates,
};

const VERSIONS: &str = "/usr/lib/postgresql";
/// PostgreSQL refuses to run as root; Debian's package creates this user.
pub(crate) const USER: &str = "postgres";
const RESTARTS: usize = 50;
const RESTART_DELAY: Duration = Duration::from_millis(100);
/// Upper bound on the time until a standby streams, and the poll interval.
const STANDBY_TIMEOUT: Duration = Duration::from_secs(30);
const STANDBY_POLL_INTERVAL: Duration = Duration::from_millis(20);

static SHARED: OnceCell<Postgres> = OnceCell::const_new();

/// A real PostgreSQL cluster in a temporary folder.
#[derive(Debug)]
pub struct Postgres {
    server: Server,
    port: u16,
    programs: PathBuf,
    is_tls: bool,
    databases: AtomicU32,
}

impl Postgres {
    /// The cluster of this test process, started on first use.
    ///
    /// # Errors
    /// PostgreSQL is not installed or does not start.
    pub async fn shared() -> anyhow::Result<&'static Postgres> {
        SHARED.get_or_try_init(Postgres::start).await
    }

    /// Starts a cluster of its own for a test that kills or restarts it. Commits do not wait for
    /// the disk, but survive [`Postgres::kill`].
    ///
    /// # Errors
    /// PostgreSQL is not installed or does not start.
    pub async fn start() -> anyhow::Result<Postgres> {
        Postgres::start_with(None).await
    }

    /// Same as [`Postgres::start`], but the cluster accepts connections over TLS only, also on
    /// 127.0.0.2, which is not in its certificate.
    ///
    /// # Errors
    /// Same as [`Postgres::start`].
    pub async fn start_tls(certificates: &Certificates) -> anyhow::Result<Postgres> {
        Postgres::start_with(Some(certificates)).await
    }

    async fn start_with(tls: Option<&Certificates>) -> anyhow::Result<Postgres> {
        let mut cluster = Postgres::new(tls.is_some())?;
        let data = cluster.server.path("data");
        cluster.run(
            "initdb",
            &["-A", "trust", "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync", "-D", &data],
        )?;
        if let Some(tls) = tls {
            cluster.set_up_tls(tls)?;
        }
        cluster.launch_on_free_port().await?;
        Ok(cluster)
    }

    /// A cluster without data, in a new folder.
    fn new(is_tls: bool) -> anyhow::Result<Postgres> {
        let programs = programs()?;
        // An immediate shutdown leaves no shared memory behind.
        let server = Server::new("postgres", "QUIT")?;
        give_to_user(server.folder())?;
        Ok(Postgres { server, port: 0, programs, is_tls, databases: AtomicU32::new(0) })
    }

    /// Starts a hot standby, which serves queries. From now on a commit is acknowledged once it is
    /// on both servers.
    ///
    /// # Errors
    /// The server does not respond, or the standby does not start.
    pub async fn start_standby(&self) -> anyhow::Result<Postgres> {
        let mut standby = Postgres::new(self.is_tls)?;
        let (port, data) = (self.port.to_string(), standby.server.path("data"));
        let primary = ["-h", &self.admin_host(), "-p", &port, "-U", USER];
        let copy = ["-R", "-X", "stream", "-c", "fast", "--no-sync", "-D", &data];
        standby.run("pg_basebackup", &[&primary[..], &copy].concat())?;
        standby.launch_on_free_port().await?;
        let started = Instant::now();
        while self.query("SELECT state FROM pg_stat_replication")? != "streaming" {
            ensure!(started.elapsed() < STANDBY_TIMEOUT, "the standby does not stream");
            tokio::time::sleep(STANDBY_POLL_INTERVAL).await;
        }
        self.configure("synchronous_standby_names", "*")?;
        Ok(standby)
    }

    /// Promotes a standby; it accepts writes when this returns.
    ///
    /// # Errors
    /// The server is not a standby, or the promotion takes more than a minute.
    pub fn promote(&self) -> anyhow::Result<()> {
        let promoted = self.query("SELECT pg_promote()")?;
        ensure!(promoted == "t", "the standby is not promoted: {promoted}");
        Ok(())
    }

    async fn launch_on_free_port(&mut self) -> anyhow::Result<()> {
        on_free_port(async |port| {
            self.port = port;
            self.launch().await
        })
        .await
    }

    /// Where PostgreSQL's own programs connect. With TLS they use the socket, because their TLS
    /// reads files in the user's home.
    fn admin_host(&self) -> String {
        match self.is_tls {
            true => self.server.folder().to_string_lossy().into_owned(),
            false => "127.0.0.1".to_owned(),
        }
    }

    /// PostgreSQL requires a key file that only its owner can read.
    fn set_up_tls(&self, tls: &Certificates) -> anyhow::Result<()> {
        let data = self.server.folder().join("data");
        for (from, name) in [(tls.certificate(), "server.crt"), (tls.key(), "server.key")] {
            let to = data.join(name);
            fs::write(&to, fs::read(from)?)?;
            fs::set_permissions(&to, Permissions::from_mode(0o600))?;
            give_to_user(&to)?;
        }
        Ok(fs::write(
            data.join("pg_hba.conf"),
            "local all all trust\nhostssl all all 127.0.0.0/8 trust\n",
        )?)
    }

    async fn launch(&mut self) -> anyhow::Result<()> {
        let (data, port) = (self.server.path("data"), self.port.to_string());
        let mut command = as_user(&self.programs.join("postgres"));
        command.extend(["-D".to_owned(), data, "-p".to_owned(), port.clone()]);
        for option in [
            format!("listen_addresses=127.0.0.1{}", if self.is_tls { ",127.0.0.2" } else { "" }),
            format!("unix_socket_directories={}", self.server.folder().display()),
            "fsync=off".to_owned(),
            "full_page_writes=off".to_owned(),
            "max_connections=400".to_owned(),
            "shared_buffers=64MB".to_owned(),
            format!("ssl={}", if self.is_tls { "on" } else { "off" }),
        ] {
            command.extend(["-c".to_owned(), option]);
        }
        self.server.start(&command)?;
        let mut is_ready = Command::new(self.programs.join("pg_isready"));
        is_ready.args(["-q", "-h", "127.0.0.1", "-p", &port]);
        let is_responding = async || is_ready.status().is_ok_and(|status| status.success());
        self.server.wait_until(is_responding).await.context("postgres")
    }

    /// Creates an empty database and returns its URL, `postgres://postgres@127.0.0.1:port/name`.
    ///
    /// # Errors
    /// The cluster does not respond.
    pub async fn database(&self) -> anyhow::Result<String> {
        // Nobody can connect to template0; a connection to the template would prevent the copy.
        self.database_from("template0")
    }

    /// Same as [`Postgres::database`], as a copy of the database at that URL.
    ///
    /// # Errors
    /// The database has connections, or the cluster does not respond.
    pub async fn copy_of(&self, url: &str) -> anyhow::Result<String> {
        self.database_from(url.rsplit('/').next().unwrap_or_default())
    }

    fn database_from(&self, template: &str) -> anyhow::Result<String> {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        let port = self.port.to_string();
        self.run(
            "createdb",
            &["-h", &self.admin_host(), "-p", &port, "-U", USER, "-T", template, &name],
        )?;
        Ok(format!("postgres://{USER}@127.0.0.1:{port}/{name}"))
    }

    /// Executes SQL in a database as its owner.
    ///
    /// # Errors
    /// The server rejects the statement.
    pub fn execute(&self, url: &str, sql: &str) -> anyhow::Result<()> {
        self.run("psql", &["-q", "-d", url, "-c", sql]).map(drop)
    }

    /// Changes a setting of the running server with `ALTER SYSTEM`.
    ///
    /// # Errors
    /// The server rejects the setting.
    pub fn configure(&self, name: &str, value: &str) -> anyhow::Result<()> {
        let set = format!("ALTER SYSTEM SET {name} = '{value}'");
        let writable = "SET default_transaction_read_only = off";
        self.psql(&["-c", writable, "-c", &set, "-c", "SELECT pg_reload_conf()"]).map(drop)
    }

    /// The value that a query returns.
    fn query(&self, sql: &str) -> anyhow::Result<String> {
        let output = self.psql(&["-A", "-t", "-c", sql])?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs psql as the superuser.
    fn psql(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        let (host, port) = (self.admin_host(), self.port.to_string());
        let server = ["-h", &host, "-p", &port, "-U", USER, "-d", "postgres"];
        self.run("psql", &[&server[..], arguments].concat())
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills the server as a crash would: connections break, and the port refuses new ones.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts the server again on the same port and with its committed data.
    ///
    /// # Errors
    /// The server does not start.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        // The child processes of the killed postmaster hold its shared memory for a moment.
        for _ in 1..RESTARTS {
            if self.launch().await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(RESTART_DELAY).await;
        }
        self.launch().await
    }

    /// Stops all processes of the server with SIGSTOP: connections stay open, and nothing responds.
    pub fn pause(&self) {
        self.server.pause();
    }

    /// Resumes a paused server.
    pub fn resume(&self) {
        self.server.resume();
    }

    fn run(&self, program: &str, arguments: &[&str]) -> anyhow::Result<Output> {
        let command = as_user(&self.programs.join(program));
        let Some((first, rest)) = command.split_first() else { bail!("nothing to run") };
        let output = Command::new(first)
            .args(rest)
            .args(arguments)
            .current_dir(self.server.folder())
            .output()
            .with_context(|| format!("cannot run {program}"))?;
        let message = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{program}: {message}");
        Ok(output)
    }
}

/// The folder with the programs of the newest installed version.
fn programs() -> anyhow::Result<PathBuf> {
    let versions = std::fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let found = versions
        .map(|version| version.path().join("bin"))
        .filter(|programs| programs.join("postgres").exists() && programs.join("initdb").exists())
        .max();
    found.context("PostgreSQL is missing: install the Debian package postgresql")
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The command that runs the program as PostgreSQL's user, if the tests run as root.
pub(crate) fn as_user(program: &Path) -> Vec<String> {
    let mut command = Vec::new();
    if is_root() {
        let options = ["--reuid", USER, "--regid", USER, "--clear-groups", "--"];
        command.extend(["setpriv"].into_iter().chain(options).map(str::to_owned));
    }
    command.push(program.to_string_lossy().into_owned());
    command
}

pub(crate) fn give_to_user(folder: &Path) -> anyhow::Result<()> {
    if !is_root() {
        return Ok(());
    }
    let id = |option| -> anyhow::Result<u32> {
        let output = Command::new("id").args([option, USER]).output()?;
        ensure!(
            output.status.success(),
            "there is no user {USER}: install the Debian package postgresql"
        );
        Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
    };
    Ok(chown(folder, Some(id("-u")?), Some(id("-g")?))?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{process, server::accepts};

    #[tokio::test]
    async fn postgres_keeps_committed_data_over_kill_and_restart() {
        let mut cluster = Postgres::start().await.unwrap();
        let one = cluster.database().await.unwrap();
        let two = cluster.database().await.unwrap();
        assert_ne!(one, two);
        let port = cluster.port();
        cluster.kill();
        assert!(!accepts(port));
        cluster.restart().await.unwrap();
        assert_eq!(cluster.port(), port);
        assert!(!cluster.server.children().is_empty());
        cluster.pause();
        assert!(cluster.server.children().into_iter().all(process::is_stopped));
        cluster.resume();
        let listed = ["-h", "127.0.0.1", "-p", &port.to_string(), "-U", USER, "-d", "test_1"];
        cluster.run("psql", &[&listed[..], &["-c", "SELECT 1"]].concat()).unwrap();
        // A paused server can be killed too, and leaves no process that holds its shared memory.
        cluster.pause();
        cluster.restart().await.unwrap();
        let folder = cluster.server.folder().to_owned();
        drop(cluster);
        assert!(!accepts(port) && !folder.exists());
    }

    #[tokio::test]
    async fn promoted_standby_has_every_acknowledged_commit_and_accepts_writes() {
        let mut primary = Postgres::start().await.unwrap();
        let standby = primary.start_standby().await.unwrap();
        let url =
            |server: &Postgres| format!("postgres://{USER}@127.0.0.1:{}/postgres", server.port());
        primary.execute(&url(&primary), "CREATE TABLE reading AS SELECT 7 AS id").unwrap();
        let insert = "INSERT INTO reading VALUES (8)";
        primary.execute(&url(&primary), insert).unwrap();
        assert!(standby.execute(&url(&standby), insert).is_err(), "a standby is read-only");
        primary.kill();
        standby.promote().unwrap();
        assert_eq!(standby.query("SELECT sum(id) FROM reading").unwrap(), "15");
        standby.execute(&url(&standby), insert).unwrap();
    }
}
