//! The API with all services in process, at a fixed time.
use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use sahm_activity::Activity;
use sahm_attribution::Attribution;
use sahm_chassis::{clock::Clock, service::Service};
use sahm_config::Config;
use sahm_content::Content;
use sahm_identity::Identity;
use sahm_quotes::Quotes;
use tokio::sync::OnceCell;

use crate::api::{
    kit::{self, Response},
    rows::row::{Row, With},
};

/// Friday, 2026-11-20, 13:00 UTC: before the opening of the US market; campaign 6666 runs.
const NOW: u32 = 1_795_179_600;

/// A member of the seed whose account also trades Saudi stocks.
const MEMBER: &str = "500000007";
/// The member for calls that need a session of their own; a member may log in ten times in 5 minutes.
const OTHER_MEMBER: &str = "500000006";

pub(crate) struct Site {
    pub(crate) site: kit::Site,
    phones: AtomicU32,
    member: OnceCell<String>,
}

/// A request.
#[derive(Default)]
pub(crate) struct ApiRequest {
    parameters: Vec<(&'static str, String)>,
    cookie: String,
}

impl ApiRequest {
    fn query(&self) -> String {
        kit::query(&self.parameters)
    }
}

impl Site {
    /// Starts the site, and waits until the search index is built.
    pub(crate) async fn start() -> Self {
        let clock = || Clock::fixed(NOW);
        let site = kit::Site::start([
            (Content::start, clock()),
            (Quotes::start, clock()),
            (Identity::start, clock()),
            (Config::start, Clock::system()),
            (Activity::start, clock()),
            (Attribution::start, clock()),
        ])
        .await;
        while site.get("/api/help/m/search?keyword=a").await.status == 503 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Self { site, phones: AtomicU32::new(10), member: OnceCell::new() }
    }

    /// The request of a row, in a locale.
    pub(crate) async fn request(&self, row: &Row, lang: &str) -> ApiRequest {
        let own = row.parameters.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let mut parameters: Vec<_> = own.chain([("lang", lang.to_owned())]).collect();
        let mut cookie = String::new();
        match row.with {
            With::Nothing => {}
            With::Member => {
                let log_in = self.member.get_or_init(|| self.site.log_in(MEMBER));
                cookie.clone_from(log_in.await);
            }
            With::OwnSession => cookie = self.site.log_in(OTHER_MEMBER).await,
            With::Phone => parameters.extend(self.phone()),
            With::Code(scene) => {
                let phone = self.phone();
                let sent = [&phone[..], &[("scene", scene.to_owned())]].concat();
                let path = "/api/passport/auth-code/send";
                self.site.form(path, "", &kit::query(&sent)).await;
                parameters.extend(phone);
                parameters.push(("code", self.site.code()));
            }
            With::Sign => {
                let article = self.site.get("/api/news/content/detail?id=1001").await;
                let sign = article.data()["article"]["sign"].as_str().unwrap();
                parameters.push(("sign", sign.to_owned()));
            }
        }
        ApiRequest { parameters, cookie }
    }

    /// An unused telephone number.
    fn phone(&self) -> [(&'static str, String); 2] {
        let number = self.phones.fetch_add(1, Ordering::Relaxed);
        [("telCode", "966".to_owned()), ("phone", format!("5123456{number}"))]
    }

    pub(crate) async fn get(&self, path: &str, request: &ApiRequest) -> Response {
        let uri = format!("{path}?{}", request.query());
        self.site.send("GET", &uri, &[("cookie", &request.cookie)], "").await
    }

    pub(crate) async fn form(&self, path: &str, request: &ApiRequest) -> Response {
        self.site.form(path, &request.cookie, &request.query()).await
    }

    pub(crate) async fn json(&self, path: &str, request: &ApiRequest) -> Response {
        self.site.json(path, &request.cookie, &kit::object(&request.parameters)).await
    }
}
