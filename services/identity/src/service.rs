//! Startup and background tasks of the identity service.

use std::{process::ExitCode, time::Duration};

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    clock::Clock,
    member_data, rpc,
    service::{NoCommand, Seeding, Service},
    session_keys,
    settings::DatabaseUrl,
    store::Store,
};
use sahm_proto::identity::v1::{
    account_service_server::AccountServiceServer, feedback_service_server::FeedbackServiceServer,
    member_service_server::MemberServiceServer, passport_service_server::PassportServiceServer,
    session_service_server::SessionServiceServer,
};

use crate::{
    domain::CodeHasher,
    passwords::Passwords,
    providers::Providers,
    rpc::{AccountRpc, FeedbackRpc, MemberRpc, PassportRpc, SessionRpc},
    seed,
    store::{IdentityMemberData, IdentityStore},
};

/// How often expired codes, sessions, rate windows and old feedback are deleted.
const SWEEP_INTERVAL: Duration = Duration::from_secs(600);

/// The identity service: members, sessions, codes and feedback.
#[derive(Debug)]
pub struct Identity;

impl Service for Identity {
    const NAME: ServiceName = ServiceName::Identity;
    const ABOUT: &'static str = "The identity service: members, sessions, codes and feedback";
    type Store = IdentityStore;
    type Command = NoCommand;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<IdentityStore>> {
        IdentityStore::open(url)
    }

    fn database(store: &IdentityStore) -> &Store {
        store.inner()
    }

    /// # Errors
    /// In `pre` and `prod`, because the password of the samples is public.
    fn seed<'a>(
        store: &'a IdentityStore,
        settings: &'a Settings,
        clock: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async move {
            let environment = settings.environment;
            anyhow::ensure!(
                !settings.is_public(),
                "SAHM_ENV={environment}: sample members have a published password"
            );
            let is_seeded = seed::seed(store, clock.now()).await?;
            Ok(if is_seeded { Seeding::Filled } else { Seeding::NotEmpty })
        })
    }

    fn serve(
        store: IdentityStore,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let providers = Providers::new(&context.settings)?;
            spawn_sweep(&store, &clock, context);
            let passport = PassportRpc {
                store: store.clone(),
                clock: clock.clone(),
                hasher: CodeHasher::new(&session_keys(&context.settings)?),
                passwords: Passwords::start().await,
                providers: providers.clone(),
            };
            let account = AccountRpc { store: store.clone(), tadawul: providers.tadawul };
            let member_data_store =
                IdentityMemberData { store: store.clone(), clock: clock.clone() };
            let session = SessionRpc { store: store.clone(), clock: clock.clone() };
            Ok(rpc::Builder::new(Self::NAME, context)
                .add(PassportServiceServer::new(passport))
                .add(SessionServiceServer::new(session))
                .add(AccountServiceServer::new(account))
                .add(MemberServiceServer::new(MemberRpc { store: store.clone() }))
                .add(member_data::service(member_data_store))
                .add(FeedbackServiceServer::new(FeedbackRpc::new(store, clock)))
                .build())
        })
    }

    fn run(
        command: NoCommand,
        _: IdentityStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        match command {}
    }
}

fn spawn_sweep(store: &IdentityStore, clock: &Clock, context: &Context) {
    let (store, clock) = (store.clone(), clock.clone());
    let feedback_retention = context.settings.identity.feedback_retention;
    context.lifecycle.spawn_until_drain("identity sweep", async move {
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            match store.sweep(clock.now(), feedback_retention).await {
                Ok(deleted) => tracing::debug!(deleted, "expired rows deleted"),
                Err(error) => tracing::warn!(error = ?error, "expired rows not deleted"),
            }
        }
    });
}
