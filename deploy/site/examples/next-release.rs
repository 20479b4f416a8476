//! The next release of the service `NEXT_RELEASE_OF`: its schema has one more migration, which
//! extends a table that requests use. Tests roll it out and back.

use std::{marker::PhantomData, process::ExitCode};

use sahm_activity::Activity;
use sahm_attribution::Attribution;
use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    clock::Clock,
    rpc,
    service::{self, Seeding, Service},
    settings::DatabaseUrl,
    store::{SqlMigration, Store},
};
use sahm_config::Config;
use sahm_content::Content;
use sahm_identity::Identity;
use sahm_quotes::Quotes;

/// The migration of a table that requests of every visitor read or write.
macro_rules! expand {
    ($table:literal) => {
        concat!(
            "ALTER TABLE ",
            $table,
            " ADD COLUMN next_release text DEFAULT 'expanded'; ",
            "CREATE INDEX next_release_index ON ",
            $table,
            " (next_release); ",
            "CREATE TABLE next_release (id bigint PRIMARY KEY);",
        )
    };
}

fn migration(service: ServiceName) -> &'static str {
    match service {
        ServiceName::Content => expand!("article_text"),
        ServiceName::Quotes => expand!("security"),
        ServiceName::Identity => expand!("session"),
        ServiceName::Config => expand!("config_document"),
        ServiceName::Activity => expand!("campaign"),
        ServiceName::Attribution => expand!("event"),
    }
}

struct NextRelease<S>(PhantomData<fn() -> S>);

impl<S: Service> Service for NextRelease<S> {
    const NAME: ServiceName = S::NAME;
    const ABOUT: &'static str = S::ABOUT;
    type Store = S::Store;
    type Command = S::Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<S::Store>> {
        Box::pin(async move {
            let store = S::open(url).await?;
            let next = SqlMigration::new("9999_next_release", migration(S::NAME));
            Store::open(url, S::NAME.as_str(), &[next]).await?.close().await;
            Ok(store)
        })
    }

    fn database(store: &S::Store) -> &Store {
        S::database(store)
    }

    fn seed<'a>(
        store: &'a S::Store,
        settings: &'a Settings,
        clock: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        S::seed(store, settings, clock)
    }

    fn needs_content(store: &S::Store) -> BoxFuture<'_, Result<bool>> {
        S::needs_content(store)
    }

    fn serve(
        store: S::Store,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        S::serve(store, context, clock)
    }

    fn run(
        command: S::Command,
        store: S::Store,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        S::run(command, store)
    }
}

fn main() -> ExitCode {
    match std::env::var("NEXT_RELEASE_OF").unwrap_or_default().as_str() {
        "content" => service::main::<NextRelease<Content>>(),
        "quotes" => service::main::<NextRelease<Quotes>>(),
        "identity" => service::main::<NextRelease<Identity>>(),
        "config" => service::main::<NextRelease<Config>>(),
        "activity" => service::main::<NextRelease<Activity>>(),
        "attribution" => service::main::<NextRelease<Attribution>>(),
        _ => ExitCode::from(2),
    }
}
