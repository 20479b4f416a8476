//! gRPC between the parts of the site: the server side and the client side.
//!
//! A [`Transport`] hides whether the service runs in this process or behind a network: both ways
//! carry deadline, trace and errors in the same headers.
mod audit;
mod balance;
mod call_telemetry;
mod caller;
mod client_call;
mod deadline;
mod error_status;
mod protocol_error;
mod retry;
mod server;
mod server_call;
mod transport;

use std::convert::Infallible;

use http::Request;
use tonic::{
    body::Body,
    server::NamedService,
    service::{Routes, RoutesBuilder},
};

use sahm_proto::Gzip;

use crate::{lifecycle::Context, settings::ServiceName};

pub use crate::methods::{Method, method};
pub use balance::{Policy, REFRESH_INTERVAL, Resolve};
pub use deadline::{deadline, with_deadline};
pub use protocol_error::request_error;
pub use server::{MAX_CONNECTION_AGE, serve, serve_with_connection_age};
pub use transport::Transport;

/// A service that the gateway calls in process and [`serve`] exposes over the network.
#[derive(Clone, Debug)]
pub struct Service {
    /// Name of the service.
    pub name: ServiceName,
    /// The service's rpcs, with health, reflection, deadlines, errors and telemetry.
    pub routes: Routes,
}

/// Builds a [`Service`].
#[derive(Debug)]
pub struct Builder {
    name: ServiceName,
    context: Context,
    routes: RoutesBuilder,
    names: Vec<&'static str>,
}

impl Builder {
    /// Creates a builder without rpcs.
    pub fn new(name: ServiceName, context: &Context) -> Builder {
        Builder { name, context: context.clone(), routes: Routes::builder(), names: Vec::new() }
    }

    /// Adds a generated server, which accepts compressed requests and compresses responses for
    /// clients that accept it.
    #[expect(clippy::should_implement_trait, reason = "builders add, they do not sum")]
    pub fn add<S>(mut self, service: S) -> Builder
    where
        S: tower::Service<Request<Body>, Error = Infallible>
            + NamedService
            + Gzip
            + Clone
            + Send
            + Sync
            + 'static,
        S::Response: axum::response::IntoResponse,
        S::Future: Send + 'static,
    {
        self.names.push(S::NAME);
        self.routes.add_service(service.with_gzip());
        self
    }

    /// Adds the standard health service, reflection (not in `prod`), and the deadline, trace,
    /// metrics and log line of every call.
    pub fn build(self) -> Service {
        let Builder { name, context, mut routes, names } = self;
        routes.add_service(server::health(&context.lifecycle, &names));
        if !context.settings.environment.is_prod()
            && let Err(error) = server::add_reflection(&mut routes, &names)
        {
            tracing::error!(error = %error, "no reflection");
        }
        Service { name, routes: server::guarded(name, routes.routes(), &context.lifecycle) }
    }
}
