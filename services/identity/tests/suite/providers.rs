//! Providers over HTTP, and environments without local substitutes.
use std::sync::{Arc, Mutex};

use axum::{Router, extract::State, http::HeaderMap, routing::post};
use sahm_chassis::{ErrorCode, caller::Caller, clock::Clock};
use sahm_proto::identity::v1::{
    AssessRecaptchaRequest, AuthCodeScene, GetTadawulLoginUrlRequest, ListMembersRequest,
};

use crate::support::{NOW, Site, acting, field, got};

type ReceivedRequests = Arc<Mutex<Vec<(String, String)>>>;

/// A provider that always responds with `body`, and records its requests.
async fn provider(status: u16, body: &'static str) -> (String, ReceivedRequests) {
    let received = ReceivedRequests::default();
    let respond = move |State(received): State<ReceivedRequests>,
                        headers: HeaderMap,
                        request: String| async move {
        let token = headers.get("authorization").and_then(|value| value.to_str().ok());
        received.lock().unwrap().push((token.unwrap_or_default().to_owned(), request));
        (axum::http::StatusCode::from_u16(status).unwrap(), body)
    };
    let app = Router::new().route("/v1/x", post(respond)).with_state(received.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1/x", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, received)
}

async fn site(pairs: &[(&str, &str)]) -> Site {
    Site::start(pairs, Clock::fixed(NOW), false).await.unwrap()
}

#[tokio::test]
async fn local_providers_are_rejected_in_public_environments() {
    for environment in ["pre", "prod"] {
        let public = [
            ("SAHM_ENV", environment),
            ("SAHM_SESSION_KEYS", "0123456789abcdef0123456789abcdef"),
            ("SAHM_CALLER_TOKENS", "gateway=0123456789abcdef0123456789abcdef"),
        ];
        let given = [
            ("SAHM_SMS_URL", "https://sms.example/v1"),
            ("SAHM_RECAPTCHA_URL", "https://recaptcha.example/verify"),
            ("SAHM_TADAWUL_URL", "https://tadawul.example/login"),
        ];
        for missing in 0..3 {
            let mut pairs = public.to_vec();
            pairs.extend(given.iter().enumerate().filter(|(at, _)| *at != missing).map(|p| *p.1));
            let error = Site::start(&pairs, Clock::fixed(NOW), false).await.err().unwrap();
            let line = format!("{error:#}");
            assert!(line.starts_with(given[missing].0) && !line.contains('\n'), "{line}");
        }
        let pairs = [public.as_slice(), given.as_slice()].concat();
        let site = site(&pairs).await;
        let none = got(site.members().list_members(ListMembersRequest::default()).await).unwrap();
        assert!(none.items.is_empty(), "members of the seed in public");
    }
}

#[tokio::test]
async fn text_messages_are_sent_over_http() {
    let (url, received) = provider(202, "").await;
    let site = site(&[("SAHM_SMS_URL", &url), ("SAHM_SMS_TOKEN", "secret-1")]).await;
    let request = sahm_proto::identity::v1::SendAuthCodeRequest {
        tel_code: "966".into(),
        phone: "512345678".into(),
        scene: AuthCodeScene::Verification.into(),
        locale: "ar-sa".into(),
        ..Default::default()
    };
    got(site.passport().send_auth_code(request).await).unwrap();
    let (token, body) = received.lock().unwrap()[0].clone();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!((token.as_str(), body["to"].as_str()), ("Bearer secret-1", Some("+966512345678")));
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("رمز التحقق"), "{text}");
    assert!(!site.outbox().exists());
    let code: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    site.log_in("512345678", &code).await.unwrap();
}

#[tokio::test]
async fn failing_provider_is_unavailable() {
    let (url, _) = provider(500, "no").await;
    let pairs = [
        ("SAHM_SMS_URL", url.as_str()),
        ("SAHM_RECAPTCHA_URL", url.as_str()),
        ("SAHM_TADAWUL_URL", "http://127.0.0.1:1/x"),
    ];
    let site = site(&pairs).await;
    let error = got(site
        .passport()
        .assess_recaptcha(AssessRecaptchaRequest { action: "a".into(), token: "t".into() })
        .await)
    .unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
    let request = sahm_proto::identity::v1::SendAuthCodeRequest {
        tel_code: "966".into(),
        phone: "512345678".into(),
        scene: 1,
        ..Default::default()
    };
    let error = got(site.passport().send_auth_code(request).await).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
    let error = tadawul(&site).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unavailable);
}

async fn tadawul(site: &Site) -> Result<String, sahm_chassis::Error> {
    let all = got(site.members().list_members(ListMembersRequest::default()).await).unwrap().items;
    let saudi = Caller { member: Some(all[6].id), ..Caller::default() };
    let request = GetTadawulLoginUrlRequest {};
    got(acting(&saudi, site.accounts().get_tadawul_login_url(request)).await).map(|it| it.url)
}

#[tokio::test]
async fn tadawul_urls_are_requested_over_http() {
    for (body, url) in [
        (r#"{"url":"https://tadawul.example/t/1"}"#, Some("https://tadawul.example/t/1")),
        (r#"{"url":"javascript:alert(1)"}"#, None),
        (r#"{"url":"http://tadawul.example/t/1"}"#, None),
        ("nothing", None),
    ] {
        let (address, received) = provider(200, body).await;
        let site = site(&[("SAHM_TADAWUL_URL", &address)]).await;
        assert_eq!(tadawul(&site).await.ok().as_deref(), url, "{body}");
        assert!(received.lock().unwrap()[0].1.contains("SA-10000007"));
    }
}

#[tokio::test]
async fn recaptcha_tokens_are_verified_over_http() {
    for (body, score) in [
        (r#"{"success":true,"score":0.7,"action":"login"}"#, Some(0.7)),
        (r#"{"success":true}"#, Some(0.0)),
        (r#"{"success":true,"score":0.7,"hostname":"127.0.0.1"}"#, Some(0.7)),
        (r#"{"success":true,"score":0.7,"hostname":"localhost"}"#, Some(0.7)),
        (r#"{"success":true,"score":0.7,"hostname":"Site.Example"}"#, Some(0.7)),
        (r#"{"success":true,"score":0.7,"hostname":"app.listed.example"}"#, Some(0.7)),
        (r#"{"success":true,"score":0.7,"hostname":"notlisted.example"}"#, None),
        (r#"{"success":true,"score":0.7,"hostname":"site.example.evil.example"}"#, None),
        (r#"{"success":true,"score":0.7,"hostname":""}"#, None),
        (r#"{"success":true,"score":0.7,"action":"other"}"#, None),
        (r#"{"success":false,"error-codes":["timeout-or-duplicate"]}"#, None),
    ] {
        let (url, received) = provider(200, body).await;
        let pairs = [
            ("SAHM_RECAPTCHA_URL", &*url),
            ("SAHM_RECAPTCHA_SECRET", "a&b"),
            ("SAHM_PUBLIC_URL", "https://site.example"),
            ("SAHM_ALLOWED_HOSTS", "listed.example"),
        ];
        let site = site(&pairs).await;
        let request = AssessRecaptchaRequest { action: "login".into(), token: "t=1".into() };
        match got(site.passport().assess_recaptcha(request).await) {
            Ok(response) => assert_eq!(Some(response.score), score),
            Err(error) => {
                assert_eq!((field(&error), score), ("recaptchaToken", None));
                assert_eq!(error.code(), ErrorCode::Rejected);
            }
        }
        assert_eq!(received.lock().unwrap()[0].1, "secret=a%26b&response=t%3D1");
    }
}
