//! Name resolution.
use std::{io, net::SocketAddr};

/// Resolves a host name to addresses.
#[tonic::async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of `host`, with the port.
    ///
    /// # Errors
    /// The name does not resolve.
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The system's resolver: `/etc/hosts`, then DNS.
pub(super) struct SystemResolver;

#[tonic::async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        Ok(tokio::net::lookup_host((host, port)).await?.collect())
    }
}
