//! The trait of all services, and the program that runs one.
//!
//! A service is a type that implements [`Service`]. [`main`] is its program, [`run`] runs one of
//! its commands, and [`Service::start`] starts it in a process that may contain others.
use std::process::ExitCode;

use clap::Subcommand;
use futures_util::future::{BoxFuture, LocalBoxFuture};

use crate::{
    cli,
    clock::Clock,
    error::Result,
    lifecycle::{self, Context},
    rpc,
    settings::{DatabaseUrl, Process, ServiceName, Settings},
    store::Store,
};

/// A service of the site. Its asynchronous functions return a [`BoxFuture`], so that they are
/// compiled once in the service's own crate, and not again in each program and test that awaits
/// them.
pub trait Service: 'static {
    /// The name of the service, which its schema, settings and program (`sahm-{name}`) share.
    const NAME: ServiceName;
    /// A one-sentence description, shown by `--help`.
    const ABOUT: &'static str;
    /// Its store; clones share it.
    type Store: Clone + Send + Sync + 'static;
    /// Its commands besides the common ones; [`NoCommand`] for none.
    type Command: Subcommand;

    /// Opens the store and migrates its schema, under a lock.
    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<Self::Store>>;

    /// The underlying database, which readiness depends on.
    fn database(store: &Self::Store) -> &Store;

    /// Fills the store with samples if it is empty. The default is for a service without samples.
    ///
    /// # Errors
    /// The store does not respond, or this environment allows no samples.
    fn seed<'a>(
        _store: &'a Self::Store,
        _settings: &'a Settings,
        _clock: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async { Ok(Seeding::NoSamples) })
    }

    /// Whether an operator must fill the store before the site can show anything of this service;
    /// false for a service that fills its store itself.
    fn needs_content(_store: &Self::Store) -> BoxFuture<'_, Result<bool>> {
        Box::pin(async { Ok(false) })
    }

    /// Spawns background tasks on the context's lifecycle and returns the rpcs.
    fn serve(
        store: Self::Store,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>>;

    /// Runs one of the service's own commands on its store.
    fn run(
        command: Self::Command,
        store: Self::Store,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>>;

    /// Starts the service in this process: opens its store, in `dev` fills an empty store with
    /// samples, adds its readiness check and returns its rpcs. Outside `dev` an empty store stays
    /// empty, and the log explains how to fill it.
    ///
    /// # Errors
    /// The store cannot be opened, or a provider is missing.
    fn start(context: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let settings = &context.settings;
            let missing = settings.missing_providers();
            anyhow::ensure!(missing.is_empty(), "{}", missing.join("; "));
            let store = Self::open(&settings.database_url(Self::NAME)).await?;
            if settings.environment.is_dev() {
                Self::seed(&store, settings, &clock).await?;
            } else if Self::needs_content(&store).await? {
                tracing::warn!(
                    service = Self::NAME.as_str(),
                    "the store is empty: import what it shall hold, or `sahm-{} seed` for samples",
                    Self::NAME
                );
            }
            let database = Self::database(&store).clone();
            context.lifecycle.add_readiness(format!("{} store", Self::NAME), move || {
                let database = database.clone();
                async move { database.ping().await }
            });
            Self::serve(store, context, clock).await
        })
    }

    /// Opens the store and fills it with samples if it is empty.
    ///
    /// # Errors
    /// Same as [`Service::open`] and [`Service::seed`].
    fn open_and_seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<Seeding>> {
        Box::pin(async {
            let store = Self::open(&settings.database_url(Self::NAME)).await?;
            Self::seed(&store, settings, &Clock::system()).await
        })
    }
}

/// The outcome of seeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// The samples were stored.
    Filled,
    /// The store is not empty.
    NotEmpty,
    /// The service has no samples.
    NoSamples,
}

impl Seeding {
    /// The output of `seed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Seeding::Filled => "the samples are in the store",
            Seeding::NotEmpty => "the store is not empty: nothing is added",
            Seeding::NoSamples => "the service has no samples",
        }
    }
}

/// The commands of a service: those that all have, then its own.
#[derive(Debug, Subcommand)]
pub enum ServiceCommand<C: Subcommand> {
    /// Run the service until SIGTERM or Ctrl-C; the default
    Serve,
    /// Bring the schema of the store up to date and exit, as a job does before a rollout
    Migrate,
    /// Fill an empty store with samples and exit
    Seed,
    /// One of the service's own.
    #[command(flatten)]
    Own(C),
}

/// For services without own commands.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum NoCommand {}

/// The program of a service: parses the arguments, and serves if they contain no command.
pub fn main<S: Service>() -> ExitCode {
    match cli::arguments(Process::Service(S::NAME), S::ABOUT) {
        Ok(command) => run::<S>(command.unwrap_or(ServiceCommand::Serve)),
        Err(exit) => exit,
    }
}

/// Runs a command of a service.
///
/// Exit codes: 0 when it succeeded, 1 when it failed, 2 for an invalid setting.
pub fn run<S: Service>(command: ServiceCommand<S::Command>) -> ExitCode {
    let process = Process::Service(S::NAME);
    match command {
        ServiceCommand::Serve => lifecycle::run(process, async |context: Context| {
            let listener = lifecycle::bind(context.settings.service_listen(S::NAME)).await?;
            let service = S::start(&context, Clock::system()).await?;
            rpc::serve(listener, service, &context);
            context.lifecycle.set_ready();
            Ok(())
        }),
        ServiceCommand::Migrate => cli::run_command(process, async |settings| {
            S::open(&settings.database_url(S::NAME)).await?;
            Ok(cli::print(&format!("{}: the schema is up to date", process.program())))
        }),
        ServiceCommand::Seed => cli::run_command(process, async |settings| {
            let seeding = S::open_and_seed(settings).await?;
            Ok(cli::print(&format!("{}: {}", process.program(), seeding.as_str())))
        }),
        ServiceCommand::Own(command) => cli::run_command(process, async |settings| {
            let store = S::open(&settings.database_url(S::NAME)).await?;
            S::run(command, store).await
        }),
    }
}
