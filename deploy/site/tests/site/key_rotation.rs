//! Rotation of session keys (docs/operations/rollout.md#rotating-secrets). In each step two gateways share databases and
//! Redis; one has the keys of the step, the other those of the step before. Each has replicas of the services that read
//! the keys.

use std::time::Duration;

use futures_util::future::join_all;
use sahm_chassis::ServiceName;
use serde_json::{Value, json};

use crate::{
    attacks::outbox_code,
    kit::{Client, Gateway, Plan, Replicas, Response, Site, pairs, until},
};

const OLD: &str = "old-key-of-the-test-0123456789-abcdef";
const NEW: &str = "new-key-of-the-test-0123456789-abcdef";

/// Timeout of a page that names its member; identity may exceed its 150 ms on a busy machine.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(5);

/// A gateway and its services, all with the same keys.
struct Replica {
    client: Client,
    /// The first key, which signs.
    key: &'static str,
    _gateway: Gateway,
    _services: Replicas,
}

impl Replica {
    async fn start(site: &Site, keys: &[&'static str]) -> Self {
        let setting = pairs([("SAHM_SESSION_KEYS", &*keys.join(","))]);
        let names = [ServiceName::Identity, ServiceName::Content];
        let services = site.replicas(&names, &setting).await;
        let name = format!("gateway-{}", keys.concat());
        let gateway = site.gateway_before(&services, &name, &setting).await;
        Self { client: gateway.client(), key: keys[0], _gateway: gateway, _services: services }
    }

    async fn post(&self, path: &str, cookie: &str, body: &Value) -> Response {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend((!cookie.is_empty()).then_some(("cookie", cookie)));
        self.client.send("POST", path, &headers, body.to_string()).await
    }

    async fn like(&self, cookie: &str) -> Response {
        let like = json!({ "contentId": "1001", "like": true });
        self.post("/api/news/like/operate", cookie, &like).await
    }
}

/// A signed value that a visitor received from a replica, and the key that signed it.
struct Proof {
    key: &'static str,
    signed: Signed,
}

#[derive(Debug)]
enum Signed {
    /// The cookie of a member.
    Session(String),
    /// The cookie of a visitor who liked an article.
    Visitor(String),
    /// The signature in a page, which permits a translation.
    Article { id: u64, sign: String },
}

impl Proof {
    /// Logs a member in, likes an article and reads one. One replica sends the code, the other one accepts it. Each
    /// `number` selects another member and another page.
    async fn issue(site: &Site, one: &Replica, other: &Replica, number: u64) -> [Proof; 3] {
        let phone = (512_340_000 + number).to_string();
        let code = json!({ "telCode": "966", "phone": phone, "scene": 1 });
        let sent = one.post("/api/passport/auth-code/send", "", &code).await;
        assert_eq!(sent.status, 200, "{sent:?}");
        let code = outbox_code(site, &phone).await;
        let login = json!({ "telCode": "966", "phone": phone, "code": code, "agreement": true });
        let login = other.post("/api/passport/sms/login", "", &login).await;
        let like = one.like("").await;
        let id = 1_000 + number;
        let page = one.client.get(&format!("/_data/en-us/news/content/{id}")).await;
        let sign = page.text().split_once("\"sign\":\"").and_then(|(_, rest)| rest.split_once('"'));
        let sign = sign.unwrap_or_else(|| panic!("{page:?}")).0.to_owned();
        [
            Proof { key: other.key, signed: Signed::Session(cookie(&login)) },
            Proof { key: one.key, signed: Signed::Visitor(cookie(&like)) },
            Proof { key: one.key, signed: Signed::Article { id, sign } },
        ]
    }

    /// Whether a replica accepts it; any other failure than a rejection panics.
    async fn is_accepted(&self, by: &Replica) -> bool {
        let (is_accepted, response) = match &self.signed {
            Signed::Session(cookie) => {
                let progress = "/api/openaccount/account/apply-progress";
                let response = by.post(progress, cookie, &json!({})).await;
                (response.status != 401, response)
            }
            Signed::Visitor(cookie) => {
                let response = by.like(cookie).await;
                (!response.headers.contains_key("set-cookie"), response)
            }
            Signed::Article { id, sign } => {
                let body = json!({ "id": id.to_string(), "sign": sign, "locale": "en-us" });
                let response = by.post("/api/news/content/translate", "", &body).await;
                (response.status != 403, response)
            }
        };
        assert!(!is_accepted || response.status == 200, "{:?}: {response:?}", self.signed);
        is_accepted
    }

    /// Asserts that the pages of a replica name the member.
    async fn assert_page(&self, by: &Replica) {
        let Signed::Session(cookie) = &self.signed else { return };
        until(LOGIN_TIMEOUT, "the page names the member", async || {
            let page = by.client.get_with("/_data/en-us/about", &[("cookie", cookie)]).await;
            assert_eq!(page.status, 200, "{page:?}");
            !page.json()["member"].is_null()
        })
        .await;
    }
}

/// The cookie that a successful response sets.
fn cookie(response: &Response) -> String {
    assert_eq!(response.status, 200, "{response:?}");
    response.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotation_in_the_documented_order_loses_no_session() {
    let site = Site::start(Plan { gateways: 0, redis: true, ..Plan::default() }).await;
    let keys: [&[&str]; 4] = [&[OLD], &[OLD, NEW], &[NEW, OLD], &[NEW]];
    let replicas = join_all(keys.iter().map(|keys| Replica::start(&site, keys))).await;

    let (mut proofs, mut number) = (Vec::new(), 0);
    for step in replicas.windows(2) {
        let [before, after] = step else { unreachable!() };
        if after.key == NEW && before.key == NEW {
            // The last step follows after the lifetime of all that the old key signed.
            proofs.retain(|proof: &Proof| proof.key == NEW);
        }
        for (one, other) in [(before, after), (after, before)] {
            number += 1;
            proofs.extend(Proof::issue(&site, one, other, number).await);
        }
        for proof in &proofs {
            for replica in step {
                assert!(proof.is_accepted(replica).await, "{:?} of {}", proof.signed, proof.key);
                proof.assert_page(replica).await;
            }
        }
    }

    // A replica that does not know a key rejects what it signed. So no step may be left out.
    let [only_old, _, _, only_new] = &*replicas else { unreachable!() };
    let signed_by_old = Proof::issue(&site, only_old, only_old, number + 1).await;
    for proof in &proofs {
        assert!(!proof.is_accepted(only_old).await, "{:?}", proof.signed);
    }
    for proof in &signed_by_old {
        assert!(!proof.is_accepted(only_new).await, "{:?}", proof.signed);
    }
}
