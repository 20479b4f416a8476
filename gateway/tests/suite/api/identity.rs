//! The calls of `/passport`, `/openaccount` and `/woms` with the real identity service.

use axum::body::Body;
use http::{Request, header};
use sahm_chassis::{clock::Clock, service::Service, settings::ServiceName};
use sahm_gateway::{Services, api::Api};
use sahm_identity::{Identity, seed::PASSWORD};
use sahm_proto::identity::v1::{
    EndMemberSessionsRequest, session_service_client::SessionServiceClient,
};
use serde_json::json;

use crate::api::kit::{FORM, Response, Site};

const SUCCESS: u64 = 10_000_000;

async fn start() -> Site {
    Site::start([(Identity::start, Clock::system())]).await
}

/// The session cookie that a response sets.
fn session(response: &Response) -> Option<String> {
    let line = response.set_cookie("sahm_session")?;
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(line.contains(attribute), "{line}");
    }
    response.cookie("sahm_session")
}

#[tokio::test]
async fn visitor_signs_up_and_logs_out() {
    let site = start().await;
    let sent = site
        .form("/api/passport/auth-code/send", "", "telCode=966&phone=512345678&scene=1&lang=ar-sa")
        .await;
    assert_eq!(sent.data(), &json!({ "sent": true, "retryAfter": 60 }));
    let code = site.code();
    let body = json!({ "telCode": "966", "phone": "512345678", "code": code, "agreement": true });
    let login = site.json("/api/passport/sms/login", "", &body).await;
    assert_eq!((login.status, login.code()), (200, SUCCESS));
    let mid = login.data()["userInfo"]["mid"].clone();
    assert!(mid.is_string());
    let info = json!({
        "id": mid, "logined": true, "opened": false, "openedSaudi": false, "hsNo": null,
        "mid": mid, "isObtainSns": false,
    });
    assert_eq!(login.data(), &json!({ "userInfo": info, "signedUp": true }));
    let cookie = session(&login).unwrap();
    let token = cookie.split(['=', '.']).nth(1).unwrap();
    assert!(!login.json.to_string().contains(token));

    let uri = "/api/passport/member/check";
    for response in [
        site.form(uri, &cookie, "_clientType=10&_lang=ar_SA").await,
        site.json(uri, &cookie, &json!({ "_clientType": 10, "_lang": "en_US" })).await,
    ] {
        assert_eq!((response.code(), response.data()), (SUCCESS, &info));
    }
    let progress = site.form("/api/openaccount/account/apply-progress", &cookie, "").await;
    assert_eq!(progress.data(), &json!({ "id": mid, "status": 0, "action": "openAccount" }));

    let out = site.form("/api/passport/logout", &cookie, "").await;
    assert_eq!(out.data(), &json!({ "done": true }));
    assert_eq!(session(&out).as_deref(), Some("sahm_session="));
    let gone = site.form("/api/openaccount/account/apply-progress", &cookie, "").await;
    assert_eq!((gone.status, gone.code()), (401, 10_000_007));
    let visitor = site.form(uri, &cookie, "").await;
    assert_eq!(
        visitor.data(),
        &json!({
            "id": null, "logined": false, "opened": false, "openedSaudi": false, "hsNo": null,
            "mid": null, "isObtainSns": false,
        })
    );
}

#[tokio::test]
async fn ended_session_is_rejected_by_every_gateway_at_once() {
    let site = start().await;
    let other = Api::new(&Services::new(site.transports.clone()), &site.context).unwrap();
    let progress = async |gateway: &Api, cookie: &str| {
        let request = Request::post("/api/openaccount/account/apply-progress")
            .header(header::CONTENT_TYPE, FORM)
            .header(header::COOKIE, cookie);
        Response::read(gateway.handle(request.body(Body::empty()).unwrap()).await).await
    };
    // Ended through one gateway, and by an operator.
    for ends_by_logout in [true, false] {
        let cookie = site.log_in("500000006").await;
        for gateway in [&site.api, &other] {
            let response = progress(gateway, &cookie).await;
            assert_eq!((response.status, response.code()), (200, SUCCESS));
        }
        if ends_by_logout {
            let out = site.form("/api/passport/logout", &cookie, "").await;
            assert_eq!(out.data(), &json!({ "done": true }));
        } else {
            let check = site.form("/api/passport/member/check", &cookie, "").await;
            let member = check.data()["id"].as_str().unwrap().parse().unwrap();
            let request = EndMemberSessionsRequest { member };
            let mut sessions = SessionServiceClient::new(site.transport(ServiceName::Identity));
            sessions.end_member_sessions(request).await.unwrap();
        }
        for gateway in [&other, &site.api] {
            let response = progress(gateway, &cookie).await;
            assert_eq!((response.status, response.code()), (401, 10_000_007));
        }
    }
}

#[tokio::test]
async fn invalid_identity_calls_have_their_error_codes() {
    let site = start().await;
    let phone = "telCode=966&phone=512345678";
    let login = format!("{phone}&code=123456");
    for (call, body, status, code, field) in [
        ("auth-code/send", "telCode=966&phone=412345678&scene=1", 400, 10_000_003, "phone"),
        ("auth-code/send", "telCode=x&phone=512345678&scene=1", 400, 10_000_003, "telCode"),
        ("auth-code/send", &format!("{phone}&scene=4"), 400, 10_000_003, "scene"),
        ("auth-code/use", &format!("{phone}&scene=1&code=123456"), 422, 10_000_003, "code"),
        ("auth-code/use", &format!("{phone}&scene=1&code=1"), 400, 10_000_003, "code"),
        ("sms/login", &login, 400, 10_000_003, "agreement"),
        ("sms/login", &format!("{login}&agreement=true"), 422, 10_000_003, "code"),
        (
            "sms/login",
            &format!("{login}&agreement=true&inviteCode=-"),
            400,
            10_000_003,
            "inviteCode",
        ),
        ("password/login", "account=500000002&password=x", 422, 10_000_003, "password"),
        ("password/login", "account=x&password=x", 400, 10_000_003, "account"),
        ("password/set", "password=x", 401, 10_000_006, ""),
        ("recaptcha/assess", "action=login&token=bad", 422, 10_000_003, "recaptchaToken"),
        ("recaptcha/assess", "action=&token=x", 400, 10_000_003, "action"),
        ("auth-code/check-recaptcha", "telCode=966&phone=1", 400, 10_000_003, "phone"),
    ] {
        let response = site.form(&format!("/api/passport/{call}"), "", body).await;
        assert_eq!((response.status, response.code()), (status, code), "{call} {body}");
        if !field.is_empty() {
            assert!(response.fields()[field].is_string(), "{call}: {}", response.json);
        }
        assert!(session(&response).is_none());
    }
    let twice = [
        site.form("/api/passport/auth-code/send", "", &format!("{phone}&scene=1")).await,
        site.form("/api/passport/auth-code/send", "", &format!("{phone}&scene=1")).await,
    ];
    assert_eq!(twice.each_ref().map(|response| response.status), [200, 429]);
    let after: u32 = twice[1].headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&after));
    let needed = site.form("/api/passport/auth-code/check-recaptcha", "", phone).await;
    assert_eq!(needed.data(), &json!({ "needed": false }));
    let score = site.form("/api/passport/recaptcha/assess", "", "action=a&token=t").await;
    assert_eq!(score.data(), &json!({ "score": 0.9 }));
    for uri in ["/api/passport/member/check", "/api/passport/logout"] {
        let get = site.get(uri).await;
        assert_eq!(get.status, 405);
    }
    let texts = ["en-us", "ar-sa"].map(|lang| format!("account=x&password=x&lang={lang}"));
    let [english, arabic] =
        [&texts[0], &texts[1]].map(|body| site.form("/api/passport/password/login", "", body));
    assert_ne!(english.await.json["msg"], arabic.await.json["msg"]);
}

#[tokio::test]
async fn account_calls_return_the_members_account() {
    let site = start().await;
    let uri = "/api/openaccount/getTadawulLoginUrl";
    assert_eq!(site.form(uri, "", "").await.code(), 10_000_006);
    assert_eq!(site.form(uri, "sahm_session=forged.forged", "").await.code(), 10_000_006);
    let opened = site.log_in("500000006").await;
    assert_eq!(site.form(uri, &opened, "").await.status, 403);
    let saudi = site.log_in("saudi@sahm.example").await;
    let url = site.form(uri, &saudi, "").await.data()["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:8080/?tadawul=simulated&ticket="));
    let check = site.form("/api/passport/member/check", &saudi, "").await;
    assert_eq!(check.data()["hsNo"], "SA-10000007");
    let progress = site.form("/api/openaccount/account/apply-progress", &saudi, "").await;
    assert_eq!(progress.data()["action"], "download");
}

#[tokio::test]
async fn password_change_requires_the_old_password() {
    let site = start().await;
    let opened = site.log_in("500000006").await;
    let set = "/api/passport/password/set";
    let weak = site.form(set, &opened, "password=weak").await;
    assert!(weak.status == 400 && weak.fields()["password"].is_string());
    let body = json!({ "password": "Other#1234" });
    let unproven = site.json(set, &opened, &body).await;
    assert_eq!(unproven.status, 400);
    let arabic = format!("{set}?lang=ar-sa");
    let body = json!({ "password": "Other#1234", "oldPassword": "Wrong#1234" });
    let wrong = site.json(&arabic, &opened, &body).await;
    assert_eq!(wrong.status, 422);
    let [unproven, wrong] = [&unproven, &wrong]
        .map(|response| response.fields()["oldPassword"].as_str().unwrap_or_default());
    assert!(unproven.contains("old password") && wrong.contains("كلمة المرور"), "{wrong}");
    let body = json!({ "password": "Other#1234", "oldPassword": PASSWORD });
    let done = site.json(set, &opened, &body).await;
    assert_eq!(done.data(), &json!({ "done": true }));
    let body = "account=opened%40sahm.example&password=Other%231234";
    let again = site.form("/api/passport/password/login", "", body).await;
    assert_eq!(again.data()["userInfo"]["opened"], true);
}

/// A multipart form with these files.
fn multipart(subject: &str, files: &[Vec<u8>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in [("subject", subject), ("content", "Text"), ("contact", "a@b.co")] {
        let part =
            format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    for bytes in files {
        let head = "--b\r\ncontent-disposition: form-data; name=\"files\"; filename=\"a.png\"\r\n\
                    content-type: image/png\r\n\r\n";
        body.extend(head.as_bytes());
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--b--\r\n");
    body
}

fn bmp(size: usize) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
    bytes.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
    bytes.resize(size, 0);
    bytes
}

#[tokio::test]
async fn feedback_returns_a_ticket() {
    let site = start().await;
    let uri = "/api/woms/feedback/submit";
    let headers = [("content-type", "multipart/form-data; boundary=b")];
    for files in [vec![], vec![bmp(600_000); 3]] {
        let response = site.send("POST", uri, &headers, multipart("Order", &files)).await;
        assert_eq!((response.status, response.code()), (200, SUCCESS), "{}", response.json);
        let ticket = response.data()["ticket"].as_str().unwrap();
        assert!(ticket.starts_with("FB-") && response.data()["id"] == ticket);
    }
    for (subject, files, field) in [
        ("", vec![], "subject"),
        ("Order", vec![b"<html>".repeat(100_000)], "files[0]"),
        ("Order", vec![bmp(600_000), bmp(100_000)], "files[1]"),
        ("Order", vec![bmp((5 << 20) + 1)], "files[0]"),
        ("Order", vec![bmp(600_000); 4], "files"),
    ] {
        let response = site.send("POST", uri, &headers, multipart(subject, &files)).await;
        assert_eq!((response.status, response.code()), (400, 10_000_003));
        assert!(response.fields()[field].is_string(), "{field}: {}", response.json);
    }
    let wrong = site.form(uri, "", "subject=a").await;
    assert_eq!(wrong.status, 415);
}

#[tokio::test]
async fn agreement_is_read_alike_from_form_and_json() {
    let site = start().await;
    let path = "/api/passport/sms/login";
    let form = "telCode=966&phone=512345678&code=000000&agreement=1";
    let body = json!({ "telCode": 966, "phone": "512345678", "code": "000000", "agreement": 1 });
    for response in [site.form(path, "", form).await, site.json(path, "", &body).await] {
        // Everything is valid except the code.
        assert_eq!(response.status, 422, "{}", response.json);
        assert_eq!(response.fields(), &json!({ "code": "is wrong or no longer valid" }));
    }
}

#[tokio::test]
async fn invalid_fields_are_reported_together_in_the_callers_locale() {
    let site = start().await;
    let path = "/api/passport/sms/login";
    let response = site.json(path, "", &json!({})).await;
    let expected = json!({
        "telCode": "is required", "phone": "is required", "code": "is required",
        "agreement": "must be true",
    });
    assert_eq!((response.status, response.fields()), (400, &expected));
    let response = site.form(path, "", "lang=ar").await;
    assert_eq!(response.fields()["phone"], "مطلوب");
    // The service's own reason.
    let wrong = "account=500000007&password=wrong&lang=ar";
    let response = site.form("/api/passport/password/login", "", wrong).await;
    assert_eq!(response.status, 422);
    assert_eq!(response.fields()["password"], "الحساب أو كلمة المرور غير صحيحة");
}
