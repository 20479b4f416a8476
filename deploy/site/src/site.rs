//! The whole site in one process: the gateway calls the services in process, the renderer is a
//! child.

use std::net::SocketAddr;

use anyhow::Context as _;
use sahm_chassis::{
    lifecycle::{self, Context},
    rpc::{self, Service, Transport},
};
use sahm_gateway::{Services, site::Site};

use crate::{
    renderer_process::{self, RendererCommand, supervise},
    services::{SERVICES, start_services},
};

/// Starts everything and returns when pages can be served.
///
/// Order: all sockets are bound, then services and renderer start concurrently, then the gateway;
/// the process becomes ready last.
pub async fn start(context: &Context) -> anyhow::Result<SocketAddr> {
    let settings = &context.settings;
    // Fails with a clearer error than the renderer, which would fail for the same reason.
    Site::load(&settings.site_dir)?;
    let public = lifecycle::bind(settings.listen).await?;
    let address = public.local_addr()?;
    let mut listeners = Vec::new();
    for (name, _) in SERVICES {
        listeners.push(lifecycle::bind(settings.service_listen(name)).await?);
    }

    let renderer = RendererCommand {
        node: settings.node.clone(),
        script: settings.site_dir.join("server").join("renderer.js"),
        listen: renderer_address(&settings.renderer_url)?,
    };
    let (services, renderer) =
        tokio::try_join!(start_services(context), supervise(renderer, &context.lifecycle))?;
    context.lifecycle.set_child_metrics(move || renderer_process::metrics(renderer));
    let local = |service: &Service| (service.name, Transport::local(service.routes.clone()));
    let transports = Services::new(services.iter().map(local));
    for (listener, service) in listeners.into_iter().zip(services) {
        rpc::serve(listener, service, context);
    }
    sahm_gateway::serve(context, public, transports, &format!("http://{renderer}")).await?;
    context.lifecycle.set_ready();
    Ok(address)
}

fn renderer_address(url: &str) -> anyhow::Result<SocketAddr> {
    url.trim_start_matches("http://").trim_end_matches('/').parse().with_context(|| {
        format!("SAHM_RENDERER_URL={url}: the all-in-one needs http://ADDRESS:PORT")
    })
}
