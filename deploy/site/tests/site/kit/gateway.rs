//! A real gateway in this process.

use std::net::SocketAddr;

use sahm_chassis::{Context, Process, Settings, lifecycle};
use sahm_gateway::Services;

use super::Client;

/// A gateway, stopped when dropped.
#[derive(Debug)]
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    context: Context,
}

impl Gateway {
    /// Starts a gateway with these settings and the services of its context.
    pub(super) async fn start(
        pairs: Vec<(String, String)>,
        services: impl FnOnce(&Context) -> Services,
        renderer: SocketAddr,
    ) -> Self {
        let context = Context::new(Settings::from_pairs(Process::Gateway, pairs).unwrap());
        let listener = lifecycle::bind(context.settings.listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let services = services(&context);
        let renderer = format!("http://{renderer}");
        sahm_gateway::serve(&context, listener, services, &renderer).await.unwrap();
        context.lifecycle.set_ready();
        Self { address, context }
    }

    /// A client of this gateway.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Stops the gateway and waits until it has stopped.
    pub(crate) async fn stop(self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
        self.context.lifecycle.wait().await;
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
        self.context.lifecycle.hard_stop().cancel();
    }
}
