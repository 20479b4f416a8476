//! Startup of the activity service.

use std::process::ExitCode;

use sahm_chassis::{
    BoxFuture, Context, LocalBoxFuture, Result, ServiceName, Settings,
    changes::ChangeLog,
    clock::Clock,
    member_data, rpc,
    service::{Seeding, Service},
    settings::DatabaseUrl,
    store::Store,
};
use sahm_proto::activity::v1::{
    campaign_service_server::CampaignServiceServer, draw_service_server::DrawServiceServer,
    invitation_service_server::InvitationServiceServer,
    participant_service_server::ParticipantServiceServer,
};

use crate::{
    cli::{self, Command},
    history,
    rpc::{CampaignRpc, DrawRpc, InvitationRpc, ParticipantRpc},
    seed,
    store::{ActivityStore, Outcome},
};

/// The activity service: campaigns, invitations, participants and draws.
#[derive(Debug)]
pub struct Activity;

impl Service for Activity {
    const NAME: ServiceName = ServiceName::Activity;
    const ABOUT: &'static str = "The activity service: campaigns, invitations, participants, draws";
    type Store = ActivityStore;
    type Command = Command;

    fn open(url: &DatabaseUrl) -> BoxFuture<'_, Result<ActivityStore>> {
        ActivityStore::open(url)
    }

    fn database(store: &ActivityStore) -> &Store {
        store.inner()
    }

    fn seed<'a>(
        store: &'a ActivityStore,
        settings: &'a Settings,
        clock: &'a Clock,
    ) -> BoxFuture<'a, anyhow::Result<Seeding>> {
        Box::pin(async move {
            if store.seed(&seed::bundle()?).await? == Outcome::Unchanged {
                return Ok(Seeding::NotEmpty);
            }
            if settings.environment.is_dev() {
                history::seed(store, clock.now()).await?;
            }
            Ok(Seeding::Filled)
        })
    }

    fn needs_content(store: &ActivityStore) -> BoxFuture<'_, Result<bool>> {
        Box::pin(store.is_empty())
    }

    fn serve(
        store: ActivityStore,
        context: &Context,
        clock: Clock,
    ) -> BoxFuture<'_, anyhow::Result<rpc::Service>> {
        Box::pin(async move {
            let changes = ChangeLog::start(store.inner().clone(), &context.lifecycle).await?;
            let campaigns = CampaignRpc { store: store.clone(), clock: clock.clone() };
            let invitations = InvitationRpc {
                store: store.clone(),
                clock: clock.clone(),
                origin: context.settings.public_url.clone(),
            };
            let participants = ParticipantRpc { store: store.clone(), clock: clock.clone() };
            let member_data = member_data::service(store.clone());
            let draws = DrawRpc { store, clock, changed: changes.clone() };
            Ok(rpc::Builder::new(Self::NAME, context)
                .add(CampaignServiceServer::new(campaigns))
                .add(InvitationServiceServer::new(invitations))
                .add(ParticipantServiceServer::new(participants))
                .add(DrawServiceServer::new(draws))
                .add(member_data)
                .add(changes.service())
                .build())
        })
    }

    fn run(
        command: Command,
        store: ActivityStore,
    ) -> LocalBoxFuture<'static, anyhow::Result<ExitCode>> {
        Box::pin(cli::run(command, store))
    }
}
