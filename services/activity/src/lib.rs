//! The activity service: campaigns, invitations, participants and draws (specification §3, §4, §5,
//! §7 'Invite', §9 'Promotions').

pub mod domain;
mod history;
mod rpc;
pub mod seed;
pub mod store;

use sahm_chassis::{
    changes::ChangeLog,
    clock::Clock,
    lifecycle::Context,
    rpc::{Builder, Service},
    settings::ServiceName,
};
use sahm_proto::activity::v1::{
    campaign_service_server::CampaignServiceServer, draw_service_server::DrawServiceServer,
    invitation_service_server::InvitationServiceServer,
    participant_service_server::ParticipantServiceServer,
};

use rpc::{CampaignCalls, DrawCalls, InvitationCalls, ParticipantCalls};

/// Opens, migrates and where empty seeds the store, starts the change log, and gives the service.
pub async fn start(context: &Context) -> anyhow::Result<Service> {
    start_at(context, Clock::system()).await
}

/// [`start`] with a clock, by which campaigns begin and end.
pub async fn start_at(context: &Context, clock: Clock) -> anyhow::Result<Service> {
    let settings = &context.settings;
    let store = store::ActivityStore::open(&settings.database_url(ServiceName::Activity)).await?;
    let seeded = store.seed(&seed::bundle()?).await?;
    if seeded != store::Outcome::Unchanged && settings.environment.is_dev() {
        history::sow(&store, clock.now()).await?;
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
