//! Started services and transports to them.

use sahm_activity::{bundle::Bundle, store::ActivityStore};
use sahm_chassis::{
    Context, Error, Process, ServiceName, Settings, caller,
    caller::Caller,
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    service::Service,
    settings::DatabaseUrl,
};
use sahm_proto::activity::v1::{
    Deposit, JoinCampaignRequest, JoinCampaignResponse, RecordDepositRequest,
    RecordDepositResponse, campaign_service_client::CampaignServiceClient,
    draw_service_client::DrawServiceClient, invitation_service_client::InvitationServiceClient,
    participant_service_client::ParticipantServiceClient,
};
use sahm_testkit::Postgres;
use tempfile::TempDir;
use tonic::{Response, Status};

/// The current time of the tests in epoch seconds: 2026-09-23, during the national-day campaign.
pub(crate) const NOW: u32 = 1_790_150_400;

/// A campaign with draws that is active whenever tests run.
pub(crate) const ALWAYS: u64 = 923;

/// Runs each case on SQLite in process and on PostgreSQL over TCP.
#[macro_export]
macro_rules! on_both {
    ($($case:ident),* $(,)?) => {
        mod sqlite_in_process {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case($crate::support::Site::sqlite().await).await;
            })*
        }
        mod postgres_over_tcp {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                super::$case($crate::support::Site::postgres().await).await;
            })*
        }
    };
}

/// A started service.
pub(crate) struct Site {
    context: Context,
    pub(crate) transport: Transport,
    pub(crate) clock: Clock,
    _folder: TempDir,
}

impl Site {
    pub(crate) async fn sqlite() -> Site {
        Site::start(&[], Clock::fixed(NOW), false).await
    }

    pub(crate) async fn postgres() -> Site {
        Site::on(&fresh_database().await, Clock::fixed(NOW)).await
    }

    /// A replica of the service on a PostgreSQL database.
    pub(crate) async fn on(url: &str, clock: Clock) -> Site {
        Site::start(&[("SAHM_DATABASE_URL", url)], clock, true).await
    }

    async fn start(pairs: &[(&str, &str)], clock: Clock, over_tcp: bool) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let own = [("SAHM_DATA_DIR", folder.path().to_str().unwrap())];
        let pairs = own.iter().chain(pairs).map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let process = Process::Service(ServiceName::Activity);
        let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
        let service = sahm_activity::Activity::start(&context, clock.clone()).await.unwrap();
        let transport = if over_tcp {
            let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            rpc::serve(listener, service, &context);
            Transport::connect(&url, &context)
        } else {
            Transport::local(service.routes)
        };
        Site { context, transport, clock, _folder: folder }
    }

    pub(crate) fn campaigns(&self) -> CampaignServiceClient<Transport> {
        CampaignServiceClient::new(self.transport.clone())
    }

    pub(crate) fn invitations(&self) -> InvitationServiceClient<Transport> {
        InvitationServiceClient::new(self.transport.clone())
    }

    pub(crate) fn participants(&self) -> ParticipantServiceClient<Transport> {
        ParticipantServiceClient::new(self.transport.clone())
    }

    pub(crate) fn draws(&self) -> DrawServiceClient<Transport> {
        DrawServiceClient::new(self.transport.clone())
    }

    pub(crate) async fn join(
        &self,
        member: u64,
        activity_id: u64,
        invite_code: &str,
    ) -> Result<JoinCampaignResponse, Error> {
        let request = JoinCampaignRequest {
            activity_id,
            invite_code: invite_code.into(),
            locale: String::new(),
        };
        let mut client = self.participants();
        got(acting(member, client.join_campaign(request)).await)
    }

    /// Reports a deposit of riyals made now.
    pub(crate) async fn deposit(
        &self,
        member: u64,
        id: &str,
        amount: &str,
    ) -> Result<RecordDepositResponse, Error> {
        self.deposit_at(member, id, amount, self.clock.now()).await
    }

    pub(crate) async fn deposit_at(
        &self,
        member: u64,
        id: &str,
        amount: &str,
        deposited_at: u32,
    ) -> Result<RecordDepositResponse, Error> {
        let deposit = Deposit {
            id: id.into(),
            member,
            amount: amount.into(),
            currency: "SAR".into(),
            deposited_at,
        };
        let request = RecordDepositRequest { deposit: Some(deposit) };
        got(self.participants().record_deposit(request).await)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

pub(crate) async fn fresh_database() -> String {
    Postgres::shared().await.unwrap().database().await.unwrap()
}

/// The message of a response, or the error of its status.
pub(crate) fn got<T>(response: Result<Response<T>, Status>) -> Result<T, Error> {
    response.map(Response::into_inner).map_err(|status| Error::from(&status))
}

/// Runs the work as a member.
pub(crate) async fn acting<F: Future>(member: u64, work: F) -> F::Output {
    caller::with(Caller { member: Some(member), ..Caller::default() }, work).await
}

/// The field that an error names first.
pub(crate) fn field(error: &Error) -> &str {
    error.fields().first().map_or("", |fault| &fault.field)
}

/// A seeded store whose campaign with draws runs from 2025 to 2099.
pub(crate) async fn always_active(url: &DatabaseUrl) -> ActivityStore {
    let store = ActivityStore::open(url).await.unwrap();
    store.seed(&sahm_activity::seed::bundle().unwrap()).await.unwrap();
    let mut campaign = store.campaign(ALWAYS).await.unwrap().unwrap();
    let regular = store.campaign(6666).await.unwrap().unwrap();
    (campaign.begin, campaign.end) = (regular.begin, regular.end);
    store.import(&Bundle { campaigns: vec![campaign], shares: Vec::new() }).await.unwrap();
    store
}
