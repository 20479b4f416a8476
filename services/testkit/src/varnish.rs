//! A Varnish server for tests.
use std::{net::SocketAddr, path::PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use crate::{
    port::free_port,
    server::{Plan, Server, accepts},
};

const PROGRAMS: [&str; 2] = ["/usr/sbin/varnishd", "/usr/local/sbin/varnishd"];

/// A real Varnish on a port of 127.0.0.1, ended on drop.
#[derive(Debug)]
pub struct Varnish {
    // Dropped before its folder.
    _server: Server,
    _folder: TempDir,
}

impl Varnish {
    /// An address for [`Varnish::start`] that was free a moment ago.
    ///
    /// # Errors
    /// No port is free.
    pub fn free_address() -> anyhow::Result<SocketAddr> {
        Ok(([127, 0, 0, 1], free_port()?).into())
    }

    /// Starts a server with this configuration (VCL) and waits until it accepts connections.
    ///
    /// # Errors
    /// varnishd is not installed, rejects the configuration or does not start.
    pub async fn start(address: SocketAddr, vcl: &str) -> anyhow::Result<Varnish> {
        let program = PROGRAMS.iter().map(PathBuf::from).find(|program| program.exists());
        let program = program.context("varnishd is missing: install the Debian package varnish")?;
        let folder = tempfile::Builder::new().prefix("sahm-varnish-").tempdir()?;
        let file = folder.path().join("site.vcl");
        std::fs::write(&file, vcl)?;
        // In the foreground, without a jail, everything in memory.
        let mut command = vec![program.display().to_string()];
        command.extend(["-F", "-j", "none", "-s", "malloc,64m", "-a"].map(str::to_owned));
        command.extend([address.to_string(), "-n".to_owned()]);
        command.push(folder.path().join("work").display().to_string());
        command.extend(["-f".to_owned(), file.display().to_string()]);
        let mut server = Server::start(&Plan {
            command,
            signal: "TERM",
            log: folder.path().join("varnish.log"),
            folder: folder.path().to_owned(),
        })?;
        server.wait_until(async || accepts(address.port())).await?;
        Ok(Varnish { _server: server, _folder: folder })
    }
}
