//! The server side: the guard around every call, and the server's configuration.
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::{Next, from_fn_with_state},
    response::Response,
};
use futures_util::{FutureExt, Stream, StreamExt, future::ready};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
};
use tonic::{
    Status,
    codec::CompressionEncoding,
    service::{Routes, RoutesBuilder},
    transport::{
        Server,
        server::{Connected, TcpIncoming},
    },
};
use tonic_health::{ServingStatus, server::HealthReporter};
use tracing::Instrument;

use super::{
    Service,
    audit::Audit,
    call_telemetry::ObservedCall,
    caller,
    deadline::{from_headers, scope},
    protocol_error,
    server_call::{ObservedBody, server_log},
};
use crate::{
    error::Error,
    lifecycle::{Context, Lifecycle},
    lingering::Lingering,
    methods::method,
    settings::ServiceName,
    telemetry,
    tls::ServerTls,
};

/// Age at which a connection receives a GOAWAY, so that callers spread over new replicas. Calls and
/// streams in progress continue to their ends.
pub const MAX_CONNECTION_AGE: Duration = Duration::from_secs(300);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of a request's headers in bytes (docs/limits-and-timeouts.md).
const MAX_HEADERS_BYTES: u32 = 32 * 1024;
const MAX_STREAMS: u32 = 1024;

struct GuardedService {
    service: ServiceName,
    lifecycle: Lifecycle,
}

/// Wraps every call in the guard.
pub(super) fn guarded(service: ServiceName, routes: Routes, lifecycle: &Lifecycle) -> Routes {
    let state = Arc::new(GuardedService { service, lifecycle: lifecycle.clone() });
    routes.into_axum_router().layer(from_fn_with_state(state, guard)).into()
}

/// Reads deadline, caller and trace, catches panics, and observes the response to its last byte.
async fn guard(
    State(state): State<Arc<GuardedService>>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_owned();
    let declared = method(&path);
    let deadline = from_headers(request.headers());
    let caller = Arc::new(caller::from_request(&request));
    let audit = request.extensions_mut().remove::<Audit>();
    let call = ObservedCall::of_server(state.service, &path, server_log(path.clone(), audit));
    let span = call.span().clone();
    telemetry::set_parent(&span, request.headers());

    let served = crate::caller::CALLER.scope(caller.clone(), next.run(request));
    let outcome = AssertUnwindSafe(scope(deadline, served)).catch_unwind();
    let outcome = async {
        match deadline {
            Some(deadline) => tokio::time::timeout_at(deadline, outcome).await.ok(),
            None => Some(outcome.await),
        }
    };
    let response = match outcome.instrument(span.clone()).await {
        Some(Ok(mut response)) => {
            protocol_error::add_details(response.headers_mut());
            response
        }
        Some(Err(panic)) => {
            let error = format!("panic: {}", panic_text(&*panic));
            span.in_scope(|| Status::from(Error::internal(error)).into_http())
        }
        None => Status::from(Error::timeout()).into_http(),
    };
    // Other rpcs (health watches, reflection) may stream without an end too.
    let is_endless = declared.is_none_or(|method| method.server_streaming);
    let draining = is_endless.then(|| state.lifecycle.draining().boxed());
    ObservedBody::wrap(response, call, caller, deadline, draining)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("of another kind")
}

/// The standard health service. Every name is `SERVING` until the drain begins.
pub(super) fn health(
    lifecycle: &Lifecycle,
    names: &[&'static str],
) -> tonic_health::pb::health_server::HealthServer<tonic_health::server::HealthService> {
    let reporter = HealthReporter::new();
    let service = tonic_health::server::HealthService::from_health_reporter(reporter.clone());
    let names: Vec<&'static str> = names.iter().copied().chain([""]).collect();
    for name in &names {
        // The reporter is not shared yet, so this does not wait.
        let _ = reporter.set_service_status(name, ServingStatus::Serving).now_or_never();
    }
    let life = lifecycle.clone();
    lifecycle.spawn("health", async move {
        life.draining().await;
        for name in &names {
            reporter.set_service_status(name, ServingStatus::NotServing).await;
        }
    });
    let gzip = CompressionEncoding::Gzip;
    tonic_health::pb::health_server::HealthServer::new(service)
        .accept_compressed(gzip)
        .send_compressed(gzip)
}

/// Adds the standard reflection service over the named services and health, in its current version
/// and the one that older clients use.
///
/// # Errors
/// The descriptors cannot be read.
pub(super) fn add_reflection(
    routes: &mut RoutesBuilder,
    names: &[&'static str],
) -> Result<(), tonic_reflection::server::Error> {
    let builder = || {
        let builder = tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(sahm_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .with_service_name("grpc.health.v1.Health");
        names.iter().fold(builder, |builder, name| builder.with_service_name(*name))
    };
    let gzip = CompressionEncoding::Gzip;
    routes
        .add_service(builder().build_v1()?.accept_compressed(gzip).send_compressed(gzip))
        .add_service(builder().build_v1alpha()?.accept_compressed(gzip).send_compressed(gzip));
    Ok(())
}

/// Serves until the drain begins and the last call has ended; over TLS if the settings name a
/// certificate. Outside dev, calls that write and every call of identity need a caller token
/// (docs/calling-services.md).
pub fn serve(listener: TcpListener, service: Service, context: &Context) {
    serve_with_connection_age(listener, service, context, MAX_CONNECTION_AGE);
}

/// Same as [`serve`], with another connection age than [`MAX_CONNECTION_AGE`].
pub fn serve_with_connection_age(
    listener: TcpListener,
    service: Service,
    context: &Context,
    connection_age: Duration,
) {
    let Service { name, routes } = service;
    let routes = caller::authorized(name, routes, &context.settings);
    let tls = match ServerTls::load(&context.settings.tls) {
        Ok(tls) => tls,
        Err(error) => return context.lifecycle.fail(error),
    };
    let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
    tracing::info!(service = %name, address, is_tls = tls.is_some(), "serving");
    // Without nodelay a call over TCP waits 40 ms for a delayed ACK.
    let connections = TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(KEEPALIVE_INTERVAL))
        // A connection that fails while it is accepted does not end the server.
        .filter_map(|accepted| ready(accepted.ok()))
        .map(Lingering::until_closed);
    match tls {
        Some(tls) => serve_on(tls.accept(connections), name, routes, context, connection_age),
        None => serve_on(connections, name, routes, context, connection_age),
    }
}

fn serve_on<S>(
    connections: impl Stream<Item = S> + Send + 'static,
    name: ServiceName,
    routes: Routes,
    context: &Context,
    connection_age: Duration,
) where
    S: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
{
    let lifecycle = context.lifecycle.clone();
    let served = Server::builder()
        .max_connection_age(connection_age)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .http2_max_header_list_size(MAX_HEADERS_BYTES)
        .max_concurrent_streams(MAX_STREAMS)
        .add_routes(routes.prepare())
        .serve_with_incoming_shutdown(
            connections.map(Ok::<_, std::io::Error>),
            lifecycle.draining(),
        );
    let life = lifecycle.clone();
    lifecycle.spawn("rpc server", async move {
        if let Err(error) = served.await {
            life.fail(anyhow::Error::new(error).context(format!("serving {name}")));
        }
    });
}
