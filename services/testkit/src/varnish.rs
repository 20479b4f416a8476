//! A Varnish server for tests.
use std::{net::SocketAddr, path::PathBuf};

use anyhow::Context;

use crate::{
    port::free_port,
    server::{Server, accepts},
};

const PROGRAMS: [&str; 2] = ["/usr/sbin/varnishd", "/usr/local/sbin/varnishd"];

/// A real Varnish on a port of 127.0.0.1, ended on drop.
#[derive(Debug)]
pub struct Varnish {
    _server: Server,
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
        let mut server = Server::new("varnish", "TERM")?;
        let file = server.path("site.vcl");
        std::fs::write(&file, vcl)?;
        // In the foreground, without a jail, everything in memory.
        let mut command = vec![program.display().to_string()];
        command.extend(["-F", "-j", "none", "-s", "malloc,64m", "-a"].map(str::to_owned));
        command.extend([address.to_string(), "-n".to_owned()]);
        command.extend([server.path("work"), "-f".to_owned(), file]);
        server.start(&command)?;
        server.wait_until(async || accepts(address.port())).await?;
        Ok(Varnish { _server: server })
    }
}
