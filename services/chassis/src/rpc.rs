//! gRPC between the house's parts: what a service serves with, and what callers call through.
//!
//! A [`Transport`] cannot tell whether the service is in this process or behind a network: both
//! ways carry the deadline, the trace and the errors in the same headers.
mod balance;
mod caller;
mod client_call;
mod deadline;
mod delivery;
mod metrics;
mod protocol_error;
mod resolve;
mod retry;
mod server;
mod server_call;
mod spans;
mod status;
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
pub use balance::REFRESH;
pub use deadline::{deadline, with_deadline};
pub use protocol_error::request_error;
pub use resolve::{Resolve, SystemResolver};
pub use server::{CONNECTION_AGE, serve, serve_with_connection_age};
pub use transport::Transport;

/// A started service: what the gateway calls in process and what [`serve`] opens to others.
#[derive(Clone, Debug)]
pub struct Service {
    /// Which service.
    pub name: ServiceName,
    /// Its calls, with health, reflection, deadlines, errors and telemetry around them.
    pub routes: Routes,
}

/// Puts a service together.
#[derive(Debug)]
pub struct Builder {
    name: ServiceName,
    context: Context,
    routes: RoutesBuilder,
    names: Vec<&'static str>,
}

impl Builder {
    /// Begins an empty service.
    pub fn new(name: ServiceName, context: &Context) -> Builder {
        Builder { name, context: context.clone(), routes: Routes::builder(), names: Vec::new() }
    }

    /// Adds a generated server; it takes compressed requests, and compresses answers to callers
    /// that accept it.
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

    /// Adds the standard health service, reflection (not in `prod`), and around every call its
    /// deadline, its trace, its metrics and its log line.
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
