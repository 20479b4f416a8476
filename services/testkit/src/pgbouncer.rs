//! A PgBouncer server for tests.
use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, ensure};

use crate::{
    port::free_port,
    postgres::{Postgres, USER, as_user, give_to_user},
    server::{Server, accepts},
};

/// Earlier versions cannot share prepared statements between clients.
const MIN_VERSION: (u32, u32) = (1, 21);

/// A real PgBouncer in transaction mode in front of one PostgreSQL server.
#[derive(Debug)]
pub struct PgBouncer {
    _server: Server,
    port: u16,
    postgres_port: u16,
}

impl PgBouncer {
    /// Starts PgBouncer with at most `connections` connections to each database and role. It drops
    /// the parameters that a service sends when it connects.
    ///
    /// # Errors
    /// PgBouncer is missing, is older than 1.21, or does not start.
    pub async fn start(postgres: &Postgres, connections: u32) -> anyhow::Result<PgBouncer> {
        PgBouncer::start_through(postgres.port(), postgres, connections).await
    }

    /// Same as [`PgBouncer::start`], but it reaches the server through another port, that of a proxy.
    ///
    /// # Errors
    /// Same as [`PgBouncer::start`].
    pub async fn start_through(
        server_port: u16,
        postgres: &Postgres,
        connections: u32,
    ) -> anyhow::Result<PgBouncer> {
        let program = program()?;
        let mut server = Server::new("pgbouncer", "QUIT")?;
        let port = free_port()?;
        let users = server.path("users.txt");
        std::fs::write(&users, format!("\"{USER}\" \"\"\n"))?;
        let settings = format!(
            "[databases]\n\
             * = host=127.0.0.1 port={server_port}\n\
             [pgbouncer]\n\
             listen_addr = 127.0.0.1\n\
             listen_port = {port}\n\
             unix_socket_dir =\n\
             auth_type = trust\n\
             auth_file = {users}\n\
             pool_mode = transaction\n\
             default_pool_size = {connections}\n\
             max_client_conn = 1000\n\
             max_prepared_statements = 200\n\
             server_login_retry = 1\n\
             ignore_startup_parameters = search_path,statement_timeout,default_transaction_read_only\n"
        );
        let file = server.path("pgbouncer.ini");
        std::fs::write(&file, settings)?;
        for path in [server.folder(), Path::new(&users), Path::new(&file)] {
            give_to_user(path)?;
        }
        let mut command = as_user(&program);
        command.push(file);
        server.start(&command)?;
        server.wait_until(async || accepts(port)).await?;
        Ok(PgBouncer { _server: server, port, postgres_port: postgres.port() })
    }

    /// Creates an empty database for a service, sets the parameters that its sessions need, and
    /// returns its URL through PgBouncer, `postgres://postgres@127.0.0.1:port/name`.
    ///
    /// # Errors
    /// The server does not respond.
    pub async fn database(&self, postgres: &Postgres, service: &str) -> anyhow::Result<String> {
        let url = postgres.database().await?;
        let name = url.rsplit('/').next().unwrap_or_default();
        for parameter in
            [format!("search_path = {service}"), "statement_timeout = '10s'".to_owned()]
        {
            postgres.execute(&url, &format!("ALTER DATABASE {name} SET {parameter}"))?;
        }
        Ok(self.url(&url))
    }

    /// Rewrites the URL of a database of the server to one through PgBouncer.
    pub fn url(&self, direct: &str) -> String {
        let port = |port| format!("@127.0.0.1:{port}/");
        direct.replacen(&port(self.postgres_port), &port(self.port), 1)
    }
}

/// The program that `deploy/setup.sh pgbouncer` built, else the one on the search path.
fn program() -> anyhow::Result<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pgbouncer/pgbouncer");
    let program = if built.exists() { built } else { PathBuf::from("pgbouncer") };
    let output = Command::new(&program).arg("--version").output();
    let output = output.context("PgBouncer is missing: run deploy/setup.sh pgbouncer")?;
    let version = String::from_utf8_lossy(&output.stdout);
    let numbers = version.split_whitespace().nth(1).unwrap_or_default();
    let mut numbers = numbers.split('.').map_while(|number| number.parse().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    ensure!(found >= MIN_VERSION, "{version}is too old: run deploy/setup.sh pgbouncer");
    Ok(program)
}
