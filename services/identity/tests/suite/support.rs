//! Started services and transports to them.
use std::path::PathBuf;

use sahm_chassis::{
    Context, Error, Process, ServiceName, Settings, caller,
    caller::Caller,
    clock::Clock,
    lifecycle,
    rpc::{self, Transport},
    service::Service,
    settings::DatabaseUrl,
};
use sahm_proto::identity::v1::{
    AuthCodeScene, CheckSessionRequest, CheckSessionResponse, LoginByPasswordRequest,
    LoginByPasswordResponse, LoginBySmsRequest, LoginBySmsResponse, SendAuthCodeRequest,
    account_service_client::AccountServiceClient, feedback_service_client::FeedbackServiceClient,
    member_service_client::MemberServiceClient, passport_service_client::PassportServiceClient,
    session_service_client::SessionServiceClient,
};
use sahm_testkit::Postgres;
use tempfile::TempDir;
use tonic::{Response, Status};

/// The current time of the tests in epoch seconds: 2026-11-21.
pub(crate) const NOW: u32 = 1_795_219_200;

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
    transport: Transport,
    pub(crate) clock: Clock,
    folder: TempDir,
}

impl Site {
    pub(crate) async fn sqlite() -> Site {
        Site::start(&[], Clock::fixed(NOW), false).await.unwrap()
    }

    pub(crate) async fn postgres() -> Site {
        Site::on(&fresh_database().await, Clock::fixed(NOW)).await
    }

    /// A replica of the service on a PostgreSQL database.
    pub(crate) async fn on(url: &str, clock: Clock) -> Site {
        let pairs =
            [("SAHM_DATABASE_URL", url), ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef")];
        Site::start(&pairs, clock, true).await.unwrap()
    }

    pub(crate) async fn start(
        pairs: &[(&str, &str)],
        clock: Clock,
        over_tcp: bool,
    ) -> anyhow::Result<Site> {
        let folder = tempfile::tempdir().unwrap();
        let own = [("SAHM_DATA_DIR", folder.path().to_str().unwrap())];
        let pairs = own.iter().chain(pairs).map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let process = Process::Service(ServiceName::Identity);
        let context = Context::new(Settings::from_pairs(process, pairs).unwrap());
        let service = sahm_identity::Identity::start(&context, clock.clone()).await?;
        let transport = if over_tcp {
            let listener = lifecycle::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            rpc::serve(listener, service, &context);
            Transport::connect(&url, &context)
        } else {
            Transport::local(service.routes)
        };
        Ok(Site { context, transport, clock, folder })
    }

    pub(crate) fn passport(&self) -> PassportServiceClient<Transport> {
        PassportServiceClient::new(self.transport.clone())
    }

    pub(crate) fn sessions(&self) -> SessionServiceClient<Transport> {
        SessionServiceClient::new(self.transport.clone())
    }

    pub(crate) fn members(&self) -> MemberServiceClient<Transport> {
        MemberServiceClient::new(self.transport.clone())
    }

    pub(crate) fn accounts(&self) -> AccountServiceClient<Transport> {
        AccountServiceClient::new(self.transport.clone())
    }

    pub(crate) fn feedback(&self) -> FeedbackServiceClient<Transport> {
        FeedbackServiceClient::new(self.transport.clone()).max_decoding_message_size(8 << 20)
    }

    pub(crate) fn database(&self) -> DatabaseUrl {
        self.context.settings.database_url(ServiceName::Identity)
    }

    pub(crate) fn outbox(&self) -> PathBuf {
        self.folder.path().join("outbox").join("sms.jsonl")
    }

    /// Every message that was sent, oldest first.
    pub(crate) fn sent(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.outbox()).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The newest code that was sent.
    pub(crate) fn code(&self) -> String {
        self.sent().last().unwrap()["code"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn send(&self, phone: &str, scene: AuthCodeScene) -> Result<String, Error> {
        let request = SendAuthCodeRequest {
            tel_code: "966".into(),
            phone: phone.into(),
            scene: scene.into(),
            // Required after some codes; ignored before.
            recaptcha_token: "person".into(),
            ..Default::default()
        };
        got(self.passport().send_auth_code(request).await)?;
        Ok(self.code())
    }

    pub(crate) async fn log_in(
        &self,
        phone: &str,
        code: &str,
    ) -> Result<LoginBySmsResponse, Error> {
        let request = LoginBySmsRequest {
            tel_code: "966".into(),
            phone: phone.into(),
            code: code.into(),
            agreement: true,
            ..Default::default()
        };
        got(self.passport().login_by_sms(request).await)
    }

    pub(crate) async fn password_login(
        &self,
        account: &str,
        password: &str,
    ) -> Result<LoginByPasswordResponse, Error> {
        let request = LoginByPasswordRequest {
            account: account.into(),
            password: password.into(),
            ..Default::default()
        };
        got(self.passport().login_by_password(request).await)
    }

    /// Logs in a number with all required steps.
    pub(crate) async fn member(&self, phone: &str) -> (LoginBySmsResponse, Caller) {
        let code = self.send(phone, AuthCodeScene::Verification).await.unwrap();
        let login = self.log_in(phone, &code).await.unwrap();
        let live = self.check(&login.session_token).await.unwrap();
        let caller =
            Caller { member: Some(live.member), session: Some(live.session), ..Caller::default() };
        (login, caller)
    }

    pub(crate) async fn check(&self, token: &str) -> Result<CheckSessionResponse, Error> {
        let request = CheckSessionRequest { token: token.into() };
        got(self.sessions().check_session(request).await)
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

/// Runs the work as a caller.
pub(crate) async fn acting<F: Future>(caller: &Caller, work: F) -> F::Output {
    caller::with(caller.clone(), work).await
}

/// A caller from an address.
pub(crate) fn from(address: &str) -> Caller {
    Caller { address: Some(address.parse().unwrap()), ..Caller::default() }
}

/// The field that an error names first.
pub(crate) fn field(error: &Error) -> &str {
    error.fields().first().map_or("", |fault| &fault.field)
}

/// Every field that an error names, in its order.
pub(crate) fn fields(error: &Error) -> Vec<&str> {
    error.fields().iter().map(|fault| &*fault.field).collect()
}
