//! Switches of operators (docs/operations/switches.md): a feature that is turned off responds with a message in both
//! languages on every gateway within a second, and only that feature.

use std::time::Duration;

use http_body_util::{BodyExt, Empty};
use hyper_util::{client::legacy::Client as Http, rt::TokioExecutor};
use sahm_proto::{config::v1::SetSwitchRequest, options::v1::Feature};
use serde_json::{Value, json};

use crate::{
    attacks::{member_at, outbox_code},
    kit::{Client, Form, Plan, Response, Site, until, within},
};

/// Time within which every gateway applies a switch.
const SWITCH_TIMEOUT: Duration = Duration::from_secs(1);

const PAGE: &str = "/en-us/news";

async fn site() -> Site {
    Site::start(Plan { form: Form::Tcp, gateways: 2, ..Plan::default() }).await
}

async fn set(site: &Site, feature: Feature, off: bool) {
    let request = SetSwitchRequest {
        feature: feature.into(),
        off,
        operator: "reem".to_owned(),
        reason: "R-1".to_owned(),
        ..SetSwitchRequest::default()
    };
    site.config_client().set_switch(request).await.unwrap();
}

async fn post(client: &Client, path: &str, body: &Value) -> Response {
    let headers = [("content-type", "application/json")];
    client.send("POST", path, &headers, body.to_string()).await
}

/// Waits until all gateways respond with this status.
async fn until_all_return(site: &Site, status: u16, send: impl AsyncFn(Client) -> Response) {
    for gateway in &site.gateways {
        until(SWITCH_TIMEOUT, &format!("{status}"), async || {
            send(gateway.client()).await.status == status
        })
        .await;
    }
}

fn assert_turned_off(response: &Response, message: &str, retry_after: &str) {
    let json = response.json();
    assert_eq!((response.status, &json["code"]), (503, &503.into()), "{json}");
    assert_eq!(json["error"], "turned_off");
    assert_eq!((&json["msg"], &json["errorHK"]), (&message.into(), &message.into()));
    assert_eq!(response.header("retry-after"), retry_after);
    assert_eq!(response.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn maintenance_page_replaces_cached_pages_and_calls_on_every_gateway() {
    let site = site().await;
    let page = async |client: Client| client.get(PAGE).await;
    for gateway in &site.gateways {
        let client = gateway.client();
        client.until_stored(PAGE).await;
    }
    let arguments = ["switch", "off", "site", "--operator", "reem", "--reason", "R-2"];
    let messages = ["--message-en", "Back at <nine>.", "--message-ar", "نعود في التاسعة."];
    let wait = ["--retry-after", "900"];
    let output = site.command("sahm", &[&arguments[..], &messages, &wait].concat()).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "site is off: R-2 (reem)\n");
    until_all_return(&site, 503, page).await;

    for gateway in &site.gateways {
        let client = gateway.client();
        for (path, message) in [
            (PAGE, "<p>Back at &lt;nine&gt;.</p>"),
            ("/ar-sa/news", "<p>نعود في التاسعة.</p>"),
            ("/en-us/no-such-page", "<p>Back at &lt;nine&gt;.</p>"),
        ] {
            let response = client.get(path).await;
            assert_eq!(response.status, 503, "{path}");
            assert!(response.text().contains(message), "{path}: {}", response.text());
            assert_eq!(response.header("retry-after"), "900");
            assert_eq!(response.header("cache-control"), "no-store");
            assert_eq!(response.header("x-frame-options"), "DENY");
        }
        let body = json!({});
        let menu = post(&client, "/api/config/rest/menu?lang=en-us", &body).await;
        assert_turned_off(&menu, "Back at <nine>.", "900");
        let menu = post(&client, "/api/config/rest/menu?lang=ar-sa", &body).await;
        assert_turned_off(&menu, "نعود في التاسعة.", "900");
        assert_eq!(client.get("/_data/en-us/news").await.status, 503);
        assert_eq!(client.get("/robots.txt").await.status, 200);
    }
    // A new gateway applies the switch before its first response.
    let later = site.gateway("gateway-later").await;
    assert_eq!(later.client().get(PAGE).await.status, 503);

    let arguments = ["switch", "on", "site", "--operator", "reem", "--reason", "R-2"];
    let output = site.command("sahm", &arguments).await;
    assert_eq!(String::from_utf8_lossy(&output.stdout), "everything is on\n");
    until_all_return(&site, 200, page).await;
    assert_eq!(site.client().get(PAGE).await.cache_status(), "hit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turned_off_calls_respond_in_both_locales_and_others_work() {
    let site = site().await;
    let login = json!({ "account": "500000001", "password": "x" });
    let code = json!({ "telCode": "966", "phone": "512345678", "scene": 1 });
    for (feature, path, body, english, arabic) in [
        (
            Feature::Login,
            "/api/passport/password/login",
            &login,
            "Login is not possible right now, please try again later.",
            "تسجيل الدخول غير متاح حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        (
            Feature::Codes,
            "/api/passport/auth-code/send",
            &code,
            "Verification codes cannot be sent right now, please try again later.",
            "تعذّر إرسال رموز التحقق حاليًا، يُرجى المحاولة لاحقًا.",
        ),
        (
            Feature::Uploads,
            "/api/woms/feedback/submit",
            &code,
            "Feedback cannot be sent right now, please try again later.",
            "تعذّر إرسال الملاحظات حاليًا، يُرجى المحاولة لاحقًا.",
        ),
    ] {
        set(&site, feature, true).await;
        until_all_return(&site, 503, async |client| post(&client, path, body).await).await;
        for gateway in &site.gateways {
            let client = gateway.client();
            for (locale, message) in [("en-us", english), ("ar-sa", arabic)] {
                let response = post(&client, &format!("{path}?lang={locale}"), body).await;
                assert_turned_off(&response, message, "60");
            }
            assert_eq!(client.get(PAGE).await.status, 200);
            let menu = post(&client, "/api/config/rest/menu", &json!({})).await;
            assert_eq!(menu.status, 200);
        }
        set(&site, feature, false).await;
        for gateway in &site.gateways {
            let is_on = async || post(&gateway.client(), path, body).await.status != 503;
            until(SWITCH_TIMEOUT, path, is_on).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_up_alone_is_turned_off_for_numbers_without_a_member() {
    let site = site().await;
    let (client, phone) = (site.client(), "512345679");
    let body = json!({ "telCode": "966", "phone": phone, "scene": 1 });
    let sent = post(&client, "/api/passport/auth-code/send", &body).await;
    assert_eq!(sent.status, 200, "{}", sent.text());
    let login = json!({
        "telCode": "966", "phone": phone, "code": outbox_code(&site, phone).await, "agreement": true,
    });
    set(&site, Feature::SignUp, true).await;
    await_later_switch(&site, true).await;
    for gateway in &site.gateways {
        let response = post(&gateway.client(), "/api/passport/sms/login?lang=en-us", &login).await;
        let message = "New memberships are not possible right now, please try again later.";
        assert_turned_off(&response, message, "60");
    }
    // A member logs in.
    member_at(site.gateways[0].address).await;
    set(&site, Feature::SignUp, false).await;
    await_later_switch(&site, false).await;
    // The code is still valid.
    let member = post(&client, "/api/passport/sms/login", &login).await;
    assert_eq!((member.status, &member.json()["data"]["signedUp"]), (200, &true.into()));
}

/// Waits until all gateways know switches that were set before: attempts to log in are limited, so they cannot be
/// repeated until then.
async fn await_later_switch(site: &Site, off: bool) {
    set(site, Feature::Uploads, off).await;
    let path = "/api/woms/feedback/submit";
    for gateway in &site.gateways {
        let is_set =
            async || (post(&gateway.client(), path, &json!({})).await.status == 503) == off;
        until(SWITCH_TIMEOUT, path, is_set).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_streams_end_when_streams_are_turned_off() {
    let site = site().await;
    let http = Http::builder(TokioExecutor::new()).build_http::<Empty<bytes::Bytes>>();
    let mut streams = Vec::new();
    for gateway in &site.gateways {
        let url = format!("http://{}/api/hq/stream?codes=2222", gateway.address);
        let response = http.get(url.parse().unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        streams.push(response.into_body());
    }
    set(&site, Feature::Streams, true).await;
    for stream in streams {
        within(SWITCH_TIMEOUT, "the end of a stream", stream.collect()).await.unwrap();
    }
    for gateway in &site.gateways {
        let response = gateway.client().get("/api/hq/stream?codes=2222&lang=en-us").await;
        let message = "Live prices are not available right now, please try again later.";
        assert_turned_off(&response, message, "60");
    }
}
