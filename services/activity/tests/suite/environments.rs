//! Differences between environments: which callers are trusted, and how an empty database is
//! seeded.

use sahm_chassis::{
    Context, ErrorCode, Process, ServiceName, Settings,
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    service::{Seeding, Service},
};
use sahm_proto::activity::v1::{
    Deposit, GetAssetsStandardRequest, GetCampaignRequest, GetLotteryDrawInfoRequest,
    JoinCampaignRequest, ListDrawsRequest, ListParticipantsRequest, RecordDepositRequest,
    campaign_service_client::CampaignServiceClient, draw_service_client::DrawServiceClient,
    participant_service_client::ParticipantServiceClient,
};

use crate::support::{NOW, acting, got};

/// After the national-day campaign: 2026-11-21.
const LATER: u32 = 1_795_219_200;

const TOKENS: &str = "gateway=the-gateways-own-token,booking=the-booking-teams-token";

fn settings(process: Process, environment: &str, tokens: &str, folder: &str) -> Settings {
    let pairs = [
        ("SAHM_ENV", environment),
        ("SAHM_DATA_DIR", folder),
        ("SAHM_PUBLIC_URL", "https://sahm.example"),
        ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
        ("SAHM_CALLER_TOKENS", tokens),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Settings::from_pairs(process, pairs).unwrap()
}

struct Served {
    context: Context,
    url: String,
    folder: tempfile::TempDir,
}

impl Served {
    async fn start(environment: &str, now: u32) -> Served {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::Service(ServiceName::Activity);
        let settings = settings(process, environment, TOKENS, folder.path().to_str().unwrap());
        let context = Context::new(settings);
        if environment != "dev" {
            sahm_activity::Activity::open_and_seed(&context.settings).await.unwrap();
        }
        let service = sahm_activity::Activity::start(&context, Clock::fixed(now)).await.unwrap();
        let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        rpc::serve(listener, service, &context);
        Served { context, url, folder }
    }

    /// A transport for a process with these tokens: the gateway or a service.
    fn way(&self, process: Process, tokens: &str) -> Transport {
        let folder = self.folder.path().to_str().unwrap();
        Transport::connect(&self.url, &Context::new(settings(process, "feature", tokens, folder)))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

#[tokio::test]
async fn outside_dev_callers_need_their_role() {
    let served = Served::start("feature", NOW).await;
    let activity_id = 6666;
    let join = || JoinCampaignRequest { activity_id, ..Default::default() };
    let deposit = Deposit {
        id: "one".into(),
        member: 1,
        amount: "1000".into(),
        currency: "SAR".into(),
        deposited_at: NOW,
    };
    let record = || RecordDepositRequest { deposit: Some(deposit.clone()) };
    let list = || ListParticipantsRequest { activity_id, ..Default::default() };

    // A token that the service does not know allows only reading of public data.
    let stranger = served.way(Process::Gateway, "gateway=a-token-nobody-knows");
    let mut reading = CampaignServiceClient::new(stranger.clone());
    assert!(reading.get_campaign(GetCampaignRequest { activity_id }).await.is_ok());
    let mut participants = ParticipantServiceClient::new(stranger);
    for error in [
        got(acting(1, participants.join_campaign(join())).await).err(),
        got(acting(1, participants.record_deposit(record())).await).err(),
        got(participants.list_participants(list()).await).err(),
    ] {
        assert_eq!(error.unwrap().code(), ErrorCode::CallerTokenRequired);
    }

    // The booking team's service may write, but acts for no member.
    let service = Process::Service(ServiceName::Activity);
    let team = served.way(service, "activity=the-booking-teams-token");
    let mut participants = ParticipantServiceClient::new(team);
    assert!(got(participants.record_deposit(record()).await).unwrap().counted);
    let refused = got(acting(1, participants.join_campaign(join())).await).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::GatewayOnly);

    let mut participants = ParticipantServiceClient::new(served.way(Process::Gateway, TOKENS));
    assert!(got(acting(1, participants.join_campaign(join())).await).unwrap().joined);
    let request = GetAssetsStandardRequest { activity_id };
    let standard = got(acting(1, participants.get_assets_standard(request)).await).unwrap();
    assert!(standard.joined && standard.thresholds[0].reached);
    assert_eq!(got(participants.list_participants(list()).await).unwrap().items.len(), 1);
}

#[tokio::test]
async fn national_day_history_is_seeded_in_dev_only() {
    for (environment, now, draws) in [("dev", LATER, 4), ("dev", NOW, 0), ("feature", LATER, 0)] {
        let served = Served::start(environment, now).await;
        let transport = served.way(Process::Gateway, TOKENS);
        let mut client = DrawServiceClient::new(transport.clone());
        let request = ListDrawsRequest { activity_id: 923, ..Default::default() };
        let items = got(client.list_draws(request).await).unwrap().items;
        assert_eq!(items.len(), draws, "{environment}");
        let request = GetLotteryDrawInfoRequest {};
        let info = got(acting(7, client.get_lottery_draw_info(request)).await).unwrap();
        let shown = items.iter().map(|draw| {
            let of_draw = info.tickets.iter().filter(|ticket| ticket.draw_id == draw.id);
            (draw.state.as_str(), draw.ticket_count, draw.wins.len(), of_draw.count())
        });
        let expected =
            [(3, 2), (4, 4), (6, 4), (4, 0)].map(|(tickets, own)| ("revealed", tickets, 1, own));
        assert_eq!(shown.collect::<Vec<_>>(), expected[..draws]);
        assert_eq!(info.joined, draws > 0);
    }
}

#[tokio::test]
async fn outside_dev_store_stays_empty_until_seeded() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::Service(ServiceName::Activity);
    let context =
        Context::new(settings(process, "feature", TOKENS, folder.path().to_str().unwrap()));
    let service = sahm_activity::Activity::start(&context, Clock::fixed(NOW)).await.unwrap();
    let mut client = CampaignServiceClient::new(Transport::local(service.routes));
    let request = || GetCampaignRequest { activity_id: 6666 };
    assert_eq!(got(client.get_campaign(request()).await).unwrap().campaign, None);
    for seeding in [Seeding::Filled, Seeding::NotEmpty] {
        assert_eq!(
            sahm_activity::Activity::open_and_seed(&context.settings).await.unwrap(),
            seeding
        );
    }
    assert!(got(client.get_campaign(request()).await).unwrap().campaign.is_some());
    context.lifecycle.drain();
}
