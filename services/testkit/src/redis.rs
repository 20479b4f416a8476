//! A Redis server for tests.
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;

use crate::{
    server::{Server, accepts, on_free_port},
    tls::Certificates,
};

const PROGRAMS: [&str; 2] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"];

/// A real Redis without persistence: empty at each start.
#[derive(Debug)]
pub struct Redis {
    server: Server,
    port: u16,
    tls: Option<Arc<Certificates>>,
    password: Option<&'static str>,
    options: Vec<String>,
}

impl Redis {
    /// Starts a server and waits until it responds.
    ///
    /// # Errors
    /// redis-server is not installed or does not start.
    pub async fn start() -> anyhow::Result<Redis> {
        Redis::start_with(None, None, &[]).await
    }

    /// Same as [`Redis::start`], but the server accepts connections over TLS only.
    ///
    /// # Errors
    /// Same as [`Redis::start`].
    pub async fn start_tls(certificates: Certificates) -> anyhow::Result<Redis> {
        Redis::start_with(Some(Arc::new(certificates)), None, &[]).await
    }

    /// Same as [`Redis::start`], but the server is a node of a Redis Cluster.
    ///
    /// # Errors
    /// Same as [`Redis::start`].
    pub async fn start_cluster_node() -> anyhow::Result<Redis> {
        Redis::start_with(None, None, &["--cluster-enabled", "yes"]).await
    }

    /// Same as [`Redis::start`], but the server is the primary, or a replica of one with the same
    /// password.
    pub(crate) async fn start_replicated(
        tls: Option<Arc<Certificates>>,
        password: &'static str,
        primary: Option<&Redis>,
    ) -> anyhow::Result<Redis> {
        let port = primary.map(|primary| primary.port.to_string()).unwrap_or_default();
        let login = ["--requirepass", password, "--masterauth", password];
        // A replica receives its copy without a delay.
        let mut options = [&login[..], &["--repl-diskless-sync-delay", "0"]].concat();
        if primary.is_some() {
            options.extend(["--replicaof", "127.0.0.1", &port]);
        }
        Redis::start_with(tls, Some(password), &options).await
    }

    async fn start_with(
        tls: Option<Arc<Certificates>>,
        password: Option<&'static str>,
        options: &[&str],
    ) -> anyhow::Result<Redis> {
        let server = Server::new("redis", "KILL")?;
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let mut redis = Redis { server, port: 0, tls, password, options };
        let start = async |port| {
            redis.port = port;
            redis.restart().await
        };
        on_free_port(start).await?;
        Ok(redis)
    }

    /// `redis://127.0.0.1:port`, or `rediss://…` with TLS, including the password. A restart does
    /// not change it.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "rediss" } else { "redis" };
        let login = self.password.map(|password| format!(":{password}@")).unwrap_or_default();
        format!("{scheme}://{login}127.0.0.1:{}", self.port)
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills the server with SIGKILL: connections break, and the port refuses new ones.
    pub fn kill(&mut self) {
        self.server.kill();
    }

    /// Kills the server if it runs and starts an empty one on the same port.
    ///
    /// # Errors
    /// The server does not start.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        let (port, is_plain) = (self.port, self.tls.is_none());
        let listening = listening(port, self.tls.as_deref()).into_iter();
        let command = [program()?, "--bind", "127.0.0.1"]
            .into_iter()
            .chain(["--save", "", "--appendonly", "no", "--daemonize", "no", "--dir"])
            .map(str::to_owned)
            .chain([self.server.folder().to_string_lossy().into_owned()])
            .chain(listening.flat_map(|(name, value)| [format!("--{name}"), value]))
            .chain(self.options.iter().cloned());
        self.server.start(&command.collect::<Vec<_>>())?;
        let is_responding = async || if is_plain { is_ready(port).await } else { accepts(port) };
        self.server.wait_until(is_responding).await.context("redis")
    }

    /// Stops the server with SIGSTOP: connections stay open, and nothing responds.
    pub fn pause(&self) {
        self.server.pause();
    }

    /// Resumes a paused server.
    pub fn resume(&self) {
        self.server.resume();
    }
}

/// Options of a server or Sentinel that listens on a port.
pub(crate) fn listening(port: u16, tls: Option<&Certificates>) -> Vec<(&'static str, String)> {
    let Some(tls) = tls else { return vec![("port", port.to_string())] };
    let path = |path: PathBuf| path.to_string_lossy().into_owned();
    vec![
        ("port", "0".to_owned()),
        ("tls-port", port.to_string()),
        ("tls-cert-file", path(tls.certificate())),
        ("tls-key-file", path(tls.key())),
        ("tls-ca-cert-file", path(tls.authority())),
        ("tls-auth-clients", "no".to_owned()),
        // Replication and Sentinels use TLS too.
        ("tls-replication", "yes".to_owned()),
    ]
}

/// The path of redis-server.
pub(crate) fn program() -> anyhow::Result<&'static str> {
    let program = PROGRAMS.into_iter().find(|program| Path::new(program).exists());
    program.context("redis-server is missing: install the Debian package redis-server")
}

async fn is_ready(port: u16) -> bool {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    if !accepts(port) {
        return false;
    }
    let ping = async {
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(b"PING\r\n").await?;
        let mut response = [0; 5];
        stream.read_exact(&mut response).await?;
        // Redis returns NOAUTH to a client without the password.
        std::io::Result::Ok([b"+PONG", b"-NOAU"].contains(&&response))
    };
    ping.await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn redis_restarts_after_kill_and_hangs_while_paused() {
        let mut redis = Redis::start().await.unwrap();
        let (port, folder) = (redis.port(), redis.server.folder().to_owned());
        assert!(is_ready(port).await);
        redis.kill();
        assert!(!accepts(port));
        redis.restart().await.unwrap();
        assert_eq!(redis.port(), port);
        assert!(is_ready(port).await);
        redis.pause();
        let pong = tokio::time::timeout(std::time::Duration::from_millis(50), is_ready(port));
        assert!(pong.await.is_err());
        redis.resume();
        assert!(is_ready(port).await);
        drop(redis);
        assert!(!accepts(port) && !folder.exists());
    }
}
