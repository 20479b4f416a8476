//! The activity service: campaigns, invitations, participants and draws.

pub mod domain;
mod history;
mod rpc;
pub mod seed;
pub mod store;

use sahm_chassis::{
    BoxFuture,
    changes::ChangeLog,
    clock::Clock,
    lifecycle::{self, Context},
    rpc::{Builder, Service},
    settings::{ServiceName, Settings},
};
use sahm_proto::activity::v1::{
    campaign_service_server::CampaignServiceServer, draw_service_server::DrawServiceServer,
    invitation_service_server::InvitationServiceServer,
    participant_service_server::ParticipantServiceServer,
};

use rpc::{CampaignCalls, DrawCalls, InvitationCalls, ParticipantCalls};

/// Opens and migrates the store, in `dev` seeds it where it is empty, starts the change log, and gives the service.
pub fn start(context: &Context) -> BoxFuture<'_, anyhow::Result<Service>> {
    start_at(context, Clock::system())
}

/// [`start`] with a clock, by which campaigns begin and end.
pub fn start_at(context: &Context, clock: Clock) -> BoxFuture<'_, anyhow::Result<Service>> {
    Box::pin(service(context, clock))
}

async fn service(context: &Context, clock: Clock) -> anyhow::Result<Service> {
    let settings = &context.settings;
    let store = store::ActivityStore::open(&settings.database_url(ServiceName::Activity)).await?;
    if lifecycle::seeds_at_start(settings, ServiceName::Activity, store.is_empty().await?) {
        fill(&store, settings, &clock).await?;
    }
    let changes = ChangeLog::start(store.inner().clone(), &context.lifecycle).await?;
    let ready = store.inner().clone();
    context.lifecycle.add_readiness("activity store", move || {
        let store = ready.clone();
        async move { store.ping().await }
    });
    let campaigns = CampaignCalls { store: store.clone(), clock: clock.clone() };
    let invitations = InvitationCalls {
        store: store.clone(),
        clock: clock.clone(),
        origin: settings.public_url.clone(),
    };
    let participants = ParticipantCalls { store: store.clone(), clock: clock.clone() };
    let draws = DrawCalls { store, clock, changed: changes.clone() };
    Ok(Builder::new(ServiceName::Activity, context)
        .add(CampaignServiceServer::new(campaigns))
        .add(InvitationServiceServer::new(invitations))
        .add(ParticipantServiceServer::new(participants))
        .add(DrawServiceServer::new(draws))
        .add(changes.service())
        .build())
}

/// Fills an empty store with the built-in campaigns; false where it holds some already.
///
/// # Errors
/// The store does not answer.
pub fn seed(settings: &Settings) -> BoxFuture<'_, anyhow::Result<bool>> {
    Box::pin(seed_store(settings))
}

async fn seed_store(settings: &Settings) -> anyhow::Result<bool> {
    let store = store::ActivityStore::open(&settings.database_url(ServiceName::Activity)).await?;
    fill(&store, settings, &Clock::system()).await
}

async fn fill(
    store: &store::ActivityStore,
    settings: &Settings,
    clock: &Clock,
) -> anyhow::Result<bool> {
    let is_seeded = store.seed(&seed::bundle()?).await? != store::Outcome::Unchanged;
    if is_seeded && settings.environment.is_dev() {
        history::sow(store, clock.now()).await?;
    }
    Ok(is_seeded)
}
