//! Redis with Sentinels for tests.
use std::{fmt::Write, process::Command, sync::Arc, time::Duration};

use anyhow::ensure;

use crate::{
    port::free_port,
    redis::{Redis, listening, program},
    server::Server,
    tls::Certificates,
};

/// The name of the primary in the Sentinels' configuration.
const NAME: &str = "sahm";
const PASSWORD: &str = "of-redis";
const SENTINEL_PASSWORD: &str = "of-sentinels";
const SENTINELS: usize = 3;
/// The Sentinels replace the primary after two of them have missed it for this long.
const DOWN_AFTER: Duration = Duration::from_secs(1);
/// Upper bound on the time until the replica is promoted.
const PROMOTION_TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A primary, a replica, and three Sentinels that promote the replica when the primary fails. All
/// of them require passwords.
#[derive(Debug)]
pub struct RedisWithSentinels {
    primary: Redis,
    replica: Redis,
    sentinels: Vec<Sentinel>,
    tls: Option<Arc<Certificates>>,
}

#[derive(Debug)]
struct Sentinel {
    server: Server,
    port: u16,
}

impl RedisWithSentinels {
    /// Starts all servers and waits until the Sentinels know the replica and one another.
    ///
    /// # Errors
    /// redis-server is not installed or does not start.
    pub async fn start() -> anyhow::Result<RedisWithSentinels> {
        RedisWithSentinels::start_with(None).await
    }

    /// Same as [`RedisWithSentinels::start`], but all servers accept connections over TLS only.
    ///
    /// # Errors
    /// Same as [`RedisWithSentinels::start`].
    pub async fn start_tls(certificates: Certificates) -> anyhow::Result<RedisWithSentinels> {
        RedisWithSentinels::start_with(Some(Arc::new(certificates))).await
    }

    async fn start_with(tls: Option<Arc<Certificates>>) -> anyhow::Result<RedisWithSentinels> {
        let primary = Redis::start_replicated(tls.clone(), PASSWORD, None).await?;
        let replica = Redis::start_replicated(tls.clone(), PASSWORD, Some(&primary)).await?;
        let certificates = tls.as_deref();
        let is_linked = || replication(&replica, certificates).contains("master_link_status:up");
        wait(Duration::from_secs(30), "the replica is not linked", is_linked).await?;
        let mut sentinels = Vec::new();
        for _ in 0..SENTINELS {
            sentinels.push(Sentinel::start(primary.port(), certificates)?);
        }
        for sentinel in &mut sentinels {
            let port = sentinel.port;
            let state = format!(
                "status=ok,address=127.0.0.1:{},slaves=1,sentinels={SENTINELS}",
                primary.port()
            );
            let is_configured = async || {
                query(port, certificates, SENTINEL_PASSWORD, &["INFO", "sentinel"]).contains(&state)
            };
            sentinel.server.wait_until(is_configured).await?;
        }
        Ok(RedisWithSentinels { primary, replica, sentinels, tls })
    }

    /// Settings with which a gateway finds the Sentinels.
    pub fn settings(&self) -> Vec<(String, String)> {
        let sentinels: Vec<_> =
            self.sentinels.iter().map(|sentinel| format!("127.0.0.1:{}", sentinel.port)).collect();
        let scheme = if self.tls.is_some() { "rediss" } else { "redis" };
        [
            ("SAHM_REDIS_URL", format!("{scheme}://:{PASSWORD}@{NAME}")),
            ("SAHM_REDIS_SENTINELS", sentinels.join(",")),
            ("SAHM_REDIS_SENTINEL_PASSWORD", SENTINEL_PASSWORD.to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// The primary at the start.
    pub fn primary(&self) -> &Redis {
        &self.primary
    }

    /// The replica, which the Sentinels promote.
    pub fn replica(&self) -> &Redis {
        &self.replica
    }

    /// Kills the primary with SIGKILL.
    pub fn kill_primary(&mut self) {
        self.primary.kill();
    }

    /// Stops the first Sentinel with SIGSTOP.
    pub fn pause_sentinel(&self) {
        self.sentinels[0].server.pause();
    }

    /// Waits until the replica has become the primary.
    ///
    /// # Errors
    /// The replica is not promoted in time.
    pub async fn promoted(&self) -> anyhow::Result<()> {
        let is_primary = || replication(&self.replica, self.tls.as_deref()).contains("role:master");
        wait(PROMOTION_TIMEOUT, "the replica is not promoted", is_primary).await
    }
}

impl Sentinel {
    fn start(primary: u16, tls: Option<&Certificates>) -> anyhow::Result<Sentinel> {
        let mut server = Server::new("sentinel", "KILL")?;
        let port = free_port()?;
        let mut text = format!("bind 127.0.0.1\ndir {}\n", server.folder().display());
        for (name, value) in listening(port, tls) {
            writeln!(text, "{name} {value}")?;
        }
        writeln!(text, "requirepass {SENTINEL_PASSWORD}")?;
        writeln!(text, "sentinel sentinel-pass {SENTINEL_PASSWORD}")?;
        writeln!(text, "sentinel monitor {NAME} 127.0.0.1 {primary} 2")?;
        writeln!(text, "sentinel auth-pass {NAME} {PASSWORD}")?;
        writeln!(text, "sentinel down-after-milliseconds {NAME} {}", DOWN_AFTER.as_millis())?;
        // Sentinels that do not agree on a leader try again after twice this time.
        writeln!(text, "sentinel failover-timeout {NAME} 3000")?;
        // A Sentinel rewrites its configuration file with its state.
        let file = server.path("sentinel.conf");
        std::fs::write(&file, text)?;
        server.start(&[program()?.to_owned(), file, "--sentinel".to_owned()])?;
        Ok(Sentinel { server, port })
    }
}

/// The server's `INFO replication`: its role and the state of its link to the primary.
fn replication(redis: &Redis, tls: Option<&Certificates>) -> String {
    query(redis.port(), tls, PASSWORD, &["INFO", "replication"])
}

/// Sends a command with redis-cli and returns the response, empty on failure.
fn query(port: u16, tls: Option<&Certificates>, password: &str, command: &[&str]) -> String {
    let mut client = Command::new("redis-cli");
    if let Some(tls) = tls {
        client.arg("--tls").arg("--cacert").arg(tls.authority());
    }
    client.args(["-p", &port.to_string(), "-a", password, "--no-auth-warning"]).args(command);
    client.output().map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

async fn wait(limit: Duration, fault: &str, is_done: impl Fn() -> bool) -> anyhow::Result<()> {
    let started = std::time::Instant::now();
    while !is_done() {
        ensure!(started.elapsed() < limit, "{fault}");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}
