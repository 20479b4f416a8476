//! The config service: items, menus, store links, countries and fees that operators set without a
//! release.

pub mod domain;
pub mod providers;
mod rpc;
pub mod seed;
pub mod store;

use sahm_chassis::{
    BoxFuture,
    changes::ChangeLog,
    lifecycle::{self, Context},
    rpc::{Builder, Service},
    settings::{ServiceName, Settings},
};
use sahm_proto::config::v1::config_service_server::ConfigServiceServer;

pub use rpc::ConfigRpc;

use providers::Geoip;

/// Opens and migrates the store, in `dev` seeds it where it is empty, starts the change log, and gives the service.
pub fn start(context: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(context))
}

async fn service(context: &Context) -> anyhow::Result<Service> {
    let url = context.settings.database_url(ServiceName::Config);
    let store = store::ConfigStore::open(&url).await?;
    let is_empty = store.is_empty().await?;
    if lifecycle::seeds_at_start(&context.settings, ServiceName::Config, is_empty) {
        store.seed(&seed::bundle()?).await?;
    }
    let changes = ChangeLog::start(store.inner().clone(), &context.lifecycle).await?;
    let ready = store.inner().clone();
    context.lifecycle.add_readiness("config store", move || {
        let store = ready.clone();
        async move { store.ping().await }
    });
    let geoip = match &context.settings.geoip_file {
        Some(file) => Geoip::follow(file.clone(), &context.lifecycle)?,
        None => Geoip::default(),
    };
    let rpc = ConfigRpc::new(store, context.settings.environment, geoip, changes.clone());
    Ok(Builder::new(ServiceName::Config, context)
        .add(ConfigServiceServer::new(rpc))
        .add(changes.service())
        .build())
}

/// Fills an empty store with the built-in configuration; false where it holds something already.
///
/// # Errors
/// The store does not answer.
pub fn seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<bool>> {
    Box::pin(seed_store(settings))
}

async fn seed_store(settings: &Settings) -> anyhow::Result<bool> {
    let store = store::ConfigStore::open(&settings.database_url(ServiceName::Config)).await?;
    Ok(store.seed(&seed::bundle()?).await? != store::Outcome::Unchanged)
}
