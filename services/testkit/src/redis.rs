//! Redis.
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::TempDir;

use crate::{
    port::free_port,
    server::{Plan, Server, accepts},
    tls::Certificates,
};

const PROGRAMS: [&str; 2] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"];
/// Another process may take the port between our look and the server's.
const ATTEMPTS: usize = 5;

/// A real Redis without persistence, empty at every start.
#[derive(Debug)]
pub struct Redis {
    // Ends before its folder goes.
    server: Option<Server>,
    port: u16,
    tls: Option<Certificates>,
    options: Vec<String>,
    folder: TempDir,
}

impl Redis {
    /// Starts a server and waits until it answers.
    ///
    /// Errors: redis-server is not installed or does not come up.
    pub async fn start() -> anyhow::Result<Redis> {
        Redis::start_with(None, &[]).await
    }

    /// As [`Redis::start`], but it takes connections over TLS only.
    ///
    /// # Errors
    /// Those of [`Redis::start`].
    pub async fn start_tls(certificates: Certificates) -> anyhow::Result<Redis> {
        Redis::start_with(Some(certificates), &[]).await
    }

    /// As [`Redis::start`], as a node of a Redis Cluster.
    ///
    /// # Errors
    /// Those of [`Redis::start`].
    pub async fn start_cluster_node() -> anyhow::Result<Redis> {
        Redis::start_with(None, &["--cluster-enabled", "yes"]).await
    }

    async fn start_with(tls: Option<Certificates>, options: &[&str]) -> anyhow::Result<Redis> {
        let folder = tempfile::Builder::new().prefix("sahm-redis-").tempdir()?;
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let mut redis = Redis { server: None, port: 0, tls, options, folder };
        for _ in 1..ATTEMPTS {
            redis.port = free_port()?;
            if redis.launch().await.is_ok() {
                return Ok(redis);
            }
        }
        redis.port = free_port()?;
        redis.launch().await?;
        Ok(redis)
    }

    async fn launch(&mut self) -> anyhow::Result<()> {
        let Some(program) = PROGRAMS.iter().find(|program| Path::new(program).exists()) else {
            bail!("redis-server is missing: install the Debian package redis-server");
        };
        let folder = self.folder.path();
        let plan = Plan {
            command: [program, "--bind", "127.0.0.1"]
                .into_iter()
                .chain(["--save", "", "--appendonly", "no", "--daemonize", "no", "--dir"])
                .map(str::to_owned)
                .chain([folder.to_string_lossy().into_owned()])
                .chain(self.port_arguments())
                .chain(self.options.iter().cloned())
                .collect(),
            signal: "KILL",
            log: folder.join("log"),
            folder: folder.to_owned(),
        };
        let mut server = Server::start(&plan)?;
        let port = self.port;
        let is_plain = self.tls.is_none();
        let is_up = async || if is_plain { answers(port).await } else { accepts(port) };
        server.wait_until(is_up).await.context("redis")?;
        self.server = Some(server);
        Ok(())
    }

    fn port_arguments(&self) -> Vec<String> {
        let port = self.port.to_string();
        let Some(tls) = &self.tls else { return vec!["--port".to_owned(), port] };
        let path = |path: PathBuf| path.to_string_lossy().into_owned();
        [
            ("--port", "0".to_owned()),
            ("--tls-port", port),
            ("--tls-cert-file", path(tls.certificate())),
            ("--tls-key-file", path(tls.key())),
            ("--tls-ca-cert-file", path(tls.authority())),
            ("--tls-auth-clients", "no".to_owned()),
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value])
        .collect()
    }

    /// `redis://127.0.0.1:port`, with TLS `rediss://…`; the same after a restart.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "rediss" } else { "redis" };
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// The server's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends the server at once (SIGKILL): connections break, the port refuses.
    pub fn kill(&mut self) {
        if let Some(server) = self.server.take() {
            server.kill(self.folder.path());
        }
    }

    /// Starts an empty server on the same port, killing the one that is there.
    ///
    /// Errors: it does not come up.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        self.launch().await
    }

    /// Stops the server without ending it (SIGSTOP): connections stay, nothing answers.
    pub fn pause(&self) {
        if let Some(server) = &self.server {
            server.pause();
        }
    }

    /// Lets a paused server go on.
    pub fn resume(&self) {
        if let Some(server) = &self.server {
            server.resume();
        }
    }
}

async fn answers(port: u16) -> bool {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    if !accepts(port) {
        return false;
    }
    let ping = async {
        let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(b"PING\r\n").await?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer).await?;
        std::io::Result::Ok(&answer == b"+PONG")
    };
    ping.await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn starts_dies_and_comes_back() {
        let mut redis = Redis::start().await.unwrap();
        let (port, folder) = (redis.port(), redis.folder.path().to_owned());
        assert!(answers(port).await);
        redis.kill();
        assert!(!accepts(port));
        redis.restart().await.unwrap();
        assert_eq!(redis.port(), port);
        assert!(answers(port).await);
        redis.pause();
        let asked = tokio::time::timeout(std::time::Duration::from_millis(50), answers(port));
        assert!(asked.await.is_err());
        redis.resume();
        assert!(answers(port).await);
        drop(redis);
        assert!(!accepts(port) && !folder.exists());
    }
}
