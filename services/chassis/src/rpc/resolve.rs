//! Name resolution.
use std::{io, net::SocketAddr};

use futures_util::{FutureExt, future::BoxFuture};

/// Resolves a host name to addresses.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of `host`, with the port.
    ///
    /// # Errors
    /// The name does not resolve.
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// The system's resolver: `/etc/hosts`, then DNS.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        async move {
            let host = host.trim_start_matches('[').trim_end_matches(']');
            Ok(tokio::net::lookup_host((host, port)).await?.collect())
        }
        .boxed()
    }
}
