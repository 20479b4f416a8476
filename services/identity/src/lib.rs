//! The identity service: members, sessions, codes, passwords and feedback.

pub mod domain;
pub mod passwords;
pub mod providers;
mod rpc;
pub mod seed;
pub mod store;

use std::time::Duration;

use sahm_chassis::{
    BoxFuture, Context, Environment, ServiceName, Settings,
    clock::Clock,
    lifecycle::{self, Lifecycle},
    rpc::Service,
    session_keys,
};
use sahm_proto::identity::v1::{
    account_service_server::AccountServiceServer, feedback_service_server::FeedbackServiceServer,
    member_service_server::MemberServiceServer, passport_service_server::PassportServiceServer,
    session_service_server::SessionServiceServer,
};

use domain::CodeHasher;
use passwords::Passwords;
use providers::Providers;
use rpc::{AccountCalls, FeedbackCalls, MemberCalls, PassportCalls, SessionCalls};
use store::IdentityStore;

/// How often what has run out is forgotten.
const SWEEP: Duration = Duration::from_secs(600);

/// Starts the service: chooses its providers, opens and migrates its store, and in `dev` seeds it
/// if it is empty.
pub fn start(context: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    start_at(context, Clock::system())
}

/// [`start`] with a clock, by which codes and sessions run out.
pub fn start_at(context: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(context, clock))
}

async fn service(context: &Context, clock: Clock) -> anyhow::Result<Service> {
    let settings = &context.settings;
    let providers = Providers::new(settings)?;
    let hasher = CodeHasher::new(&session_keys(settings)?);
    let store = IdentityStore::open(&settings.database_url(ServiceName::Identity)).await?;
    let passwords = Passwords::start().await;
    if lifecycle::seeds_at_start(settings, ServiceName::Identity, false) {
        seed::sow(&store, &passwords, clock.now()).await?;
    }
    keep_sweeping(&store, &clock, &context.lifecycle);
    let asked = store.inner().clone();
    context.lifecycle.add_readiness("identity store", move || {
        let store = asked.clone();
        async move { store.ping().await }
    });
    let passport = PassportCalls {
        store: store.clone(),
        clock: clock.clone(),
        hasher,
        passwords,
        providers: providers.clone(),
    };
    let account = AccountCalls { store: store.clone(), tadawul: providers.tadawul };
    let session = SessionCalls { store: store.clone(), clock: clock.clone() };
    Ok(sahm_chassis::rpc::Builder::new(ServiceName::Identity, context)
        .add(PassportServiceServer::new(passport))
        .add(SessionServiceServer::new(session))
        .add(AccountServiceServer::new(account))
        .add(MemberServiceServer::new(MemberCalls { store: store.clone() }))
        .add(FeedbackServiceServer::new(FeedbackCalls::new(store, clock)))
        .build())
}

/// Fills an empty store with sample members; false where it holds members already.
///
/// # Errors
/// In `pre` and `prod`, since everybody knows the samples' password; when the store does not
/// answer.
pub fn seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<bool>> {
    Box::pin(seed_store(settings))
}

async fn seed_store(settings: &Settings) -> anyhow::Result<bool> {
    let environment = settings.environment;
    anyhow::ensure!(
        !matches!(environment, Environment::Pre | Environment::Prod),
        "SAHM_ENV={environment}: sample members have a published password"
    );
    let store = IdentityStore::open(&settings.database_url(ServiceName::Identity)).await?;
    Ok(seed::sow(&store, &Passwords::start().await, Clock::system().now()).await?)
}

fn keep_sweeping(store: &IdentityStore, clock: &Clock, lifecycle: &Lifecycle) {
    let (store, clock) = (store.clone(), clock.clone());
    lifecycle.spawn_until_drain("identity sweep", async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            match store.sweep(clock.now()).await {
                Ok(swept) => tracing::debug!(swept, "identity swept"),
                Err(error) => tracing::warn!(error = ?error, "identity not swept"),
            }
        }
    });
}
