//! The whole site in one process: services handed to the gateway as they are, the renderer beside.

use std::net::SocketAddr;

use anyhow::Context as _;
use sahm_chassis::{
    lifecycle::{self, Context},
    rpc::{self, Transport},
    settings::ServiceName,
};
use sahm_gateway::{Services, site::Site};
use tokio::net::TcpListener;

use crate::renderer_process::{RendererCommand, supervise};

/// Starts everything and returns when a page can be served.
///
/// Order: every socket is bound, then the services start beside each other, then the renderer,
/// then the gateway; ready comes last.
pub async fn start(context: &Context) -> anyhow::Result<SocketAddr> {
    let settings = &context.settings;
    // Said before the renderer fails for the same reason with less clear words.
    Site::load(&settings.site_dir)?;
    let public = lifecycle::bind(settings.listen).await?;
    let address = public.local_addr()?;
    let content_listener = bind(context, ServiceName::Content).await?;
    let config_listener = bind(context, ServiceName::Config).await?;
    let identity_listener = bind(context, ServiceName::Identity).await?;
    let quotes_listener = bind(context, ServiceName::Quotes).await?;
    let attribution_listener = bind(context, ServiceName::Attribution).await?;

    let renderer = RendererCommand {
        node: settings.node.clone(),
        script: settings.site_dir.join("server").join("renderer.js"),
        listen: renderer_address(&settings.renderer_url)?,
    };
    let (content, config, identity, quotes, attribution, renderer) = tokio::try_join!(
        sahm_content::start(context),
        sahm_config::start(context),
        sahm_identity::start(context),
        sahm_quotes::start(context),
        sahm_attribution::start(context),
        supervise(renderer, &context.lifecycle),
    )?;
    let services = Services::new([
        (ServiceName::Content, Transport::local(content.routes.clone())),
        (ServiceName::Config, Transport::local(config.routes.clone())),
        (ServiceName::Identity, Transport::local(identity.routes.clone())),
        (ServiceName::Quotes, Transport::local(quotes.routes.clone())),
        (ServiceName::Attribution, Transport::local(attribution.routes.clone())),
    ]);
    rpc::serve(content_listener, content, context);
    rpc::serve(config_listener, config, context);
    rpc::serve(identity_listener, identity, context);
    rpc::serve(quotes_listener, quotes, context);
    rpc::serve(attribution_listener, attribution, context);
    sahm_gateway::serve(context, public, services, &format!("http://{renderer}")).await?;
    context.lifecycle.set_ready();
    Ok(address)
}

async fn bind(context: &Context, service: ServiceName) -> anyhow::Result<TcpListener> {
    lifecycle::bind(context.settings.service_listen(service)).await
}

fn renderer_address(url: &str) -> anyhow::Result<SocketAddr> {
    url.trim_start_matches("http://").trim_end_matches('/').parse().with_context(|| {
        format!("SAHM_RENDERER_URL={url}: the all-in-one needs http://ADDRESS:PORT")
    })
}
