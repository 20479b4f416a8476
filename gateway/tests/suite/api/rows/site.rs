//! The API with all services in process, at a fixed time.
use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use axum::body::Body;
use http::{Request, header};
use http_body_util::BodyExt;
use sahm_chassis::{
    clock::Clock,
    lifecycle::Context,
    rpc::Transport,
    service::Service,
    settings::{Process, ServiceName, Settings},
};
use sahm_gateway::{Services, api::Api};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::api::rows::row::{Row, With};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Friday, 2026-11-20, 13:00 UTC: before the opening of the US market; campaign 6666 runs.
const NOW: u32 = 1_795_179_600;

/// A member of the seed whose account also trades Saudi stocks.
const MEMBER: &str = "500000007";
/// The member for calls that need a session of their own; a member may log in ten times in 5 minutes.
const OTHER_MEMBER: &str = "500000006";

pub(crate) struct Site {
    api: Api,
    /// The services behind the API.
    pub(crate) transports: [(ServiceName, Transport); 6],
    context: Context,
    data: tempfile::TempDir,
    phones: AtomicU32,
    member: OnceCell<String>,
}

/// A request.
#[derive(Default)]
pub(crate) struct ApiRequest {
    parameters: Vec<(&'static str, String)>,
    cookie: String,
}

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) allow: Option<String>,
    pub(crate) json: Value,
    cookie: Option<String>,
}

impl Site {
    /// Starts the site, and waits until the search index is built.
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let pairs = [("SAHM_DATA_DIR".to_owned(), data.path().display().to_string())];
        let context = Context::new(Settings::from_pairs(Process::Site, pairs).unwrap());
        let clock = || Clock::fixed(NOW);
        let services = [
            sahm_content::Content::start(&context, clock()).await.unwrap(),
            sahm_quotes::Quotes::start(&context, clock()).await.unwrap(),
            sahm_identity::Identity::start(&context, clock()).await.unwrap(),
            sahm_config::Config::start(&context, Clock::system()).await.unwrap(),
            sahm_activity::Activity::start(&context, clock()).await.unwrap(),
            sahm_attribution::Attribution::start(&context, clock()).await.unwrap(),
        ];
        let transports = services.map(|service| (service.name, Transport::local(service.routes)));
        let api = Api::new(&Services::new(transports.clone()), &context).unwrap();
        let (phones, member) = (AtomicU32::new(10), OnceCell::new());
        let site = Self { api, transports, context, data, phones, member };
        let search =
            ApiRequest { parameters: vec![("keyword", "a".to_owned())], ..ApiRequest::default() };
        while site.get("/api/help/m/search", &search).await.status == 503 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        site
    }

    /// The request of a row, in a locale.
    pub(crate) async fn request(&self, row: &Row, lang: &str) -> ApiRequest {
        let own = row.parameters.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let mut parameters: Vec<_> = own.chain([("lang", lang.to_owned())]).collect();
        let mut cookie = String::new();
        match row.with {
            With::Nothing => {}
            With::Member => {
                let log_in = self.member.get_or_init(|| self.log_in(MEMBER));
                cookie.clone_from(log_in.await);
            }
            With::OwnSession => cookie = self.log_in(OTHER_MEMBER).await,
            With::Phone => parameters.extend(self.phone()),
            With::Code(scene) => {
                let phone = self.phone();
                let mut request =
                    ApiRequest { parameters: phone.to_vec(), ..ApiRequest::default() };
                request.parameters.push(("scene", scene.to_owned()));
                self.form("/api/passport/auth-code/send", &request).await;
                parameters.extend(phone);
                parameters.push(("code", self.code()));
            }
            With::Sign => {
                let id = ApiRequest {
                    parameters: vec![("id", "1001".to_owned())],
                    ..ApiRequest::default()
                };
                let article = self.get("/api/news/content/detail", &id).await.json;
                let sign = article["data"]["article"]["sign"].as_str().unwrap();
                parameters.push(("sign", sign.to_owned()));
            }
        }
        ApiRequest { parameters, cookie }
    }

    async fn log_in(&self, account: &str) -> String {
        let password = sahm_identity::seed::PASSWORD.to_owned();
        let parameters = vec![("account", account.to_owned()), ("password", password)];
        let request = ApiRequest { parameters, ..ApiRequest::default() };
        self.form("/api/passport/password/login", &request).await.cookie.unwrap()
    }

    /// An unused telephone number.
    fn phone(&self) -> [(&'static str, String); 2] {
        let number = self.phones.fetch_add(1, Ordering::Relaxed);
        [("telCode", "966".to_owned()), ("phone", format!("5123456{number}"))]
    }

    /// The code that was sent last.
    fn code(&self) -> String {
        let path = self.data.path().join("outbox").join("sms.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        line["code"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn get(&self, path: &str, request: &ApiRequest) -> Response {
        let uri = format!("{path}?{}", pairs(&request.parameters));
        let request = Request::get(uri).header(header::COOKIE, &request.cookie);
        self.handle(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn form(&self, path: &str, request: &ApiRequest) -> Response {
        self.post(path, FORM, pairs(&request.parameters), &request.cookie).await
    }

    pub(crate) async fn json(&self, path: &str, request: &ApiRequest) -> Response {
        let field = |(name, value): &(&str, String)| {
            let is_list = value.starts_with('[');
            let value = is_list.then(|| serde_json::from_str(value).unwrap());
            ((*name).to_owned(), value)
        };
        let texts = request.parameters.iter().map(|(_, value)| Value::from(value.as_str()));
        let fields = request.parameters.iter().map(field).zip(texts);
        let object: Map<_, _> =
            fields.map(|((name, list), text)| (name, list.unwrap_or(text))).collect();
        self.post(path, JSON, Value::from(object).to_string(), &request.cookie).await
    }

    async fn post(&self, path: &str, kind: &str, body: String, cookie: &str) -> Response {
        let request = Request::post(path).header(header::CONTENT_TYPE, kind);
        let request = request.header(header::COOKIE, cookie);
        self.handle(request.body(body.into()).unwrap()).await
    }

    async fn handle(&self, request: Request<Body>) -> Response {
        let (parts, body) = self.api.handle(request).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let header = |name| Some(parts.headers.get(name)?.to_str().unwrap().to_owned());
        let cookies = parts.headers.get_all(header::SET_COOKIE).iter();
        let mut sessions = cookies
            .filter_map(|cookie| cookie.to_str().ok())
            .filter(|cookie| cookie.starts_with("sahm_session="));
        let cookie = sessions.next().map(|set| set.split(';').next().unwrap().to_owned());
        Response {
            status: parts.status.as_u16(),
            allow: header(header::ALLOW),
            json: serde_json::from_slice(&body).unwrap(),
            cookie,
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.context.lifecycle.drain();
    }
}

/// Parameters as a query or form.
fn pairs(parameters: &[(&str, String)]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(parameters);
    form.finish()
}
