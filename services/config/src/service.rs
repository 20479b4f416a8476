//! Startup of the config service.

use std::process::ExitCode;

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    changes::ChangeLog,
    clock::Clock,
    rpc,
    service::{Seeding, Service},
    settings::DatabaseUrl,
    store::Store,
};
use sahm_proto::config::v1::config_service_server::ConfigServiceServer;

use crate::{
    cli::{self, Command},
    providers::Geoip,
    rpc::ConfigRpc,
    seed,
    store::ConfigStore,
};

/// The config service: configuration items, menus, fees, countries and switches.
#[derive(Debug)]
pub struct Config;

impl Service for Config {
    const NAME: ServiceName = ServiceName::Config;
    const ABOUT: &'static str = "The config service: items, menus, countries, links and fees";
    type Store = ConfigStore;
    type Command = Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<ConfigStore>> {
        ConfigStore::open(url)
    }

    fn database(store: &ConfigStore) -> &Store {
        store.inner()
    }

    fn seed<'a>(
        store: &'a ConfigStore,
        _: &'a Settings,
        _: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async {
            let is_filled = !store.seed(&seed::bundle()?).await?.is_empty();
            Ok(if is_filled { Seeding::Filled } else { Seeding::NotEmpty })
        })
    }

    fn needs_content(store: &ConfigStore) -> BoxFuture<'_, Result<bool>> {
        Box::pin(store.is_empty())
    }

    fn serve(
        store: ConfigStore,
        context: &Context,
        _: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let changes = ChangeLog::start(store.inner().clone(), &context.lifecycle).await?;
            let geoip = match &context.settings.geoip_file {
                Some(file) => Geoip::open_and_watch(file.clone(), &context.lifecycle)?,
                None => Geoip::default(),
            };
            let environment = context.settings.environment;
            let config = ConfigRpc::new(store, environment, geoip, changes.clone());
            Ok(rpc::Builder::new(Self::NAME, context)
                .add(ConfigServiceServer::new(config))
                .add(changes.service())
                .build())
        })
    }

    fn run(
        command: Command,
        store: ConfigStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        Box::pin(cli::run(command, store))
    }
}
